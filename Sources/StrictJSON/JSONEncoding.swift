/// The encoding of a text, as far as its first bytes tell.
enum JSONEncoding {
    /// Refuses marks, UTF-16 and UTF-32 (RFC 8259 8.1), and what is too long for the nodes.
    static func check(_ text: Span<UInt8>) throws(JSONFault) {
        guard text.count <= JSONNode.maximumLength else {
            throw JSONFault(.tooLong(limit: JSONNode.maximumLength), JSONNode.maximumLength)
        }
        guard text.count >= 2 else { return }
        switch (text[0], text[1]) {
        case (0xFE, 0xFF), (0xFF, 0xFE), (0, _), (_, 0):
            throw JSONFault(.notUTF8Encoding, 0)
        case (0xEF, 0xBB) where text.count >= 3 && text[2] == 0xBF:
            throw JSONFault(.byteOrderMark, 0)
        default: break
        }
    }
}
