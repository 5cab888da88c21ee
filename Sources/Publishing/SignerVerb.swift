/// What a signer may be asked for; each is a socket of its own where it is called over sockets.
package enum SignerVerb: String, Sendable, CaseIterable {
    case renew, kill, restore, bundle

    /// What is put behind the command of a signer.
    package var words: [String] {
        switch self {
        case .renew: ["renew", "--batch"]
        case .kill: ["renew", "--batch", "--allow-disable"]
        case .restore: ["restore", "--batch"]
        case .bundle: ["bundle", "--batch"]
        }
    }
}
