/// Addresses as they may be shown to people.
package enum AddressText {
    /// The same text without what stands before an `@` in an authority: it may be a password
    /// (RFC 3986 3.2.1, 7.5).
    package static func redacted(_ text: String) -> String {
        let bytes = Array(text.utf8)
        var shown: [UInt8] = []
        var index = 0
        while index < bytes.count {
            guard let slashes = slashes(bytes[index...]) else {
                shown.append(bytes[index])
                index += 1
                continue
            }
            let start = index + slashes
            let end = bytes[start...].firstIndex { "/?#&".utf8.contains($0) } ?? bytes.count
            shown += bytes[index..<start]
            // A password may hold a character that ends an authority.
            let sign = bytes[start..<end].lastIndex(of: 0x40) ?? password(bytes[start...])
            if let sign {
                shown += Array("…@".utf8)
                index = sign + 1
            } else {
                index = start
            }
        }
        return String(decoding: shown, as: UTF8.self)
    }

    /// How many bytes two slashes take at the start, encoded or not; nil where there are none.
    private static func slashes(_ bytes: ArraySlice<UInt8>) -> Int? {
        var rest = bytes
        for _ in 0..<2 {
            if rest.first == 0x2F {
                rest = rest.dropFirst()
            } else if rest.prefix(3).map({ $0 | 0x20 }).elementsEqual("%2f".utf8) {
                rest = rest.dropFirst(3)
            } else {
                return nil
            }
        }
        return rest.startIndex - bytes.startIndex
    }

    /// The last `@` after something like `user:` that no digit follows as in a port.
    private static func password(_ rest: ArraySlice<UInt8>) -> Int? {
        guard let colon = rest.firstIndex(where: { ":/?#&".utf8.contains($0) }),
            rest[colon] == 0x3A, let sign = rest.lastIndex(of: 0x40),
            !rest[(colon + 1)...].prefix(while: { !"/?#&".utf8.contains($0) })
                .allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return sign
    }
}
