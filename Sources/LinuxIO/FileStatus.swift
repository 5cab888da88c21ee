internal import Glibc

/// What kind of thing a path names.
package enum FileKind: Sendable, Equatable {
    case regular, folder, link, pipe, socket, characterDevice, blockDevice, unknown

    init(mode: UInt32) {
        self =
            switch mode & UInt32(S_IFMT) {
            case UInt32(S_IFREG): .regular
            case UInt32(S_IFDIR): .folder
            case UInt32(S_IFLNK): .link
            case UInt32(S_IFIFO): .pipe
            case UInt32(S_IFSOCK): .socket
            case UInt32(S_IFCHR): .characterDevice
            case UInt32(S_IFBLK): .blockDevice
            default: .unknown
            }
    }
}

/// The facts of an inode.
package struct FileStatus: Sendable, Equatable {
    package let kind: FileKind
    /// The twelve permission bits (`07777`).
    package let permissions: UInt32
    package let owner: UInt32
    package let group: UInt32
    /// In bytes; for what is not a regular file, whatever the kernel says.
    package let size: Int
    package let modified: FileTime
    /// When contents or facts of the inode changed last.
    package let changed: FileTime
    package let device: UInt64
    package let inode: UInt64
    package let linkCount: UInt64

    init(_ status: stat) {
        kind = FileKind(mode: status.st_mode)
        permissions = status.st_mode & 0o7777
        owner = status.st_uid
        group = status.st_gid
        size = Int(status.st_size)
        modified = FileTime(
            seconds: Int64(status.st_mtim.tv_sec), nanoseconds: Int64(status.st_mtim.tv_nsec))
        changed = FileTime(
            seconds: Int64(status.st_ctim.tv_sec), nanoseconds: Int64(status.st_ctim.tv_nsec))
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        linkCount = UInt64(status.st_nlink)
    }

    /// Whether both describe one inode.
    package func isSameFile(as other: FileStatus) -> Bool {
        device == other.device && inode == other.inode
    }
}

/// A file time: seconds since 1970 and nanoseconds from 0 to 999,999,999.
package struct FileTime: Sendable, Hashable, Comparable {
    package let seconds: Int64
    package let nanoseconds: Int64

    package init(seconds: Int64, nanoseconds: Int64 = 0) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    package static func < (left: FileTime, right: FileTime) -> Bool {
        (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
    }
}
