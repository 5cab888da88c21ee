internal import Libcrypto
internal import LinuxIO
internal import StrictJSON

/// A torn last line, which a crash in the middle of an append left, and its removal.
///
/// The removal is itself safe against crashes. First the torn bytes are put aside, whole and on the
/// disk, in `<log>.torn`, with the place where they stood. Then they are cut off, a line that says
/// so is appended, and the file aside is removed. The line is made of what was put aside alone, so
/// that whoever finds the work half done, at whatever point, ends it with the same line. What was
/// cut off is kept as `<log>.torn.<first 16 digits of its SHA-256>`.
package struct LogRepair: Sendable, Equatable {
    package static let event = "log.repaired"

    /// Bytes before the torn ones.
    package let offset: Int
    /// How many torn bytes were removed.
    package let count: Int
    /// Unix seconds at which they were put aside.
    package let time: Int64
    /// SHA-256 of the torn bytes, hexadecimal.
    package let digest: String

    init(offset: Int, count: Int, torn: [UInt8], time: Int64) {
        self.offset = offset
        self.count = count
        self.time = time
        digest = SHA256.digest(torn).hex
    }

    /// From the first line of the file aside, or from a line of the log; nil when it is neither.
    init?(_ root: JSONElement) {
        guard root["event"]?.equals(LogRepair.event) ?? false,
            let offset = root["torn_at"]?.integer, let count = root["torn_bytes"]?.integer,
            let time = root["time"]?.integer, let digest = root["torn_sha256"]?.string
        else { return nil }
        self.offset = Int(offset)
        self.count = Int(count)
        self.time = time
        self.digest = digest
    }

    var record: JSONValue {
        .object([
            ("event", .string(LogRepair.event)), ("time", .integer(time)),
            ("torn_at", .integer(Int64(offset))), ("torn_bytes", .integer(Int64(count))),
            ("torn_sha256", .string(digest)), ("format", .integer(1)),
        ])
    }

    /// What stands in the file aside: the record in one line, then the torn bytes.
    func aside(_ torn: [UInt8]) -> [UInt8] {
        record.canonical() + [0x0A] + torn
    }

    static func readAside(_ bytes: [UInt8]) -> LogRepair? {
        guard let end = bytes.firstIndex(of: 0x0A),
            let document = try? JSONDocument.parse([UInt8](bytes[..<end]))
        else { return nil }
        return LogRepair(document.root)
    }
}
