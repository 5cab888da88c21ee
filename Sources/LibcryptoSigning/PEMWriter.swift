import ES256
import SecretMemory

/// Puts a DER text into PEM armour (RFC 7468, 2): lines of 64 characters that end with LF.
enum PEMWriter {
    static func write(
        label: String, der: borrowing SecretBytes
    ) throws(PrivateKeyError) -> SecretBytes {
        let begin = Array("-----BEGIN \(label)-----\n".utf8)
        let end = Array("-----END \(label)-----\n".utf8)
        let body = SecretBase64.encodedCount(der.count)
        var text = try SecretBytes.allocated(begin.count + body + end.count)
        text.withMutableSpan { span in
            for index in begin.indices { span[index] = begin[index] }
            der.withSpan { SecretBase64.encode($0, to: &span, at: begin.count) }
            for index in end.indices { span[begin.count + body + index] = end[index] }
        }
        return text
    }
}
