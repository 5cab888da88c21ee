/// The attributes of a PKCS#11 URI, split first and decoded afterwards (RFC 7512, 2.3).
struct PKCS11URIParts {
    struct Part {
        let name: String
        /// Decoded.
        let value: [UInt8]
    }

    private(set) var path: [Part] = []
    private(set) var query: [String: [UInt8]] = [:]

    /// The names of the query; `pin-value` is known so that it can be refused.
    static let queryNames = ["pin-source", "module-name", "module-path", "x-grona-init"]

    init(_ text: String) throws(PKCS11URIError) {
        let bytes = Array(text.utf8)
        // Before anything else, so that no other error can be about a piece of a PIN.
        guard !Self.components(of: bytes).contains(where: { Self.name(of: $0) == "pin-value" })
        else { throw .pinValue }
        let end = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
        if end > 0 {
            for component in Self.split(bytes[..<end], at: ";") {
                let part = try Self.part(component, allowing: Self.pathMarks)
                guard !path.contains(where: { $0.name == part.name })
                else { throw .repeatedAttribute(part.name) }
                path.append(part)
            }
        }
        guard end < bytes.count else { return }
        for component in Self.split(bytes[(end + 1)...], at: "&") {
            let part = try Self.part(component, allowing: Self.queryMarks)
            guard Self.queryNames.contains(part.name) else { throw .unknownAttribute(part.name) }
            guard query.updateValue(part.value, forKey: part.name) == nil
            else { throw .repeatedAttribute(part.name) }
        }
    }

    private static let marks = Array("-._~:[]@!$'()*+,=".utf8)
    /// What needs no encoding besides letters and digits (RFC 7512, 2.3).
    private static let pathMarks = marks + Array("&".utf8)
    private static let queryMarks = marks + Array("/?|".utf8)

    private static func split(
        _ bytes: ArraySlice<UInt8>, at separator: Unicode.Scalar
    ) -> [ArraySlice<UInt8>] {
        bytes.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: false)
    }

    private static func part(
        _ component: ArraySlice<UInt8>, allowing marks: [UInt8]
    ) throws(PKCS11URIError) -> Part {
        guard let equals = component.firstIndex(of: UInt8(ascii: "=")) else {
            throw .malformedAttribute
        }
        let word = component[..<equals]
        guard word.first.map(isLetter) ?? false,
            word.allSatisfy({ isLetter($0) || isDigit($0) || $0 == 0x2D || $0 == 0x5F })
        else { throw .malformedAttribute }
        let name = String(decoding: word, as: UTF8.self)
        return Part(
            name: name, value: try decoded(component[(equals + 1)...], of: name, allowing: marks))
    }

    private static func decoded(
        _ value: ArraySlice<UInt8>, of name: String, allowing marks: [UInt8]
    ) throws(PKCS11URIError) -> [UInt8] {
        var result: [UInt8] = []
        var rest = value
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%") {
                guard let high = rest.popFirst().flatMap(digit),
                    let low = rest.popFirst().flatMap(digit)
                else { throw .badPercent(name) }
                result.append(high << 4 | low)
            } else {
                guard isLetter(byte) || isDigit(byte) || marks.contains(byte)
                else { throw .badCharacter(name) }
                result.append(byte)
            }
        }
        // An identifier is bytes; everything else ends at a zero byte for the module or the kernel.
        guard name == "id" || !result.contains(0) else { throw .zeroByte(name) }
        return result
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x37
        case 0x61...0x66: byte - 0x57
        default: nil
        }
    }
}

// MARK: What may be shown

extension PKCS11URIParts {
    /// A text with the values left out that speak of a PIN, whether it is a URI or not.
    ///
    /// What follows such a value and is no attribute that is known is left out with it: it may be
    /// the rest of a PIN with a separator in it.
    static func redacted(_ text: String) -> String {
        var shown: [UInt8] = []
        var isHiding = false
        for component in components(of: Array(text.utf8)) {
            let name = name(of: component)
            let speaksOfPIN = name.map { $0.utf8.count >= 3 && containsPIN($0) } ?? false
            if speaksOfPIN {
                isHiding = true
                let end = component.firstIndex(of: UInt8(ascii: "=")) ?? component.endIndex
                shown += component[..<end] + Array("=***".utf8)
            } else if isHiding, !isKnown(name) {
                if let first = component.first, isSeparator(first) { shown.append(first) }
                shown += Array("***".utf8)
            } else {
                isHiding = false
                shown += component
            }
        }
        return String(decoding: shown, as: UTF8.self)
    }

    private static func isKnown(_ name: String?) -> Bool {
        guard let name else { return false }
        return name == "type" || queryNames.contains(name)
            || PKCS11URI.Selector(rawValue: name) != nil
    }

    private static func containsPIN(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        return bytes.indices.contains { bytes[$0...].starts(with: "pin".utf8) }
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ";") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "&")
    }

    /// The pieces between separators, each with the separator before it.
    static func components(of bytes: [UInt8]) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var start = 0
        for index in bytes.indices where index > start && isSeparator(bytes[index]) {
            pieces.append(bytes[start..<index])
            start = index
        }
        pieces.append(bytes[start...])
        return pieces
    }

    /// What stands before the equals sign, decoded and in lower case; `nil` where there is none.
    static func name(of component: ArraySlice<UInt8>) -> String? {
        var rest = component
        if let first = rest.first, isSeparator(first) { rest = rest.dropFirst() }
        guard let equals = rest.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        rest = rest[..<equals]
        var name: [UInt8] = []
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let high = digit(rest[rest.startIndex]), let low = digit(rest[rest.startIndex + 1])
            {
                name.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                name.append(byte)
            }
        }
        return String(
            decoding: name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
