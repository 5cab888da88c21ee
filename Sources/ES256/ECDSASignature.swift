/// The two forms of an ECDSA signature on P-256, and the one place that turns one into the other.
///
/// JOSE has R then S, 32 bytes each with leading zeros kept (RFC 7518, 3.4); libcrypto has
/// `ECDSA-Sig-Value`, a SEQUENCE of two INTEGERs (RFC 3279, 2.2.3).
package enum ECDSASignature {
    package static let rawByteCount = 64

    /// - Returns: 64 bytes, or `nil` where the text is not the one DER encoding of two integers of
    ///   at most 256 bits: another length form, superfluous zeros, a negative number, bytes after
    ///   the end. Zero passes: that it is out of range is for verification to say.
    package static func rawFromDER(_ der: Span<UInt8>) -> [UInt8]? {
        // The longest is 2 + 2 × (2 + 33) bytes, so every length is a single byte below 128.
        guard der.count >= 2, der[0] == 0x30, der[1] < 0x80, Int(der[1]) == der.count - 2
        else { return nil }
        var raw = [UInt8](repeating: 0, count: rawByteCount)
        var position = 2
        for half in 0..<2 {
            guard position + 2 <= der.count, der[position] == 0x02 else { return nil }
            let count = Int(der[position + 1])
            position += 2
            guard count >= 1, count <= 33, position + count <= der.count else { return nil }
            let leading = der[position]
            guard leading < 0x80 else { return nil }
            if count > 1, leading == 0 {
                // A zero in front is there only to keep the number positive.
                guard der[position + 1] >= 0x80 else { return nil }
            } else if count == 33 {
                return nil
            }
            let start = count == 33 ? position + 1 : position
            let end = position + count
            let target = 32 * half + 32 - (end - start)
            for offset in 0..<(end - start) { raw[target + offset] = der[start + offset] }
            position = end
        }
        return position == der.count ? raw : nil
    }

    package static func rawFromDER(_ der: [UInt8]) -> [UInt8]? {
        rawFromDER(der.span)
    }

    /// - Returns: the DER encoding, or `nil` unless there are exactly 64 bytes.
    package static func derFromRaw(_ raw: Span<UInt8>) -> [UInt8]? {
        guard raw.count == rawByteCount else { return nil }
        var der: [UInt8] = [0x30, 0]
        der.reserveCapacity(72)
        for half in 0..<2 {
            var start = 32 * half
            let end = start + 32
            while start < end - 1, raw[start] == 0 { start += 1 }
            let padding = raw[start] >= 0x80
            der.append(0x02)
            der.append(UInt8(end - start + (padding ? 1 : 0)))
            if padding { der.append(0) }
            for index in start..<end { der.append(raw[index]) }
        }
        der[1] = UInt8(der.count - 2)
        return der
    }

    package static func derFromRaw(_ raw: [UInt8]) -> [UInt8]? {
        derFromRaw(raw.span)
    }
}
