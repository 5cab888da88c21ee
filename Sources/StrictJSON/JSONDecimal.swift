/// A decimal literal taken apart: digits without zeros at either end, and a power of ten.
///
/// Digits after those that decide which double is nearest are folded into one, so that a literal
/// of any length costs no more than reading it.
struct JSONDecimal {
    private var isNegative = false
    /// The digits from the first to the last that is not zero; wrong when more than 19.
    private var significand: UInt64 = 0
    private var count = 0
    /// The value is the digits, as an integer, times ten to this power.
    private(set) var exponent = 0
    private var hasExponent = false
    private var endsWithZero = false
    /// Digits in ASCII, when there are more than 19.
    private var longDigits: [UInt8] = []

    /// The digits after which only "more or not" counts: 767 decide between two doubles.
    private static let limit = 800

    var isZero: Bool { count == 0 }

    /// At most 15 digits, no exponent and few of them after the point: each such decimal is the
    /// only one of its kind that names its double, which is far from any limit.
    var isShort: Bool { !hasExponent && count <= 15 && (-15...0).contains(exponent) }

    /// A short literal is what Number::toString writes for its double.
    var isCanonical: Bool {
        isShort && !endsWithZero && !isZero && exponent < 0 && exponent + count > -6
    }

    /// ASCII, without zeros at either end.
    var digits: [UInt8] {
        guard longDigits.isEmpty else { return longDigits }
        return isZero ? [] : Array(significand.description.utf8)
    }

    /// Reads `-? digits (. digits)? (e [+-]? digits)?`, whose syntax has been checked.
    init(_ text: Span<UInt8>) {
        var zeros = 0
        var afterPoint = false
        for index in text.indices {
            let byte = text[index]
            switch byte {
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "."): afterPoint = true
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if afterPoint { exponent -= 1 }
                endsWithZero = afterPoint && byte == UInt8(ascii: "0")
                if byte != UInt8(ascii: "0") {
                    append(byte, after: zeros)
                    zeros = 0
                } else if !isZero {
                    zeros += 1
                }
            default:
                hasExponent = true
                exponent += zeros + Self.exponent(text, index + 1)
                return
            }
        }
        exponent += zeros
    }

    /// Appends zeros and a digit.
    private mutating func append(_ digit: UInt8, after zeros: Int) {
        if count + zeros < 19 {
            for _ in 0..<zeros {
                significand *= 10
            }
            significand = significand * 10 + UInt64(digit & 0x0F)
            count += zeros + 1
            return
        }
        if longDigits.isEmpty { longDigits = Array(significand.description.utf8) }
        if count + zeros < Self.limit {
            longDigits += repeatElement(UInt8(ascii: "0"), count: zeros)
            longDigits.append(digit)
            count += zeros + 1
        } else {
            // One digit stands for all that follow: it keeps the value off a tie.
            if count <= Self.limit {
                longDigits += repeatElement(UInt8(ascii: "0"), count: Self.limit - count)
                longDigits.append(UInt8(ascii: "1"))
                exponent += count + zeros - Self.limit
                count = Self.limit + 1
            } else {
                exponent += zeros + 1
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

    /// The nearest double, ties to even; infinity when beyond all. Zero has no sign.
    var double: Double {
        guard !isZero else { return 0 }
        let magnitude: Double
        if count <= 15, (-22...22).contains(exponent) {
            // Both are exact doubles, and one operation rounds once.
            let power = Self.powers[Int(exponent.magnitude)]
            magnitude = exponent < 0 ? Double(significand) / power : Double(significand) * power
        } else if exponent + count > 400 {
            magnitude = .infinity
        } else if exponent + count < -400 {
            magnitude = 0
        } else {
            let literal = String(decoding: digits, as: UTF8.self) + "e\(exponent)"
            magnitude = Double(literal) ?? .infinity
        }
        return isNegative ? -magnitude : magnitude
    }

    private static let powers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
    ]
}
