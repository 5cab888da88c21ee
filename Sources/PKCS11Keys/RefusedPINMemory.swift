package import LinuxIO

/// Remembers which PINs tokens have refused, so that a timer does not lock a token: by the token and
/// the identity of the PIN file, never by the PIN.
package struct RefusedPINMemory: Sendable {
    package let folder: FilePath
    /// Whether a PIN is tried again that was refused, or with one try left.
    package let retries: Bool

    /// - Parameter state: the state folder.
    package init(state: FilePath, retries: Bool) {
        folder = state.appending("refused-pins")
        self.retries = retries
    }
}
