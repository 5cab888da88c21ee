import ES256

/// Writes the elements of a DER text that holds no secret.
enum DERWriter {
    static func element(_ tag: UInt8, _ contents: [UInt8]) -> [UInt8] {
        guard contents.count >= 0x80 else { return [tag, UInt8(contents.count)] + contents }
        let digits = bytes(of: contents.count)
        return [tag, 0x80 | UInt8(digits.count)] + digits + contents
    }

    static func sequence(_ elements: [UInt8]...) -> [UInt8] {
        element(DERTag.sequence, elements.flatMap { $0 })
    }

    static func identifier(_ identifier: ObjectIdentifier) -> [UInt8] {
        element(DERTag.objectIdentifier, identifier.contents)
    }

    /// - Parameter value: not negative.
    static func integer(_ value: Int) -> [UInt8] {
        let digits = bytes(of: value)
        // A first byte of 80 or more would make the number negative.
        let needsZero = digits[0] >= 0x80
        return element(DERTag.integer, needsZero ? [0] + digits : digits)
    }

    /// The highest byte first, at least one.
    private static func bytes(of value: Int) -> [UInt8] {
        var digits: [UInt8] = []
        var rest = value
        repeat {
            digits.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        } while rest > 0
        return digits
    }
}
