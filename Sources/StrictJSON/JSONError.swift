/// Why a text is not what I-JSON allows (RFC 7493), and where.
package struct JSONError: Error, Sendable, Equatable {
    package var detail: JSONProblem
    /// The byte at which the problem begins; the length of the text when it ends too soon.
    package var offset: Int
    package var position: JSONPosition
    /// RFC 6901: the value that was being read, or the object or array where something else stood.
    package var pointer: String

    /// One stable word for each kind of problem, such as `json.duplicate-name`.
    package var code: String { detail.code }

    package init(detail: JSONProblem, offset: Int, position: JSONPosition, pointer: String) {
        self.detail = detail
        self.offset = offset
        self.position = position
        self.pointer = pointer
    }
}
