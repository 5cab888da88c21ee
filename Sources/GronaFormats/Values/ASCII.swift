/// Strict reading of numbers and character sets on bytes.
///
/// `Int("+5")` and `Int("007")` are numbers to the standard library; none of our formats has them.
package enum ASCII {
    /// A decimal number without sign, blank or leading zero; nil for anything else and for more
    /// than `Int64` holds.
    package static func decimal(_ digits: some Sequence<UInt8>) -> Int64? {
        var value: Int64 = 0
        var count = 0
        for byte in digits {
            guard isDigit(byte) else { return nil }
            if count == 1 && value == 0 { return nil }
            let (product, overflowed) = value.multipliedReportingOverflow(by: 10)
            let (sum, carried) = product.addingReportingOverflow(Int64(byte - 0x30))
            if overflowed || carried { return nil }
            value = sum
            count += 1
        }
        return count > 0 ? value : nil
    }

    package static func isDigit(_ byte: UInt8) -> Bool {
        byte >= 0x30 && byte <= 0x39
    }

    package static func isLowercaseLetter(_ byte: UInt8) -> Bool {
        byte >= 0x61 && byte <= 0x7A
    }

    package static func isLetter(_ byte: UInt8) -> Bool {
        isLowercaseLetter(byte) || (byte >= 0x41 && byte <= 0x5A)
    }

    package static func isLowercaseHex(_ byte: UInt8) -> Bool {
        isDigit(byte) || (byte >= 0x61 && byte <= 0x66)
    }
}
