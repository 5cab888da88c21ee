import Foundation
import GronaFormats
import LinuxIO
import PublishProtocol
import Publishing
import TestSupport
import Testing

@Suite struct FileStoreTests {
    private func shop() throws -> (Shop, FileStore) {
        let shop = try Shop()
        return (shop, try shop.store())
    }

    @Test func `Where nothing is, nothing is read`() throws {
        let (shop, store) = try shop()
        #expect(try store.read(.config(shop.workspace)) == nil)
        #expect(try store.versions(of: shop.workspace, from: 0).isEmpty)
        #expect(try store.bundles(of: shop.workspace).isEmpty)
        #expect(try store.workspaces().isEmpty)
    }

    @Test func `An object is created once`() throws {
        let (shop, store) = try shop()
        let key = StoreKey.version(shop.workspace, .first)
        #expect(try store.create(key, [1]) == .done)
        #expect(try store.create(key, [2]) == .lost)
        #expect(try store.create(key, [1]) == .lost)
        #expect(try store.read(key)?.bytes == [1])
    }

    @Test func `A swap needs the tag of the bytes that are there`() throws {
        let (shop, store) = try shop()
        let key = StoreKey.config(shop.workspace)
        #expect(try store.create(key, [1]) == .done)
        let first = try #require(try store.read(key)).tag
        #expect(try store.replace(key, [2], ifMatching: EntityTag("else")) == .lost)
        #expect(try store.replace(key, [2], ifMatching: first) == .done)
        #expect(try store.replace(key, [3], ifMatching: first) == .lost)
        #expect(try store.read(key)?.bytes == [2])
    }

    @Test func `A swap of what is not there is lost`() throws {
        let (shop, store) = try shop()
        let key = StoreKey.config(shop.workspace)
        #expect(try store.replace(key, [2], ifMatching: EntityTag("x")) == .lost)
    }

    @Test func `The same bytes have the same tag, others another`() throws {
        let (shop, store) = try shop()
        let key = StoreKey.config(shop.workspace)
        _ = try store.create(key, [1])
        let one = try #require(try store.read(key)).tag
        _ = try store.replace(key, [2], ifMatching: one)
        let two = try #require(try store.read(key)).tag
        #expect(one != two)
        _ = try store.replace(key, [1], ifMatching: two)
        #expect(try store.read(key)?.tag == one)
    }

