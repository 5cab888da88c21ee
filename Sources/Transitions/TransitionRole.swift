/// What a signature is for; it decides what may differ from the source.
package enum TransitionRole: String, Hashable, Sendable, CaseIterable {
    case config, renew, kill, revive, bundle, restore
}
