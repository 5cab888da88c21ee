internal import StrictJSON

/// The types that a source's members take.
package enum ValueType: String, Sendable {
    case object, array, string, number, integer, boolean, null
    /// Unix seconds or a string with an RFC 3339 time.
    case time
    /// Seconds or a string with a duration.
    case duration

    init(of element: JSONElement) {
        self =
            switch element.kind {
            case .object: .object
            case .array: .array
            case .string: .string
            case .number: element.integer == nil ? .number : .integer
            case .boolean: .boolean
            case .null: .null
            }
    }
}
