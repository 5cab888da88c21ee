package import GronaFormats
package import HTTPTransport
import LinuxIO
package import PublishProtocol

/// A part of a bucket as a store; the layout is that of a folder.
package final class S3Store: PublicationStore {
    /// How many names a list has at most: an answer of one MiB holds far more.
    private static let page = 500

    package let place: S3Place
    package let objects: ConditionalObjects
    package var name: String { place.name }
    package var lastReply: StoreReply? { objects.lastReply }
    package var readsConditionally: Bool { true }
    package func hurry(_ isInHurry: Bool) { objects.hurry(isInHurry) }

    package init(_ place: S3Place, objects: ConditionalObjects) {
        self.place = place
        self.objects = objects
    }

    package func url(_ key: StoreKey) -> HTTPURL? { place.url(key.path.description) }

    /// An object of nobody else's, below the scratch workspace, which a probe replaces.
    package func scratch() -> HTTPURL? {
        guard let workspace = StoreKey.probeWorkspace else { return nil }
        let word = String(decoding: SystemRandom.hexadecimal(16), as: UTF8.self)
        let path = StoreKey.folder(of: workspace).appending(word).appending("config")
        return place.url(path.description)
    }

    private func address(_ key: StoreKey) throws(StoreError) -> HTTPURL {
        guard let url = url(key) else { throw .address(name, .prefix) }
        return url
    }

    package func read(_ key: StoreKey) throws(StoreError) -> StoredObject? {
        try objects.read(try address(key)).map(StoredObject.init(_:))
    }

    package func read(
        _ key: StoreKey, unless tag: EntityTag
    ) throws(StoreError) -> ConditionalRead {
        try objects.read(try address(key), unless: tag)
    }

    package func create(_ key: StoreKey, _ bytes: [UInt8]) throws(StoreError) -> WriteAnswer {
        try objects.create(try address(key), bytes)
    }

    package func replace(
        _ key: StoreKey, _ bytes: [UInt8], ifMatching tag: EntityTag
    ) throws(StoreError) -> WriteAnswer {
        try objects.replace(try address(key), bytes, ifMatching: tag)
    }

    // MARK: Lists

    package func versions(
        of workspace: WorkspaceName, from floor: Int64
    ) throws(StoreError) -> [ConfigVersion] {
        let folder = StoreKey.folder(of: workspace).appending(StoreKey.versions).description
        // Names are as long as each other, so their order is that of the numbers.
        let below = ConfigVersion(floor - 1).map { StoreKey.version(workspace, $0) }
        return try names(in: folder, after: below?.path.lastComponent?.description)
            .compactMap { StoreKey.version(fileName: FilePath($0)) }
            .filter { $0.number >= floor }
    }

    package func bundles(of workspace: WorkspaceName) throws(StoreError) -> [BundleName] {
        let folder = StoreKey.folder(of: workspace).appending(StoreKey.bundles).description
        return try names(in: folder).compactMap { StoreKey.bundle(fileName: FilePath($0)) }
    }

    package func workspaces() throws(StoreError) -> [WorkspaceName] {
        try names(in: StoreKey.root.description, areFolders: true)
            .compactMap(WorkspaceName.init(_:))
            .filter { !$0.text.utf8.elementsEqual(StoreKey.probe.utf8) }
    }

    /// The names directly below a folder, in byte order.
    private func names(
        in folder: String, after first: String? = nil, areFolders: Bool = false
    ) throws(StoreError) -> [String] {
        let prefix = place.key(folder) + "/"
        var names: [String] = []
        var after = first.map { prefix + $0 }
        while true {
            var query = [
                ("list-type", "2"), ("max-keys", String(Self.page)), ("prefix", prefix),
            ]
            if areFolders { query.append(("delimiter", "/")) }
            // Not the store's continuation token, which may hold characters that libcurl before
            // 8.19 does not sign rightly; a key of ours holds none.
            if let after { query.append(("start-after", after)) }
            guard let url = place.url(asking: query) else { throw .address(name, .prefix) }
            let page = try page(url)
            let entries = areFolders ? page.prefixes : page.keys
            for entry in entries {
                guard entry.utf8.starts(with: prefix.utf8) else { throw .malformedList }
                var rest = String(decoding: entry.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
                if areFolders, rest.utf8.last == 0x2F { rest.removeLast() }
                if names.last != rest { names.append(rest) }
            }
            guard page.isTruncated else { return names }
            // After a folder comes what stands behind all of its names; `~` is the last byte of ours.
            guard let last = entries.last, after != last + (areFolders ? "~" : "") else {
                throw .malformedList
            }
            after = last + (areFolders ? "~" : "")
        }
    }

    private func page(_ url: HTTPURL) throws(StoreError) -> S3Listing {
        guard let response = try objects.answer(to: objects.access.request(.get, url)) else {
            throw .malformedList
        }
        guard response.status == 200 else {
            throw ConditionalObjects.refusal(response, during: .reading)
        }
        guard let listing = S3Listing(response.body) else { throw .malformedList }
        return listing
    }
}
