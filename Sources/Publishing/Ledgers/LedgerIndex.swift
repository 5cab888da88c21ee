import GronaFormats
import Ledger
import Libcrypto
import PublishProtocol
import StrictJSON
import Synchronization

/// What the lines of a ledger add up to, for every workspace.
///
/// The chain is read and checked once; after that only what was appended since is read, however
/// many workspaces a run is about. All copies of a ledger's value share one index.
final class LedgerIndex: Sendable {
    struct Content {
        var summaries: [WorkspaceName: LedgerSummary] = [:]
        /// The workspaces of which a config was seen served, or a bundle released.
        var released: Set<WorkspaceName> = []
        /// The newest time of any line, and that of the last one.
        var newestTime: UnixTime?
        var lastTime: UnixTime?
        /// The last line.
        fileprivate(set) var tip = LogTip(head: .zero, lines: 0)
        fileprivate var position: LogPosition?
        /// The last lines, for a mark that comes later than they do.
        private var recent: [LogTip] = []
        /// The newest mark whose line was read.
        private var mark: LogTip?

        var head: SHA256Digest { tip.head }

        fileprivate func stands(_ mark: LogTip) -> Bool {
            mark == self.mark || mark == tip || recent.contains(mark)
        }

        fileprivate mutating func note(isMark: Bool) {
            if isMark { mark = tip }
            if recent.count >= 2 * Self.recentLimit { recent.removeFirst(Self.recentLimit) }
            recent.append(tip)
        }

        fileprivate mutating func keep(_ mark: LogTip?) {
            guard let mark else { return }
            self.mark = mark
            recent.removeAll { $0.lines <= mark.lines }
        }

        private static let recentLimit = 512

        subscript(workspace: WorkspaceName) -> LedgerSummary {
            summaries[workspace] ?? LedgerSummary()
        }
    }

    private struct State {
        var content = Content()
        var linesRead = 0
        var hasBegun = false
        var isCut = false
    }

    private let log: HashChainLog
    private let takesRehearsals: Bool
    private let state = Mutex(State())

    init(_ log: HashChainLog, takesRehearsals: Bool) {
        self.log = log
        self.takesRehearsals = takesRehearsals
    }

    /// How many lines were read so far, each as often as it was.
    var linesRead: Int { state.withLock { $0.linesRead } }

    /// Whether it was read though it went back.
    var isCut: Bool { state.withLock { $0.isCut } }

    /// Somebody has answered for it.
    func accept() { state.withLock { $0.isCut = false } }

    /// True for the first who asks, for what is done once a run.
    func isFirst() -> Bool {
        state.withLock { state in
            defer { state.hasBegun = true }
            return !state.hasBegun
        }
    }

    /// Reads what is new, and answers from all of it. What stood there when this host wrote last has
    /// to stand there still.
    ///
    /// - Parameter onCut: goes on where it does not, told once how many lines there are and were;
    ///   nil where nobody may go by such a ledger.
    func read<Value: Sendable>(
        onCut: (@Sendable (Int, Int) -> Void)? = nil,
        _ body: @Sendable (borrowing Content) -> Value
    ) throws(PublicationLedgerError) -> Value {
        try state.withLock { state throws(PublicationLedgerError) in
            // Before the ledger, which only grows, so that nobody's append comes in between.
            let mark = LedgerMark.read(beside: log.path)?.tip
            var hasPrevious = state.content.position != nil
            do throws(LedgerError) {
                do throws(LedgerError) {
                    try catchUp(&state.content, &state.linesRead, until: mark)
                    hasPrevious = hasPrevious && mark.map { !state.content.stands($0) } ?? false
                } catch {
                    guard case .broken = error, hasPrevious else { throw error }
                }
                if hasPrevious {
                    // What was read before may be what is gone, or the mark too far back.
                    state.content = Content()
                    try catchUp(&state.content, &state.linesRead, until: mark)
                }
            } catch {
                throw .log(log.path, error)
            }
            if let mark, !state.content.stands(mark) {
                guard let onCut else {
                    throw .cut(log.path, lines: state.content.tip.lines, of: mark.lines)
                }
                if !state.isCut { onCut(state.content.tip.lines, mark.lines) }
                state.isCut = true
            } else {
                state.content.keep(mark)
            }
            return body(state.content)
        }
    }

    /// - Parameter mark: a line that is asked for.
    private func catchUp(
        _ content: inout Content, _ count: inout Int, until mark: LogTip?
    ) throws(LedgerError) {
        var reader = try log.reader(after: content.position)
        if !reader.isTail { content = Content() }
        while let line = try reader.next() {
            count += 1
            add(line.root, to: &content)
            content.tip = reader.tip
            content.position = reader.position
            content.note(isMark: reader.tip == mark)
        }
    }

    private func add(_ line: JSONElement, to content: inout Content) {
        guard takesRehearsals || !LedgerLine.isOfRehearsal(line) else { return }
        if let time = line["time"]?.integer.map({ UnixTime($0) }) {
            content.newestTime = content.newestTime.map { max($0, time) } ?? time
            content.lastTime = time
        }
        guard let name = line["workspace"]?.string.flatMap(WorkspaceName.init(_:)) else { return }
        if let (refusal, envelope) = LedgerLine.refusal(line) {
            return content.summaries[name, default: LedgerSummary()].add(refusal, of: envelope)
        }
        guard let record = LedgerLine.read(line, workspace: name)
        else { return }
        content.summaries[name, default: LedgerSummary()].add(
            record, at: line["time"]?.integer)
        switch record {
        case .observed, .swapped(_, .published), .bundled: content.released.insert(name)
        case .claimed, .swapped, .refused: break
        }
    }
}
