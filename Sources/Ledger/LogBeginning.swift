internal import Libcrypto
internal import StrictJSON

/// Tells the beginning of a log from that of another file.
enum LogBeginning {
    /// - Parameters:
    ///   - bytes: from the file's first byte on, as many as a line may have and one more.
    ///   - isWhole: whether the file has a whole line.
    static func isOurs(_ bytes: [UInt8], isWhole: Bool) -> Bool {
        guard isWhole else { return isTornLine(bytes) }
        guard let end = bytes.firstIndex(of: 0x0A),
            let line = try? LogLine(Array(bytes[..<end]), number: 1)
        else { return false }
        return line.sequence == 1 && line.previous == LogLine.start
    }

    /// Whether bytes may be what a crash left of a first line: its beginning, the line without its
    /// newline, or the zeros of a file that had grown before its bytes were on the disk.
    ///
    /// The members of a line stand in the order of their names, and `format` is one of them: the
    /// first name is not above it, and a line that is whole has it.
    private static func isTornLine(_ bytes: [UInt8]) -> Bool {
        if bytes.allSatisfy({ $0 == 0 }) { return true }
        if let document = try? JSONDocument.parse(bytes) {
            return document.root["format"] != nil && document.root["seq"] != nil
                && document.root["prev"] != nil
        }
        guard bytes.starts(with: #"{""#.utf8.prefix(bytes.count)) else { return false }
        let name = bytes.dropFirst(2).prefix { $0 != 0x22 }
        let isName = name.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x5F }
        let isTorn = name.count + 2 == bytes.count
        let format = Array("format".utf8)
        return isName
            && (isTorn && format.starts(with: name) || !format.lexicographicallyPrecedes(name))
    }
}
