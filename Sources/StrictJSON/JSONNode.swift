/// One value, or one member name, of a document: 16 bytes, in the order of the text.
///
/// The children of a container follow it; an object's are name, value, name, value.
struct JSONNode: BitwiseCopyable, Sendable {
    /// Offset of the first byte.
    var start: UInt32
    /// Offset after the last byte.
    var end: UInt32
    /// Index of the node after this one and all that it contains.
    var next: UInt32
    /// Kind (3 bits), flags (3 bits), number of members or elements (26 bits).
    var info: UInt32

    /// The longest text whose offsets and counts fit: 2^27 - 1 bytes.
    static let maximumLength = 1 << 27 - 1

    /// String: contains a backslash. Number: written as an integer literal.
    static let isSpecial: UInt32 = 1 << 3
    /// The text of this node is its canonical form (RFC 8785).
    static let isCanonical: UInt32 = 1 << 4
    /// Object: the names ascend as RFC 8785 3.2.3 demands.
    static let isSorted: UInt32 = 1 << 5

    static func info(_ kind: JSONKind, _ flags: UInt32 = 0) -> UInt32 {
        UInt32(truncatingIfNeeded: kind.rawValue) | flags
    }

    var kind: JSONKind { JSONKind(rawValue: UInt8(truncatingIfNeeded: info & 7)) ?? .null }
    /// Object or array.
    var isContainer: Bool { info & 7 <= 1 }
    var count: Int { Int(info >> 6) }
    var range: Range<Int> { Int(start)..<Int(max(start, end)) }

    func has(_ flag: UInt32) -> Bool { info & flag != 0 }
}
