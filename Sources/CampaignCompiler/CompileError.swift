/// Why no payload can be made from sources without errors.
package enum CompileError: Error, Sendable, Equatable {
    /// Over the limit for signing, in bytes.
    case payloadTooLarge(bytes: Int, limit: Int)
}
