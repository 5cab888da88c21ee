package import CommandLineKit
package import LinuxIO

/// Where a command's document goes: a file that appears by rename, or standard output.
///
/// Opened before any work is done, so that a bad path is found first, and committed last; what
/// is not committed leaves nothing behind.
package struct DocumentOutput: ~Copyable {
    private var file: OutputFile?
    private let console: Console

    /// - Parameters:
    ///   - path: nil or `-` for standard output.
    ///   - replacing: whether a regular file that is there may be replaced.
    ///   - permissions: whatever the umask is; 0644 for what others read.
    /// - Throws: status 73, and 74 where the disk is full.
    package init(
        _ path: FilePath?, replacing: Bool, permissions: UInt32 = 0o644, console: Console
    ) throws(Failure) {
        self.console = console
        guard let path, path != "-" else {
            file = nil
            return
        }
        do {
            file = try OutputFile(at: path, replacing: replacing, permissions: permissions)
        } catch {
            throw Failure(writing: error)
        }
    }

    /// Whether the document goes to a file.
    package var isFile: Bool { file != nil }

    /// Writes the document; on standard output, `newline` adds one after it.
    package consuming func commit(_ bytes: [UInt8], newline: Bool = false) throws(Failure) {
        let console = console
        guard let file = file.take() else {
            console.write(bytes: newline ? bytes + [UInt8(ascii: "\n")] : bytes)
            return
        }
        do {
            try file.commit(bytes)
        } catch {
            throw Failure(writing: error)
        }
    }
}

extension CommandContext {
    /// The output that `-o FILE` and `--force` name.
    package func documentOutput(permissions: UInt32 = 0o644) throws(Failure) -> DocumentOutput {
        try DocumentOutput(
            call[SharedOptions.output], replacing: force, permissions: permissions,
            console: console)
    }
}
