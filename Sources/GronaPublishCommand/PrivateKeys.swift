import GronaFormats
import LinuxIO
import ProjectFiles

/// Whether this process could open the private half of a key; it never reads one.
enum PrivateKeys {
    private static let scheme = "file:"

    /// The key files of a keyring that open for this process.
    static func readable(_ file: KeyringFile) -> [FilePath] {
        file.keyring.keys.compactMap { key in
            guard key.signer.utf8.starts(with: scheme.utf8) else { return nil }
            let name = FilePath(String(key.signer.dropFirst(scheme.count)))
            guard !name.isEmpty, !name.isAbsolute else { return nil }
            let path = file.folder.appending(name)
            return opens(path) ? path : nil
        }
    }

    private static func opens(_ path: FilePath) -> Bool {
        guard let file = try? OpenFile(path, [.nonBlocking]), let status = try? file.status()
        else { return false }
        return status.kind == .regular
    }
}