    @Test func `What is served can be read by all, and nothing else lies in the tree`() throws {
        let (shop, store) = try shop()
        let publisher = try shop.publisher()
        for version in 1...3 {
            let report = try publisher.push(try shop.envelope(Int64(version)))
            #expect(report.verdict == .published(try #require(report.document?.facts)))
        }
        let root = shop.folder.path("public")
        let paths = try #require(FileManager.default.enumerator(atPath: root)).compactMap {
            $0 as? String
        }
        for path in paths {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(root)/\(path)")
            let isFolder = attributes[.type] as? FileAttributeType == .typeDirectory
            #expect(attributes[.posixPermissions] as? Int == (isFolder ? 0o755 : 0o644), "\(path)")
        }
        #expect(
            Set(paths.filter { $0.hasSuffix(".json") || $0.hasSuffix("config") }) == [
                "v1/mobile/workspaces/acme-market/config",
                "v1/mobile/workspaces/acme-market/versions/0000000000000001.json",
                "v1/mobile/workspaces/acme-market/versions/0000000000000002.json",
                "v1/mobile/workspaces/acme-market/versions/0000000000000003.json",
            ])
        #expect(paths.count == 9)
        #expect(try store.versions(of: shop.workspace, from: 0).map(\.number) == [1, 2, 3])
        #expect(try store.workspaces() == [shop.workspace])
    }

    @Test func `The time of what is served rises by a second at least, however fast it changes`()
        throws
    {
        let (shop, store) = try shop()
        let key = StoreKey.config(shop.workspace)
        _ = try store.create(key, [0])
        let file = "\(shop.folder.path("public"))/v1/mobile/workspaces/acme-market/config"
        func seconds() throws -> Int {
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            let date = try #require(attributes[.modificationDate] as? Date)
            return Int(date.timeIntervalSince1970.rounded(.down))
        }
        var times = [try seconds()]
        for byte in UInt8(1)...3 {
            let tag = try #require(try store.read(key)).tag
            #expect(try store.replace(key, [byte], ifMatching: tag) == .done)
            times.append(try seconds())
        }
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 >= $0 + 1 }, "\(times)")
    }

    @Test func `A lock on the workspace's folder makes a swap wait and then give up`() throws {
        let (shop, _) = try shop()
        let store = try FileStore(
            "file:\(shop.folder.path("public"))", lockNanoseconds: 20_000_000)
        let key = StoreKey.config(shop.workspace)
        _ = try store.create(key, [1])
        let tag = try #require(try store.read(key)).tag
        let folder = try Folder(
            at: FilePath("\(shop.folder.path("public"))/v1/mobile/workspaces/acme-market"))
        do {
            let lock = try folder.lock(.exclusive, waitingNanoseconds: 0)
            let error = #expect(throws: StoreError.self) {
                try store.replace(key, [2], ifMatching: tag)
            }
            guard case .file(.locked(_, let holder), during: .writing)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(holder == UserIdentity.processID)
            withExtendedLifetime(lock) {}
        }
        #expect(try store.replace(key, [2], ifMatching: tag) == .done)
    }

    @Test(arguments: ["v1", "v1/mobile/workspaces", "v1/mobile/workspaces/acme-market"])
    func `A link in the tree is never followed`(_ linked: String) throws {
        let (shop, store) = try shop()
        let key = StoreKey.config(shop.workspace)
        _ = try store.create(key, [1])
        let root = shop.folder.path("public")
        let aside = shop.folder.path("aside")
        try FileManager.default.moveItem(atPath: "\(root)/\(linked)", toPath: aside)
        try FileManager.default.createSymbolicLink(
            atPath: "\(root)/\(linked)", withDestinationPath: aside)
        for error in [
            #expect(throws: StoreError.self) { try store.read(key) },
            #expect(throws: StoreError.self) {
                try store.create(.version(shop.workspace, .first), [1])
            },
            #expect(throws: StoreError.self) {
                try store.replace(key, [2], ifMatching: EntityTag("x"))
            },
        ] {
            guard case .file(.isLink, _)? = error else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
    }

    @Test func `A config that is a link is not followed either`() throws {
        let (shop, store) = try shop()
        let key = StoreKey.config(shop.workspace)
        _ = try store.create(key, [1])
        let file = "\(shop.folder.path("public"))/v1/mobile/workspaces/acme-market/config"
        try FileManager.default.removeItem(atPath: file)
        try shop.folder.write("secret", [7])
        try FileManager.default.createSymbolicLink(
            atPath: file, withDestinationPath: shop.folder.path("secret"))
        let object = try #require(try store.read(key))
        #expect(object.bytes == nil && !object.isFile)
        #expect(try store.create(key, [1]) == .lost)
        #expect(throws: StoreError.self) {
            try store.replace(key, [1], ifMatching: object.tag)
        }
        #expect(try shop.folder.read("secret") == [7])
    }

    @Test func `Something too large is there and can be replaced, and is never parsed`() throws {
        let (shop, store) = try shop()
        let key = StoreKey.config(shop.workspace)
        _ = try store.create(
            key, [UInt8](repeating: 0x20, count: Limits.Reader.envelope + 1))
        let object = try #require(try store.read(key))
        #expect(object.bytes == nil)
        #expect(try store.replace(key, [1], ifMatching: object.tag) == .done)
        #expect(try store.read(key)?.bytes == [1])
    }

    @Test func `A folder that a dead publisher left closed is opened to others again`() throws {
        let (shop, store) = try shop()
        let folder = "\(shop.folder.path("public"))/v1"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        _ = try store.create(.config(shop.workspace), [1])
        let attributes = try FileManager.default.attributesOfItem(atPath: folder)
        #expect(attributes[.posixPermissions] as? Int == 0o755)
    }

    @Test(arguments: ["https://example.com", "public", "s3://bucket", "file:"])
    func `Another address than a folder's is unknown`(_ address: String) {
        #expect(throws: StoreError.unknownKind(address)) { try FileStore(address) }
    }

    @Test func `A store is called by its folder without links, however it is written`() throws {
        let (shop, store) = try shop()
        let root = shop.folder.path("public")
        let other = try FileStore("file://\(root)/../public/.")
        #expect(other.name == store.name)
        #expect(throws: StoreError.self) { try FileStore("file:\(root)/missing") }
    }
}

@Suite struct StoreKeyTests {
    @Test func `Names are those of the layout`() throws {
        let workspace = try #require(WorkspaceName("acme-market"))
        let version = try #require(ConfigVersion(42))
        let bundle = BundleName(version: version, digestPrefix: "0123456789abcdef")
        let folder = "v1/mobile/workspaces/acme-market"
        #expect(StoreKey.config(workspace).path == FilePath("\(folder)/config"))
        #expect(
            StoreKey.version(workspace, version).path
                == FilePath("\(folder)/versions/0000000000000042.json"))
        #expect(
            StoreKey.bundle(workspace, bundle).path
                == FilePath("\(folder)/bundles/0000000000000042-0123456789abcdef.json"))
    }

    @Test(arguments: [
        ("0000000000000042-0123456789abcdef", true), ("0000000000000000-0123456789abcdef", false),
        ("0000000000000042-0123456789abcdeF", false), ("42-0123456789abcdef", false),
        ("0000000000000042_0123456789abcdef", false), ("0000000000000042-0123456789abcde", false),
        ("", false),
    ])
    func `A bundle's name is read as it is written`(_ text: String, _ isName: Bool) {
        #expect((BundleName(Array(text.utf8))?.text == text) == isName)
    }
}
