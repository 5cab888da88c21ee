internal import Synchronization

/// Where the lines of a document begin; found when first asked for.
final class JSONLines: Sendable {
    /// Offsets of the first byte of each line; empty as long as nobody has asked.
    private let starts = Mutex<[Int]>([])

    /// The place of a byte of the text, which is always the same text.
    func position(of offset: Int, in text: Span<UInt8>) -> JSONPosition {
        let (line, start) = starts.withLock { starts in
            if starts.isEmpty { starts = Self.starts(text) }
            // The last line that begins at or before the offset.
            var low = 0
            var high = starts.count
            while high - low > 1 {
                let middle = (low + high) / 2
                if starts[middle] <= offset { low = middle } else { high = middle }
            }
            return (low + 1, starts[low])
        }
        let end = min(max(offset, start), text.count)
        let before = text.extracting(start..<end)
        var column = 1
        for index in before.indices where before[index] & 0xC0 != 0x80 {
            column += 1
        }
        return JSONPosition(line: line, column: column)
    }

    private static func starts(_ text: Span<UInt8>) -> [Int] {
        var starts = [0]
        for index in text.indices {
            let byte = text[index]
            let isReturn = byte == 0x0D && (index + 1 == text.count || text[index + 1] != 0x0A)
            if byte == 0x0A || isReturn { starts.append(index + 1) }
        }
        return starts
    }
}
