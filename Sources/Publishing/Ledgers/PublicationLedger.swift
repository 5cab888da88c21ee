package import GronaFormats
package import Ledger
package import LinuxIO
package import PublishProtocol
import StrictJSON

/// The record of what publishers of a store did and saw, outside that store.
///
/// It outlives a store that is restored from a backup: from it come the marks below which nothing
/// is published, and beside it lies every envelope that was seen served.
package protocol PublicationLedger: Sendable {
    func view(of workspace: WorkspaceName) throws(PublicationLedgerError) -> LedgerView

    /// The views of all workspaces that have a line.
    func views() throws(PublicationLedgerError) -> [WorkspaceName: LedgerView]

    /// Writes a line and has it on disk. Claims are checked against the lines that are there in the
    /// same step.
    func append(_ entry: LedgerEntry) throws(PublicationLedgerError) -> LedgerAnswer

    /// Keeps an envelope that is served, by its digest.
    func keep(_ envelope: [UInt8], as digest: ContentDigest) throws(PublicationLedgerError)

    /// The envelope with the highest version that was seen served.
    func newestServed(of workspace: WorkspaceName) throws(PublicationLedgerError) -> KeptEnvelope?

    /// All envelopes of any workspace that are kept, as bytes; what is not whole is left out.
    func keptEnvelopes() throws(PublicationLedgerError) -> [[UInt8]]

    /// The payloads that were seen served.
    func servedPayloads(
        of workspace: WorkspaceName
    ) throws(PublicationLedgerError) -> Set<ContentDigest>

    /// The workspaces of which a config was seen served, or a bundle released.
    func workspaces() throws(PublicationLedgerError) -> [WorkspaceName]

    /// Whether it was read though it went back, so that the envelopes beside it may know more.
    var isCut: Bool { get }
}

extension PublicationLedger {
    package var isCut: Bool { false }

    package func keptEnvelopes() throws(PublicationLedgerError) -> [[UInt8]] { [] }

    package func servedPayloads(
        of workspace: WorkspaceName
    ) throws(PublicationLedgerError) -> Set<ContentDigest> { [] }
}

/// An envelope beside the ledger.
package struct KeptEnvelope: Sendable, Equatable {
    package let facts: DocumentFacts
    /// Nil where the file is missing, or is not what its name says.
    package let bytes: [UInt8]?

    package init(facts: DocumentFacts, bytes: [UInt8]?) {
        self.facts = facts
        self.bytes = bytes
    }
}

/// A line about to be written, with what the protocol itself does not know.
package struct LedgerEntry: Sendable {
    package var workspace: WorkspaceName
    package var record: LedgerRecord
    package var time: UnixTime
    /// The user who publishes.
    package var user: String
    package var kid: KeyID?
    /// The head of the signer's audit log, where a signer gave it.
    package var auditHead: String?
    package var isRehearsal = false

    package init(
        workspace: WorkspaceName, record: LedgerRecord, time: UnixTime, user: String,
        kid: KeyID? = nil, auditHead: String? = nil
    ) {
        self.workspace = workspace
        self.record = record
        self.time = time
        self.user = user
        self.kid = kid
        self.auditHead = auditHead
    }
}

/// Why a ledger could not be used.
package enum PublicationLedgerError: Error, Sendable, Equatable {
    case log(FilePath, LedgerError)
    case envelope(FileError)
    /// Other publishers wrote to it again and again while this one wanted to.
    case busy(FilePath)
    /// The store of a shared ledger, by its name.
    case store(String, StoreError)
    /// A shared ledger has lost or changed a record that this host has seen, by its number.
    case wentBack(String, record: Int)
    /// A ledger on this host has lost or changed lines that were written: how many it has, and had
    /// at least.
    case cut(FilePath, lines: Int, of: Int)
    /// A record of a shared ledger that does not continue the one before.
    case broken(String, record: Int)
    /// A shared ledger has no record of this number, but has a later one.
    case gap(String, record: Int, later: Int)
}
