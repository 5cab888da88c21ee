package import GronaFormats
package import Libcrypto
package import LinuxIO
import StrictJSON

/// Who was given which grant: one file a process, one line a grant, on the disk before the token is
/// given out.
package struct IssuanceLog: ~Copyable {
    /// The file's name below the folder.
    package let name: String
    package private(set) var count: Int64 = 0
    private let file: OpenFile
    private var hasher = SHA256Hasher()

    private static let attempts = 16

    /// Makes a new file `<start>-<process>.ndjson`, 0600, in a folder that is there.
    ///
    /// - Parameter start: Unix seconds; the next free second where the name is taken, as it may be
    ///   where process numbers are small.
    package init(
        in folder: FilePath, start: UnixTime, process: Int32
    ) throws(FileError) {
        for offset in 0..<Int64(Self.attempts) {
            let name = "\(start.seconds + offset)-\(process).ndjson"
            do throws(SystemError) {
                let file = try OpenFile(
                    folder.appending(name), [.write, .append, .create, .exclusive, .noFollow],
                    permissions: 0o600)
                try file.setPermissions(0o600)
                try OpenFile(folder, [.folder]).synchronize()
                self.file = file
                self.name = name
                return
            } catch {
                guard error.number == .exists else { throw .system(error) }
            }
        }
        throw .exists(folder.appending("\(start.seconds)-\(process).ndjson"))
    }

    /// Adds a grant; on the disk when this returns.
    package mutating func append(_ claims: GrantClaims, kid: KeyID) throws(FileError) {
        var members: [(String, JSONValue)] = [
            ("format", .integer(1)), ("kid", .string(kid.text)),
        ]
        if case .object(let own) = claims.json { members += own.filter { $0.0 != "prv" } }
        let line = JSONValue.object(members).canonical() + [0x0A]
        do throws(SystemError) {
            try file.writeAll(line)
            try file.synchronize()
        } catch {
            throw .system(error)
        }
        hasher.update(line)
        count += 1
    }

    /// SHA-256 of the whole file; the log is not added to afterwards.
    package consuming func finish() -> SHA256Digest {
        var hasher = hasher
        return hasher.finish()
    }
}
