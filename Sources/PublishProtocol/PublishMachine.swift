/// What a publication and a bundle release have in common, for the loop that drives them.
package protocol PublishMachine: Hashable, Sendable {
    /// Whatever the run comes to, an operator must see these.
    var alarms: Set<Alarm> { get }
    /// Everything that was learned about what is there.
    var base: Publication.Base { get }

    mutating func begin() -> Step
    mutating func handle(_ event: StoreEvent) -> Step
}

extension Publication: PublishMachine {}
extension BundleRelease: PublishMachine {}
