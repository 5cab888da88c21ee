import Ledger
import Libcrypto
import LinuxIO

/// How far a ledger had come when this host wrote to it last, in `<ledger>.mark` beside it: a chain
/// shows what was changed in it, but an end that was cut off shows only against this.
///
/// One line: the number of lines in 16 digits, the SHA-256 of the last one in 64 hexadecimal digits,
/// and 16 of the SHA-256 of both, by which a half-written mark is told from a whole one; a space
/// between each. It is written when the ledger is on the disk already, and does not wait for the
/// disk itself: after a power failure an older mark stands there, or none.
struct LedgerMark: Equatable {
    private static let size = 16 + 1 + 64 + 1 + 16 + 1

    let tip: LogTip

    private static func path(_ ledger: FilePath) -> FilePath {
        FilePath(bytes: ledger.bytes + Array(".mark".utf8))
    }

    private var text: [UInt8] {
        let digits = String(tip.lines)
        let start =
            String(repeating: "0", count: max(0, 16 - digits.utf8.count)) + digits
            + " \(tip.head.hex)"
        return Array("\(start) \(SHA256.digest(Array(start.utf8)).hex.prefix(16))\n".utf8)
    }

    /// Puts it in place of any other one, which is kept as `<ledger>.mark.before`; where the ledger
    /// has no line there is no mark.
    func replace(beside ledger: FilePath) throws(FileError) {
        let path = Self.path(ledger)
        if let old = try? readFile(path, limit: 4_096, links: .refuse) {
            let before = FilePath(bytes: path.bytes + Array(".before".utf8))
            try OutputFile(at: before, replacing: true, permissions: 0o600).commit(old)
        }
        do throws(SystemError) { _ = try FileSystem.removeFile(path) } catch {
            throw .system(error)
        }
        if tip.lines > 0 { write(beside: ledger) }
    }

    /// Nil where there is none, or none that is whole.
    static func read(beside ledger: FilePath) -> LedgerMark? {
        guard let file = try? OpenFile(path(ledger), [.noFollow, .nonBlocking]),
            let bytes = try? file.read(count: size + 1, at: 0), bytes.count == size,
            bytes[..<16].allSatisfy({ (0x30...0x39).contains($0) }),
            let head = SHA256Digest(hex: String(decoding: bytes[17..<81], as: UTF8.self))
        else { return nil }
        let lines = bytes[..<16].reduce(0) { $0 * 10 + Int($1 - 0x30) }
        let mark = LedgerMark(tip: LogTip(head: head, lines: lines))
        return mark.text == bytes ? mark : nil
    }

    /// Writes it in place of a lower one. Where it cannot be written the last one stays, which is
    /// true as well and tells less.
    func write(beside ledger: FilePath) {
        if let there = Self.read(beside: ledger), there.tip.lines >= tip.lines { return }
        let options: OpenFile.Options = [.readAndWrite, .create, .noFollow, .nonBlocking]
        guard let file = try? OpenFile(Self.path(ledger), options, permissions: 0o600),
            (try? file.status().kind) == .regular
        else { return }
        try? file.writeAll(text, at: 0)
    }
}
