package import GronaFormats
package import HTTPTransport
package import PublishProtocol

/// An https endpoint as a store.
///
/// It has a place for the config of each workspace, and for claims and bundles where there are
/// templates for them. Where there are none, claims and bundles stand in the ledger alone. Such an
/// endpoint lists nothing: claims are found by asking number by number, from the served one up.
package final class HTTPStore: PublicationStore {
    /// How far claims are asked for.
    private static let farthest = 1_000

    package let place: HTTPPlace
    package let objects: ConditionalObjects
    package var name: String { place.name }
    package var lastReply: StoreReply? { objects.lastReply }
    package var readsConditionally: Bool { true }
    package func hurry(_ isInHurry: Bool) { objects.hurry(isInHurry) }
    package var listsWorkspaces: Bool { false }

    package init(_ place: HTTPPlace, objects: ConditionalObjects) {
        self.place = place
        self.objects = objects
    }

    /// Nil for what the endpoint has no place for.
    package func url(_ key: StoreKey) -> HTTPURL? {
        let workspace = ("workspace", key.workspace.text)
        return switch key {
        case .config: place.config.url([workspace])
        case .version(_, let version):
            place.claims?.url([workspace, ("version", version.sixteenDigits)])
        case .bundle(_, let bundle): place.bundles?.url([workspace, ("bundle", bundle.text)])
        }
    }

    package func read(_ key: StoreKey) throws(StoreError) -> StoredObject? {
        guard let url = url(key) else { return nil }
        return try objects.read(url).map(StoredObject.init(_:))
    }

    package func read(
        _ key: StoreKey, unless tag: EntityTag
    ) throws(StoreError) -> ConditionalRead {
        guard let url = url(key) else { return .found(nil) }
        return try objects.read(url, unless: tag)
    }

    package func create(_ key: StoreKey, _ bytes: [UInt8]) throws(StoreError) -> WriteAnswer {
        // Without a place for it, the ledger decides who has the number.
        guard let url = url(key) else { return .done }
        return try objects.create(url, bytes)
    }

    package func replace(
        _ key: StoreKey, _ bytes: [UInt8], ifMatching tag: EntityTag
    ) throws(StoreError) -> WriteAnswer {
        guard let url = url(key) else { return .lost }
        return try objects.replace(url, bytes, ifMatching: tag)
    }

    package func versions(
        of workspace: WorkspaceName, from floor: Int64
    ) throws(StoreError) -> [ConfigVersion] {
        guard place.claims != nil else { return [] }
        var found: [ConfigVersion] = []
        let first = max(1, floor)
        for number in first..<(first + Int64(Self.farthest)) {
            guard let version = ConfigVersion(number) else { break }
            if try read(.version(workspace, version)) != nil {
                found.append(version)
            } else if number > floor {
                break
            }
        }
        return found
    }

    package func bundles(of workspace: WorkspaceName) throws(StoreError) -> [BundleName] { [] }

    package func workspaces() throws(StoreError) -> [WorkspaceName] { [] }
}

extension StoredObject {
    /// An object without a tag can be read and never replaced.
    init(_ object: RemoteObject) {
        let bytes = object.bytes.flatMap { $0.count > Limits.Reader.envelope ? nil : $0 }
        self.init(bytes: bytes, tag: EntityTag(object.tag?.opaque ?? ""))
    }
}
