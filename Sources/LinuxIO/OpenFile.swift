import CLinux
internal import Glibc

/// Owner of an open file descriptor; closes it at the end of its life.
///
/// Descriptors are never inherited by a child process and never become a controlling terminal.
package struct OpenFile: ~Copyable, Sendable {
    /// The descriptor; -1 once closed.
    package private(set) var descriptor: Int32
    package let path: FilePath

    /// How a file is opened: reading unless `write` or `append` is there.
    package struct Options: OptionSet, Sendable {
        package let rawValue: Int32

        package init(rawValue: Int32) {
            self.rawValue = rawValue
        }

        package static let write = Options(rawValue: O_WRONLY)
        package static let readAndWrite = Options(rawValue: O_RDWR)
        package static let append = Options(rawValue: O_APPEND)
        package static let create = Options(rawValue: O_CREAT)
        package static let exclusive = Options(rawValue: O_EXCL)
        package static let truncate = Options(rawValue: O_TRUNC)
        /// Refuses a link in the last step; links before it are followed.
        package static let noFollow = Options(rawValue: O_NOFOLLOW)
        package static let folder = Options(rawValue: O_DIRECTORY)
        package static let nonBlocking = Options(rawValue: O_NONBLOCK)
    }

    /// Takes over a descriptor that is open already.
    package init(owning descriptor: Int32, path: FilePath) {
        self.descriptor = descriptor
        self.path = path
    }

    /// Opens `path`, relative to the current folder; `permissions` only matter with `create`, and
    /// the umask takes its share.
    package init(
        _ path: FilePath, _ options: Options, permissions: UInt32 = 0o600
    ) throws(SystemError) {
        try self.init(path, options, permissions: permissions, below: AT_FDCWD)
    }

    init(
        _ path: FilePath, _ options: Options, permissions: UInt32 = 0o600, below folder: Int32,
        reportedAs reported: FilePath? = nil
    ) throws(SystemError) {
        let name = try path.cString("openat")
        while true {
            let descriptor = unsafe grona_openat(folder, name, options.rawValue, permissions)
            if descriptor >= 0 {
                self.init(owning: descriptor, path: reported ?? path)
                return
            }
            guard ErrorNumber.last == .interrupted else {
                throw SystemError.last("openat", reported ?? path)
            }
        }
    }

    deinit {
        if descriptor >= 0 { _ = Glibc.close(descriptor) }
    }

    /// Closes the descriptor and says whether that failed; some file systems report a lost write
    /// only here.
    package mutating func close() throws(SystemError) {
        guard descriptor >= 0 else { return }
        let closing = descriptor
        descriptor = -1
        // After EINTR the descriptor is closed on Linux; a second close could hit another file.
        guard Glibc.close(closing) == 0 || ErrorNumber.last == .interrupted else {
            throw SystemError.last("close", path)
        }
    }

    package borrowing func status() throws(SystemError) -> FileStatus {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw SystemError.last("fstat", path)
        }
        return FileStatus(status)
    }

    /// Reads up to `buffer.count` bytes; 0 at the end of the file.
    package borrowing func read(into buffer: inout MutableSpan<UInt8>) throws(SystemError) -> Int {
        try unsafe buffer.withUnsafeMutableBytes { bytes throws(SystemError) in
            try unsafe read(into: bytes)
        }
    }

    /// Reads into `bytes` from index `start` on, as much as comes; 0 at the end of the file.
    borrowing func read(into bytes: inout [UInt8], from start: Int) throws(SystemError) -> Int {
        var span = bytes.mutableSpan
        return try unsafe span.withUnsafeMutableBytes { bytes throws(SystemError) in
            try unsafe read(into: UnsafeMutableRawBufferPointer(rebasing: bytes[start...]))
        }
    }

    @unsafe private borrowing func read(
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(SystemError) -> Int {
        while true {
            let count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            switch ErrorNumber.last {
            case .interrupted: continue
            case .wouldBlock: _ = Poll.wait(descriptor, for: .input, until: nil)
            default: throw SystemError.last("read", path)
            }
        }
    }

    /// Reads `count` bytes from `offset` on, fewer only where the file ends before.
    package borrowing func read(count: Int, at offset: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = unsafe bytes.withUnsafeMutableBytes { bytes in
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[filled...])
                return unsafe pread(descriptor, rest.baseAddress, rest.count, offset + filled)
            }
            if got == 0 { break }
            if got > 0 {
                filled += got
            } else if ErrorNumber.last != .interrupted {
                throw SystemError.last("pread", path)
            }
        }
        bytes.removeSubrange(filled...)
        return bytes
    }

    /// Reads up to `buffer.count` bytes from `offset` bytes after the start of the file.
    package borrowing func read(
        into buffer: inout MutableSpan<UInt8>, at offset: Int
    ) throws(SystemError) -> Int {
        let descriptor = descriptor
        while true {
            let count = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe pread(descriptor, bytes.baseAddress, bytes.count, offset)
            }
            if count >= 0 { return count }
            guard ErrorNumber.last == .interrupted else { throw SystemError.last("pread", path) }
        }
    }

    /// Reads from where the descriptor stands to the end; throws `tooLarge` when there are more
    /// than `limit` bytes, after reading at most one byte too many.
    package borrowing func readToEnd(limit: Int, expecting: Int = 0) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: min(limit, max(expecting, 0xFFF)) + 1)
        var filled = 0
        while true {
            if filled == bytes.count {
                guard filled <= limit else { throw .tooLarge(path, limit: limit) }
                bytes += [UInt8](repeating: 0, count: min(limit + 1, filled * 2) - filled)
            }
            let count: Int
            do { count = try read(into: &bytes, from: filled) } catch { throw .system(error) }
            if count == 0 { break }
            filled += count
        }
        guard filled <= limit else { throw .tooLarge(path, limit: limit) }
        bytes.removeSubrange(filled...)
        return bytes
    }

    /// Writes all of `bytes` where the descriptor stands.
    package borrowing func writeAll(_ bytes: Span<UInt8>) throws(SystemError) {
        var written = 0
        let descriptor = descriptor
        while written < bytes.count {
            let rest = bytes.extracting(written...)
            let count = unsafe rest.withUnsafeBytes { bytes in
                unsafe Glibc.write(descriptor, bytes.baseAddress, bytes.count)
            }
            if count >= 0 {
                written += count
                continue
            }
            switch ErrorNumber.last {
            case .interrupted: continue
            case .wouldBlock: _ = Poll.wait(descriptor, for: .output, until: nil)
            default: throw SystemError.last("write", path)
            }
        }
    }

    package borrowing func writeAll(_ bytes: [UInt8]) throws(SystemError) {
        try writeAll(bytes.span)
    }

    /// Writes all of `bytes` from `offset` bytes after the start of the file on.
    package borrowing func writeAll(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let rest = bytes[written...]
            let count = unsafe rest.withUnsafeBytes { rest in
                unsafe pwrite(descriptor, rest.baseAddress, rest.count, offset + written)
            }
            if count >= 0 {
                written += count
            } else if ErrorNumber.last != .interrupted {
                throw SystemError.last("pwrite", path)
            }
        }
    }

    /// Waits until contents and size are on the disk (`fsync`).
    package borrowing func synchronize() throws(SystemError) {
        while fsync(descriptor) != 0 {
            guard ErrorNumber.last == .interrupted else { throw SystemError.last("fsync", path) }
        }
    }

    /// Sets the permission bits, whatever the umask is.
    package borrowing func setPermissions(_ permissions: UInt32) throws(SystemError) {
        guard fchmod(descriptor, permissions) == 0 else { throw SystemError.last("fchmod", path) }
    }

    /// Cuts or extends the file to `size` bytes.
    package borrowing func truncate(to size: Int) throws(SystemError) {
        while ftruncate(descriptor, size) != 0 {
            guard ErrorNumber.last == .interrupted else {
                throw SystemError.last("ftruncate", path)
            }
        }
    }

    /// Sets the time of the last change of the contents; the time of the last access stays.
    package borrowing func setModified(_ time: FileTime) throws(SystemError) {
        guard grona_set_modified(descriptor, time.seconds, time.nanoseconds) == 0 else {
            throw SystemError.last("utimensat", path)
        }
    }
}
