import CommandLineKit
import GronaCommand
import LinuxIO

/// A page or a file of metrics: 0644, whole or not at all, in place of an earlier one of ours.
///
/// Anything else that stands there is replaced only with `--force`, and links, folders and devices
/// not even then.
struct StatusFile: ~Copyable {
    /// Where a file of ours says that it is ours.
    private static let headBytes = 400

    private var output: DocumentOutput?

    /// - Parameters:
    ///   - path: nil for no file at all, `-` for standard output.
    ///   - mark: what the beginning of a file of ours contains.
    /// - Throws: `output.exists`, status 73, where something else stands at the path.
    init(_ path: FilePath?, mark: String, _ context: CommandContext) throws(Failure) {
        guard let path else {
            output = nil
            return
        }
        let isOurs = Self.bears(mark, path)
        output = try DocumentOutput(
            path, replacing: isOurs || context.force, permissions: 0o644,
            console: context.console)
    }

    /// Makes and writes the contents, where there is a file to write.
    consuming func commit(_ bytes: () -> [UInt8]) throws(Failure) {
        guard let output = output.take() else { return }
        try output.commit(bytes())
    }

    private static func bears(_ mark: String, _ path: FilePath) -> Bool {
        guard path != "-", let head = readBeginning(of: path, count: headBytes) else {
            return false
        }
        // One that a crash, or who made room for it, left empty.
        if head.isEmpty { return true }
        let mark = Array(mark.utf8)
        guard head.count >= mark.count else { return false }
        return (0...(head.count - mark.count)).contains { start in
            head[start..<(start + mark.count)].elementsEqual(mark)
        }
    }
}
