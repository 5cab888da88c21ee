/// The names of temporary files: `.grona-tmp-` and 32 random hexadecimal digits.
///
/// Whoever makes one holds a lock (`flock`) on it until it has its final name or is removed, so
/// one that can be locked belongs to a process that is dead.
enum TemporaryName {
    static let prefix = [UInt8](".grona-tmp-".utf8)

    static func random() -> FilePath {
        FilePath(bytes: prefix + SystemRandom.hexadecimal(16))
    }

    static func matches(_ name: FilePath) -> Bool {
        name.bytes.starts(with: prefix) && name.bytes.count == prefix.count + 32
    }
}
