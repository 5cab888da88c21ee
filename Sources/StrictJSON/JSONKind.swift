/// What a JSON value is (RFC 8259 3).
package enum JSONKind: UInt8, Sendable, Hashable {
    case object
    case array
    case string
    case number
    case boolean
    case null
}
