package import LinuxIO
package import SecretMemory

extension Terminal {
    /// A line that a person types without seeing it, in guarded memory; `nil` without a terminal.
    ///
    /// - Parameter limit: in bytes.
    package static func secret(
        _ prompt: String, limit: Int, kind: SecretKind
    ) throws(SigningKeyError) -> SecretBytes? {
        var line = try SecretBytes.allocated(limit)
        let words = Array(prompt.utf8)
        let count: Int?
        do throws(TerminalError) {
            count = try line.withMutableSpan { span throws(TerminalError) in
                try Terminal.readLineWithoutEcho(prompt: words, into: &span)
            }
        } catch .none {
            count = nil
        } catch {
            throw .prompt(error, for: kind)
        }
        guard let count else { return nil }
        line.shrink(to: count)
        return line
    }
}
