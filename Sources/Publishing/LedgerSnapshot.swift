package import GronaFormats
package import PublishProtocol

/// A ledger as it stood at one moment, for a look at many workspaces: read once, not once for each.
///
/// What is served is read after it, so a publisher at work in between shows as a version that the
/// ledger does not know yet, and never as one that fell.
package struct LedgerSnapshot: PublicationLedger {
    private let ledger: any PublicationLedger
    private let viewsByName: [WorkspaceName: LedgerView]
    /// The workspaces of which a config was seen served, or a bundle released.
    package let names: Set<WorkspaceName>

    package init(_ ledger: any PublicationLedger) throws(PublicationLedgerError) {
        self.ledger = ledger
        names = Set(try ledger.workspaces())
        viewsByName = try ledger.views()
    }

    /// The ledger as it stands now.
    package func again() throws(PublicationLedgerError) -> LedgerSnapshot {
        try LedgerSnapshot(ledger)
    }

    package var isCut: Bool { ledger.isCut }

    package func view(of workspace: WorkspaceName) throws(PublicationLedgerError) -> LedgerView {
        viewsByName[workspace] ?? LedgerView()
    }

    package func views() throws(PublicationLedgerError) -> [WorkspaceName: LedgerView] {
        viewsByName
    }

    package func append(_ entry: LedgerEntry) throws(PublicationLedgerError) -> LedgerAnswer {
        try ledger.append(entry)
    }

    package func keep(
        _ envelope: [UInt8], as digest: ContentDigest
    ) throws(PublicationLedgerError) {
        try ledger.keep(envelope, as: digest)
    }

    package func newestServed(
        of workspace: WorkspaceName
    ) throws(PublicationLedgerError) -> KeptEnvelope? {
        try ledger.newestServed(of: workspace)
    }

    package func servedPayloads(
        of workspace: WorkspaceName
    ) throws(PublicationLedgerError) -> Set<ContentDigest> {
        try ledger.servedPayloads(of: workspace)
    }

    package func keptEnvelopes() throws(PublicationLedgerError) -> [[UInt8]] {
        try ledger.keptEnvelopes()
    }

    package func workspaces() throws(PublicationLedgerError) -> [WorkspaceName] {
        names.sorted()
    }
}
