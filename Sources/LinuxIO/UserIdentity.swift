internal import Glibc

/// Who runs this process.
///
/// The name comes from `/etc/passwd` read as a file: no name service module is loaded and no
/// socket is opened, so a user known only to a directory service has no name here.
package struct UserIdentity: Sendable, Equatable {
    /// The effective user id.
    package let userID: UInt32
    /// The effective group id.
    package let groupID: UInt32
    /// The login name; nil where `/etc/passwd` does not have it.
    package let name: String?
    /// The home folder of `/etc/passwd`.
    package let home: FilePath?

    package static func current() -> UserIdentity {
        let passwords = (try? readFile("/etc/passwd", limit: 16 << 20)) ?? []
        return UserIdentity(userID: geteuid(), groupID: getegid(), passwords: passwords)
    }

    init(userID: UInt32, groupID: UInt32, passwords: [UInt8]) {
        self.userID = userID
        self.groupID = groupID
        let wanted = [UInt8](String(userID).utf8)
        for line in passwords.split(separator: .newline) {
            let fields = line.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
            guard fields.count == 7, fields[2].elementsEqual(wanted) else { continue }
            name = String(validating: fields[0], as: UTF8.self)
            home = fields[5].isEmpty ? nil : FilePath(bytes: fields[5])
            return
        }
        name = nil
        home = nil
    }

    /// The effective user id of this process.
    package static var currentUserID: UInt32 { geteuid() }

    /// The process id of this process.
    package static var processID: Int32 { getpid() }
}
