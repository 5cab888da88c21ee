/// A place in a text as an editor shows it.
///
/// Lines end with LF, CRLF or CR. Both numbers begin at 1; columns count Unicode scalar values, so
/// a tab and a combining mark are one column each.
package struct JSONPosition: Sendable, Hashable {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// The place of a byte, which may be one past the last.
    package init(offset: Int, in text: Span<UInt8>) {
        line = 1
        column = 1
        for index in 0..<min(max(offset, 0), text.count) {
            let byte = text[index]
            if byte == 0x0A || (byte == 0x0D && !Self.isLineFeed(text, index + 1)) {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
        }
    }

    private static func isLineFeed(_ text: Span<UInt8>, _ index: Int) -> Bool {
        index < text.count && text[index] == 0x0A
    }
}
