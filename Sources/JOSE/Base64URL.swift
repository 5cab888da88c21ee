/// base64url without padding, one text for each value (RFC 7515, 2; RFC 4648, 5).
package enum Base64URL {
    private static let codec = Base64Codec(last: "-_", padded: false)

    package static func encode(_ bytes: [UInt8]) -> [UInt8] {
        codec.encode(bytes.span)
    }

    package static func encode(_ bytes: Span<UInt8>) -> [UInt8] {
        codec.encode(bytes)
    }

    package static func encodedString(_ bytes: [UInt8]) -> String {
        String(decoding: codec.encode(bytes.span), as: UTF8.self)
    }

    /// `nil` for padding, another character, white space, and bits that belong to no byte.
    package static func decode(_ text: [UInt8]) -> [UInt8]? {
        codec.decode(text.span)
    }

    package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
        codec.decode(text)
    }

    package static func decode(_ text: String) -> [UInt8]? {
        codec.decode(Array(text.utf8).span)
    }
}
