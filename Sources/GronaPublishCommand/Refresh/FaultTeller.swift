import CommandLineKit
import GronaFormats
import Synchronization

/// Tells what is wrong with workspaces as it is found, on any thread: what many of them have is told
/// for the first, and at the end how many more have it.
final class FaultTeller: Sendable {
    private static let mostNames = 5

    /// What two workspaces have in common.
    private struct Fault: Hashable {
        let code: String
        let text: [String?]
    }

    private struct State {
        var order: [(fault: Fault, first: Diagnostic)] = []
        var workspaces: [Fault: [WorkspaceName]] = [:]
        var known: [Fault: Set<WorkspaceName>] = [:]
    }

    private let console: Console
    private let state = Mutex(State())

    init(_ console: Console) {
        self.console = console
    }

    func tell(_ diagnostic: Diagnostic, of workspace: WorkspaceName) {
        func common(_ text: String?) -> String? {
            text.map { Self.without(workspace.text, in: $0) }
        }
        let fault = Fault(
            code: diagnostic.code,
            text: [common(diagnostic.message), common(diagnostic.file), common(diagnostic.help)])
        let isFirst = state.withLock { state in
            guard state.known[fault, default: []].insert(workspace).inserted else { return false }
            state.workspaces[fault, default: []].append(workspace)
            guard state.workspaces[fault]?.count == 1 else { return false }
            state.order.append((fault, diagnostic))
            return true
        }
        guard isFirst else { return }
        var first = diagnostic
        if first.file.map({ !Self.has(workspace.text, in: $0) }) ?? true {
            first.message = "\(workspace): \(first.message)"
        }
        console.report(first)
    }

    /// Says for how many more each is so.
    func end() {
        let (order, workspaces) = state.withLock { ($0.order, $0.workspaces) }
        for (fault, first) in order {
            guard let more = workspaces[fault]?.dropFirst(), !more.isEmpty else { continue }
            let names = more.sorted().prefix(Self.mostNames).map(\.text).joined(separator: ", ")
            let rest = more.count - Self.mostNames
            var line = first
            line.file = nil
            line.line = nil
            line.column = nil
            line.pointer = nil
            line.help = nil
            line.message =
                "the same for \(more.count) more workspace\(more.count == 1 ? "" : "s"): \(names)"
                + (rest > 0 ? " and \(rest) more" : "")
            console.report(line)
        }
    }

    private static func has(_ name: String, in text: String) -> Bool {
        without(name, in: text).utf8.count != text.utf8.count
    }

    /// The text without a name that stands in it as a whole word.
    private static func without(_ name: String, in text: String) -> String {
        let (bytes, name) = (Array(text.utf8), Array(name.utf8))
        func isOfName(_ index: Int) -> Bool {
            guard bytes.indices.contains(index) else { return false }
            let byte = bytes[index]
            return (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == 0x2D
        }
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let end = index + name.count
            if end <= bytes.count, bytes[index..<end].elementsEqual(name), !isOfName(index - 1),
                !isOfName(end)
            {
                index = end
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
