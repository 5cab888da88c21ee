/// A path as Linux has it: bytes without a meaning beyond `/`, not necessarily UTF-8.
///
/// Nothing is normalised: `a//b` and `a/b` are different values that name the same file. A path
/// with a zero byte can be held but not used; every call refuses it with `EINVAL`.
package struct FilePath: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    package let bytes: [UInt8]

    package init(_ string: String) {
        bytes = [UInt8](string.utf8)
    }

    package init(bytes: some Sequence<UInt8>) {
        self.bytes = [UInt8](bytes)
    }

    package init(stringLiteral value: String) {
        self.init(value)
    }

    /// The path as text; bytes that are not UTF-8 are shown as U+FFFD.
    package var description: String {
        String(decoding: bytes, as: UTF8.self)
    }

    package var isEmpty: Bool { bytes.isEmpty }

    package var isAbsolute: Bool { bytes.first == .slash }

    /// This path with `other` below it; an absolute `other` stands for itself.
    package func appending(_ other: FilePath) -> FilePath {
        if other.isAbsolute || bytes.isEmpty { return other }
        if other.isEmpty { return self }
        return FilePath(
            bytes: bytes.last == .slash ? bytes + other.bytes : bytes + [.slash] + other.bytes)
    }

    package func appending(_ name: String) -> FilePath {
        appending(FilePath(name))
    }

    /// The bytes between the slashes, empty ones and `.` left out; `..` is kept.
    package var components: [FilePath] {
        bytes.split(separator: .slash).filter { !$0.elementsEqual([.dot]) }.map {
            FilePath(bytes: $0)
        }
    }

    /// The part after the last slash, trailing slashes ignored; nil for `/` and the empty path.
    package var lastComponent: FilePath? {
        bytes.split(separator: .slash).last.map { FilePath(bytes: $0) }
    }

    /// The folder in which the last component stands, by the letters alone: `.` for a bare name,
    /// `/` for what stands in the root.
    package var parent: FilePath {
        var end = bytes.count
        while end > 0, bytes[end - 1] == .slash { end -= 1 }
        while end > 0, bytes[end - 1] != .slash { end -= 1 }
        if end == 0 { return isAbsolute ? "/" : "." }
        while end > 1, bytes[end - 1] == .slash { end -= 1 }
        return FilePath(bytes: bytes[..<end])
    }

    /// What is left of this path below `folder`, by the letters alone; nil when it is not below it.
    package func relative(to folder: FilePath) -> FilePath? {
        let inner = components
        let outer = folder.components
        guard isAbsolute == folder.isAbsolute, inner.count > outer.count,
            Array(inner[..<outer.count]) == outer
        else { return nil }
        return FilePath(bytes: inner[outer.count...].map(\.bytes).joined(separator: [.slash]))
    }

    /// Whether this is one name in a folder: not empty, no slash, no zero byte, not `.` or `..`.
    package var isName: Bool {
        !bytes.isEmpty && !bytes.contains(.slash) && !bytes.contains(0)
            && bytes != [.dot] && bytes != [.dot, .dot]
    }

    /// The text as `char *`, for a call that `operation` names.
    func cString(_ operation: String) throws(SystemError) -> [CChar] {
        guard !bytes.contains(0) else {
            throw SystemError(operation, self, .invalidArgument)
        }
        return bytes.map { CChar(bitPattern: $0) } + [0]
    }
}

extension UInt8 {
    static var slash: UInt8 { 0x2F }
    static var dot: UInt8 { 0x2E }
    static var newline: UInt8 { 0x0A }
}
