package import GronaFormats
package import LinuxIO

/// The name of an object in a store; the layout is the same in each.
///
/// ```
/// v1/mobile/workspaces/<workspace>/config
/// v1/mobile/workspaces/<workspace>/versions/<version, 16 digits>.json
/// v1/mobile/workspaces/<workspace>/bundles/<version, 16 digits>-<16 hex digits of SHA-256>.json
/// ```
package enum StoreKey: Hashable, Sendable {
    /// What the config URL serves.
    case config(WorkspaceName)
    /// A claimed version; never changed.
    case version(WorkspaceName, ConfigVersion)
    /// A released bundle, told apart by the digest of its payload; never changed.
    case bundle(WorkspaceName, BundleName)

    /// The folder below which all workspaces stand.
    static let root: FilePath = "v1/mobile/workspaces"
    /// The scratch workspace in which a store is probed; never published.
    static let probe = "grona-probe"
    static var probeWorkspace: WorkspaceName? { WorkspaceName(probe) }
    static let versions: FilePath = "versions"
    static let bundles: FilePath = "bundles"
    private static let suffix = Array(".json".utf8)

    package var workspace: WorkspaceName {
        switch self {
        case .config(let workspace), .version(let workspace, _), .bundle(let workspace, _):
            workspace
        }
    }

    static func folder(of workspace: WorkspaceName) -> FilePath {
        root.appending(workspace.text)
    }

    /// The path below the root of the store.
    package var path: FilePath {
        let folder = Self.folder(of: workspace)
        return switch self {
        case .config: folder.appending("config")
        case .version(_, let version):
            folder.appending(Self.versions).appending(version.sixteenDigits + ".json")
        case .bundle(_, let name): folder.appending(Self.bundles).appending(name.text + ".json")
        }
    }

    /// The version of a file in `versions/`; nil for a name that is none of ours.
    static func version(fileName: FilePath) -> ConfigVersion? {
        guard fileName.bytes.count == 21, fileName.bytes.suffix(5).elementsEqual(suffix) else {
            return nil
        }
        return ConfigVersion(sixteenDigits: fileName.bytes.prefix(16))
    }

    /// The name of a file in `bundles/`; nil for a name that is none of ours.
    static func bundle(fileName: FilePath) -> BundleName? {
        guard fileName.bytes.suffix(5).elementsEqual(suffix) else { return nil }
        return BundleName(fileName.bytes.dropLast(5))
    }
}

/// What a bundle is called: its version and the first 16 digits of its payload's SHA-256.
package struct BundleName: Hashable, Sendable, Comparable {
    package let version: ConfigVersion
    package let digestPrefix: String

    package init(version: ConfigVersion, digestPrefix: String) {
        self.version = version
        self.digestPrefix = digestPrefix
    }

    /// Reads what `text` writes; nil for anything else.
    package init?(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == 33, bytes[16] == UInt8(ascii: "-"),
            let version = ConfigVersion(sixteenDigits: bytes[..<16]),
            bytes[17...].allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) })
        else { return nil }
        self.version = version
        digestPrefix = String(decoding: bytes[17...], as: UTF8.self)
    }

    package var text: String { version.sixteenDigits + "-" + digestPrefix }

    package static func < (left: BundleName, right: BundleName) -> Bool {
        left.version == right.version
            ? left.digestPrefix.utf8.lexicographicallyPrecedes(right.digestPrefix.utf8)
            : left.version < right.version
    }
}
