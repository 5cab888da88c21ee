/// An `https:` or `http:` address in a form that every reader takes alike.
///
/// Host in lower case, no user, no fragment, no `.` or `..` step, no empty port, no empty query;
/// path and query of visible ASCII, in which nothing is encoded that needs not be (RFC 3986 6.2.2;
/// addresses of RFC 5952). What a URL may say beyond that is not needed here, and is where readers
/// differ (WHATWG URL).
package struct HTTPURL: Hashable, Sendable, CustomStringConvertible {
    package let isSecure: Bool
    /// A name, an IPv4 address, or an IPv6 address in brackets.
    package let host: String
    /// Nil for the scheme's own port.
    package let port: UInt16?
    /// Begins with a slash; percent-encoded as it is sent.
    package let path: String
    /// Without the question mark; nil where there is none.
    package let query: String?

    /// Nil where the parts are not of that form.
    package init?(
        isSecure: Bool, host: String, port: UInt16?, path: String, query: String? = nil
    ) {
        let query = query?.isEmpty ?? true ? nil : query
        guard let host = Self.host(host.utf8.map(Self.lowercase)),
            let path = Self.text(Array(path.utf8), besides: "/"), Self.isPath(Array(path.utf8))
        else { return nil }
        if let query {
            guard let text = Self.text(Array(query.utf8), besides: "/?") else { return nil }
            self.query = text
        } else {
            self.query = nil
        }
        self.isSecure = isSecure
        self.host = host
        self.port = port == (isSecure ? 443 : 80) ? nil : port
        self.path = path
    }

    /// Nil for anything else than an address of that form.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count <= 8_192 else { return nil }
        let head = bytes.prefix(8).map(Self.lowercase)
        let isSecure = head.starts(with: "https://".utf8)
        guard isSecure || head.starts(with: "http://".utf8) else { return nil }
        let rest = bytes.dropFirst(isSecure ? 8 : 7)
        let end = rest.firstIndex { $0 == 0x2F || $0 == 0x3F } ?? rest.endIndex
        guard let authority = Self.authority(Array(rest[..<end])) else { return nil }
        let local = rest[end...]
        let mark = local.firstIndex(of: 0x3F)
        let path = local[..<(mark ?? local.endIndex)]
        self.init(
            isSecure: isSecure, host: authority.host, port: authority.port,
            path: path.isEmpty ? "/" : String(decoding: path, as: UTF8.self),
            query: mark.map { String(decoding: local[($0 + 1)...], as: UTF8.self) })
    }

    package var description: String { origin + path + (query.map { "?" + $0 } ?? "") }

    /// Scheme, host and port.
    package var origin: String {
        (isSecure ? "https://" : "http://") + host + (port.map { ":\($0)" } ?? "")
    }

    /// Whether the host is this host by its name or number alone, without a look-up: `localhost`,
    /// 127.0.0.0/8, `::1` (RFC 6761 6.3, RFC 1122 3.2.1.3, RFC 4291 2.5.3).
    package var isLoopback: Bool {
        if ["localhost", "[::1]"].contains(host) { return true }
        let parts = host.utf8.split(separator: 0x2E, omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0].elementsEqual("127".utf8)
            && parts.allSatisfy { part in
                (1...3).contains(part.count) && part.allSatisfy { (0x30...0x39).contains($0) }
                    && (part.count == 1 || part.first != 0x30)
            }
    }

    // MARK: Reading

    private static func authority(_ bytes: [UInt8]) -> (host: String, port: UInt16?)? {
        let colon: Int?
        if bytes.first == 0x5B {
            guard let end = bytes.firstIndex(of: 0x5D) else { return nil }
            guard end + 1 == bytes.count || bytes[end + 1] == 0x3A else { return nil }
            colon = end + 1 == bytes.count ? nil : end + 1
        } else {
            colon = bytes.firstIndex(of: 0x3A)
        }
        let host = String(decoding: bytes[..<(colon ?? bytes.count)], as: UTF8.self)
        guard let colon else { return (host, nil) }
        guard let port = port(bytes[(colon + 1)...]) else { return nil }
        return (host, port)
    }

    private static func port(_ digits: ArraySlice<UInt8>) -> UInt16? {
        guard (1...5).contains(digits.count), digits.first != 0x30 else { return nil }
        var number = 0
        for digit in digits {
            guard (0x30...0x39).contains(digit) else { return nil }
            number = number * 10 + Int(digit - 0x30)
        }
        return UInt16(exactly: number)
    }

    /// A host in its one written form; nil where it has none.
    ///
    /// What ends in a number is an IPv4 address of four decimal numbers and nothing else: others
    /// are read in more than one way (`127.1`, `0x7f.1`).
    private static func host(_ bytes: [UInt8]) -> String? {
        guard (1...253).contains(bytes.count) else { return nil }
        if bytes.first == 0x5B {
            guard bytes.last == 0x5D else { return nil }
            return IPv6Text.canonical(bytes.dropFirst().dropLast()).map { "[\($0)]" }
        }
        let labels = bytes.split(separator: 0x2E, omittingEmptySubsequences: false)
        let isName = labels.allSatisfy { label in
            (1...63).contains(label.count) && label.first != 0x2D && label.last != 0x2D
                && label.allSatisfy { isLetter($0) || isDigit($0) || $0 == 0x2D || $0 == 0x5F }
        }
        guard isName, let last = labels.last else { return nil }
        let isNumber =
            last.allSatisfy(isDigit)
            || (last.starts(with: "0x".utf8) && last.dropFirst(2).allSatisfy(isHex))
        if isNumber {
            let isAddress =
                labels.count == 4
                && labels.allSatisfy { part in
                    part.count <= 3 && part.allSatisfy(isDigit)
                        && (part.count == 1 || part.first != 0x30)
                        && part.reduce(0) { $0 * 10 + Int($1 - 0x30) } < 256
                }
            guard isAddress else { return nil }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isPath(_ bytes: [UInt8]) -> Bool {
        bytes.first == 0x2F
            && !bytes.split(separator: 0x2F).contains { step in
                step.elementsEqual(".".utf8) || step.elementsEqual("..".utf8)
            }
    }

    /// Unreserved characters, sub-delimiters, `:`, `@` and whole percent signs (RFC 3986 3.3), in
    /// which unreserved characters stand for themselves and the others are encoded with upper-case
    /// digits; nil for anything else.
    private static func text(_ bytes: [UInt8], besides others: String) -> String? {
        let allowed = Array("-._~!$&'()*+,;=:@".utf8) + Array(others.utf8)
        var text: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == 0x25 {
                guard index + 2 < bytes.count, let high = digit(bytes[index + 1]),
                    let low = digit(bytes[index + 2])
                else { return nil }
                let meant = high << 4 | low
                text += isUnreserved(meant) ? [meant] : encoded(meant)
                index += 3
            } else {
                guard isLetter(byte) || isDigit(byte) || allowed.contains(byte) else { return nil }
                text.append(byte)
                index += 1
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46, 0x61...0x66: (byte | 0x20) - 0x61 + 10
        default: nil
        }
    }

    private static func encoded(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    private static func isHex(_ byte: UInt8) -> Bool {
        isDigit(byte) || (0x61...0x66).contains(byte | 0x20)
    }
    private static func lowercase(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}

extension HTTPURL {
    /// Percent-encodes everything but the unreserved characters, with upper-case digits
    /// (RFC 3986 2.1, 2.3).
    package static func encoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 { bytes += isUnreserved(byte) ? [byte] : encoded(byte) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a byte stands for itself everywhere in a URL.
    package static func isUnreserved(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || "-._~".utf8.contains(byte)
    }
}
