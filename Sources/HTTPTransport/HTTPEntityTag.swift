/// An entity tag as a server gave it (RFC 9110 8.8.3).
package struct HTTPEntityTag: Hashable, Sendable {
    /// A weak tag never satisfies `If-Match` (RFC 9110 13.1.1).
    package let isWeak: Bool
    /// What stands between the quotation marks.
    package let opaque: String

    package init(opaque: String, isWeak: Bool = false) {
        self.opaque = opaque
        self.isWeak = isWeak
    }

    /// `"…"` or `W/"…"` of visible ASCII, at most 256 bytes; nil for anything else.
    package init?(parsing text: String) {
        var bytes = Array(text.utf8)[...]
        isWeak = bytes.starts(with: "W/".utf8)
        if isWeak { bytes = bytes.dropFirst(2) }
        guard (2...256).contains(bytes.count), bytes.first == 0x22, bytes.last == 0x22 else {
            return nil
        }
        let inner = bytes.dropFirst().dropLast()
        guard inner.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x22 }) else { return nil }
        opaque = String(decoding: inner, as: UTF8.self)
    }

    /// For `If-Match`, with its quotation marks; never with `W/`.
    package var quoted: String { "\"\(opaque)\"" }

    /// As it was given, for `If-None-Match` on a read, where weak tags may be compared.
    package var text: String { (isWeak ? "W/" : "") + quoted }
}
