package import HTTPTransport

/// An object behind a URL.
package struct RemoteObject: Sendable {
    /// Nil for more bytes than an answer may have.
    package let bytes: [UInt8]?
    /// Nil where the server gave none that can be read.
    package let tag: HTTPEntityTag?
    package let response: HTTPResponse
}

/// The condition of a write.
package enum WriteCondition: Hashable, Sendable {
    /// `If-None-Match: *`.
    case absent
    /// `If-Match` with the tag in quotation marks.
    case quoted(String)
    /// `If-Match` without them, as some object stores want it.
    case bare(String)
    case none

    var field: HTTPField? {
        switch self {
        case .absent: HTTPField("If-None-Match", "*")
        case .quoted(let opaque): HTTPField("If-Match", "\"\(opaque)\"")
        case .bare(let opaque): HTTPField("If-Match", opaque)
        case .none: nil
        }
    }

    var isMatch: Bool {
        switch self {
        case .quoted, .bare: true
        case .absent, .none: false
        }
    }
}
