package import GronaFormats
package import PublishProtocol

/// A place from which devices fetch, and in which a publisher may write under a condition that the
/// place itself holds at the instant of writing.
///
/// A definite failure is thrown; then nothing was changed. What is not known is an answer, and
/// reading back settles it.
package protocol PublicationStore: Sendable {
    /// The store in its one written form, such as `file:/srv/grona`.
    var name: String { get }

    /// Nil where nothing is.
    func read(_ key: StoreKey) throws(StoreError) -> StoredObject?

    /// The same, unless what is there bears the tag (RFC 9110 13.1.2).
    func read(_ key: StoreKey, unless tag: EntityTag) throws(StoreError) -> ConditionalRead

    /// Writes where nothing is (RFC 9110 13.1.2, `If-None-Match: *`).
    func create(_ key: StoreKey, _ bytes: [UInt8]) throws(StoreError) -> WriteAnswer

    /// Writes in place of exactly what bears the tag (RFC 9110 13.1.1, `If-Match`).
    func replace(
        _ key: StoreKey, _ bytes: [UInt8], ifMatching tag: EntityTag
    ) throws(StoreError) -> WriteAnswer

    /// The claimed versions of a workspace that are not below a number, the lowest first.
    func versions(
        of workspace: WorkspaceName, from floor: Int64
    ) throws(StoreError) -> [ConfigVersion]

    /// The released bundles of a workspace, the lowest version first.
    func bundles(of workspace: WorkspaceName) throws(StoreError) -> [BundleName]

    /// The workspaces that have anything, by name; none where `listsWorkspaces` is false.
    func workspaces() throws(StoreError) -> [WorkspaceName]

    /// Whether the store can tell which workspaces it has.
    var listsWorkspaces: Bool { get }

    /// Whether a read under a condition is less work than one without.
    var readsConditionally: Bool { get }

    /// How the last write of this run was answered; nil where none was sent, or a store gives no
    /// answers that tell more than its result.
    var lastReply: StoreReply? { get }

    /// Whether each request is sent once only from now on, in place of again after a wait.
    func hurry(_ isInHurry: Bool)
}

/// The answer to a read that was asked for under a condition.
package enum ConditionalRead: Sendable {
    /// What is there bears the tag.
    case unchanged
    /// Nil where nothing is.
    case found(StoredObject?)
}

extension PublicationStore {
    package var readsConditionally: Bool { false }

    package func read(
        _ key: StoreKey, unless tag: EntityTag
    ) throws(StoreError) -> ConditionalRead {
        .found(try read(key))
    }

    package var listsWorkspaces: Bool { true }
    package var lastReply: StoreReply? { nil }
    package func hurry(_ isInHurry: Bool) {}
}

/// What a store holds under a key.
package struct StoredObject: Sendable {
    /// Nil for more bytes than any envelope may have; such a thing is never parsed.
    package let bytes: [UInt8]?
    package let tag: EntityTag
    /// False for a link, a folder or a pipe in the place of a document.
    package let isFile: Bool

    package init(bytes: [UInt8]?, tag: EntityTag, isFile: Bool = true) {
        self.bytes = bytes
        self.tag = tag
        self.isFile = isFile
    }
}
