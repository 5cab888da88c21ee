/// A decimal literal taken apart: digits without zeros at either end, and a power of ten.
///
/// More digits than decide which double is nearest are folded into one, so that a literal of any
/// length costs no more than reading it.
struct JSONDecimal {
    private(set) var isNegative = false
    /// The first digits as a number; all of them when there are at most 19.
    private var mantissa: UInt64 = 0
    /// ASCII.
    private(set) var significantDigits: [UInt8] = []
    /// The value is the digits, as an integer, times ten to this power.
    private(set) var exponent = 0
    private var hasExponent = false
    private var endsWithZero = false

    /// The digits after which only "more or not" counts: 767 decide between two doubles.
    private static let limit = 800

    var isZero: Bool { significantDigits.isEmpty }

    /// Reads `-? digits (. digits)? (e [+-]? digits)?`, whose syntax has been checked.
    init(_ text: Span<UInt8>) {
        var zeros = 0
        var dropped = false
        var afterPoint = false
        var index = 0
        scan: while index < text.count {
            let byte = text[index]
            index += 1
            switch byte {
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "."): afterPoint = true
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if afterPoint { exponent -= 1 }
                endsWithZero = afterPoint && byte == UInt8(ascii: "0")
                if significantDigits.count >= Self.limit {
                    dropped = dropped || byte != UInt8(ascii: "0")
                    exponent += 1
                } else if byte == UInt8(ascii: "0") {
                    if !isZero { zeros += 1 }
                } else {
                    significantDigits += repeatElement(UInt8(ascii: "0"), count: zeros)
                    significantDigits.append(byte)
                    zeros = 0
                }
            default:
                hasExponent = true
                break scan
            }
        }
        exponent += zeros
        if dropped {
            significantDigits.append(UInt8(ascii: "1"))
            exponent -= 1
        }
        if hasExponent { exponent += Self.exponent(text, index) }
        if isZero { exponent = 0 }
        if significantDigits.count <= 19 {
            for digit in significantDigits {
                mantissa = mantissa * 10 + UInt64(digit & 0x0F)
            }
        }
    }

    private static func exponent(_ text: Span<UInt8>, _ start: Int) -> Int {
        var value = 0
        var isNegative = false
        for index in start..<text.count {
            switch text[index] {
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "+"): break
            default:
                // Far beyond what digits of the longest text could make up for.
                if value < 1_000_000_000_000 { value = value * 10 + Int(text[index] & 0x0F) }
            }
        }
        return isNegative ? -value : value
    }

    /// The literal is what Number::toString writes for its double: so it is when at most 15 digits
    /// stand without an exponent, since no two such decimals name one double.
    var isCanonical: Bool {
        !hasExponent && !endsWithZero && !isZero && significantDigits.count <= 15
            && exponent < 0 && exponent + significantDigits.count > -6
    }

    /// The nearest double, ties to even; infinity when beyond all.
    var double: Double {
        guard !isZero else { return 0 }
        let magnitude: Double
        if significantDigits.count <= 15, (-22...22).contains(exponent) {
            // Both are exact doubles, and one operation rounds once.
            let power = Self.powers[Int(exponent.magnitude)]
            magnitude = exponent < 0 ? Double(mantissa) / power : Double(mantissa) * power
        } else if exponent + significantDigits.count > 400 {
            magnitude = .infinity
        } else if exponent + significantDigits.count < -400 {
            magnitude = 0
        } else {
            let literal = String(decoding: significantDigits, as: UTF8.self) + "e\(exponent)"
            magnitude = Double(literal) ?? .infinity
        }
        return isNegative ? -magnitude : magnitude
    }

    private static let powers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]
}
