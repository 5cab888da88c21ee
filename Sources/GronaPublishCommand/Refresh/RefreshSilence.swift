import CommandLineKit
import GronaFormats
import LinuxIO
import Publishing
import Synchronization

/// Whether the store answers for anybody.
///
/// So many workspaces for which it does not, one after the other, may be a store that is down, or
/// neighbours whose part of it is. So the others are still asked for, once each and with no second
/// try, until one is answered or the patience ends.
final class RefreshSilence: Sendable {
    private static let mostUnanswered = 5
    /// How long nothing is answered before nobody is asked for any more, in nanoseconds.
    static let patience: UInt64 = 300_000_000_000

    private struct State {
        var count = 0
        /// When it began to be a silence.
        var since: UInt64?
        var last: (workspace: WorkspaceName, reason: Diagnostic)?
    }

    private let state = Mutex(State())
    private let patience: UInt64
    private let clock: @Sendable () -> UInt64

    init(
        patience: UInt64 = RefreshSilence.patience,
        clock: @escaping @Sendable () -> UInt64 = SystemClock.monotonicNanoseconds
    ) {
        self.patience = patience
        self.clock = clock
    }

    /// Why nobody has to ask any more, in the words of one who did.
    var notAsked: Diagnostic? {
        let now = clock()
        return state.withLock { state in
            guard let since = state.since, now - since >= patience, let last = state.last else {
                return nil
            }
            return RefreshWording.notAsked(last.workspace, last.reason)
        }
    }

    /// Has the store try once only while nothing is answered.
    func prepare(_ store: any PublicationStore) {
        store.hurry(state.withLock { $0.since != nil })
    }

    func lasts(_ workspace: WorkspaceName, _ reason: Diagnostic) {
        let now = clock()
        state.withLock {
            $0.count += 1
            $0.last = (workspace, reason)
            if $0.count >= Self.mostUnanswered, $0.since == nil { $0.since = now }
        }
    }

    func wasBroken() {
        state.withLock {
            $0.count = 0
            $0.since = nil
        }
    }
}
