/// The first part of every run: reading everything that is there before anything is written.
///
/// ```
/// served → history → ledger (→ served again, where less is served than was seen before)
/// ```
///
/// What was read before the ledger may only look rolled back, when another publisher was at work in
/// between: it is read again before anything is concluded from it.
package struct BaseReading: Hashable, Sendable {
    /// What was learned so far.
    package private(set) var base = Publication.Base()
    package private(set) var phase: Phase = .served
    /// Whether less served than seen before means anything: a workspace without a config URL serves
    /// nothing.
    package let isServed: Bool

    package enum Phase: Hashable, Sendable {
        case served, history, ledger, servedAgain
        case complete
    }

    package init(isServed: Bool = true) {
        self.isServed = isServed
    }

    package var isComplete: Bool { phase == .complete }

    /// The request whose answer is awaited; nil when everything is read.
    package var pending: StoreRequest? {
        switch phase {
        case .served, .servedAgain: .readServed
        case .history: .readHistory(downTo: base.served.version ?? 0)
        case .ledger: .readLedger
        case .complete: nil
        }
    }

    /// Takes the answer to the last request; an answer to another one changes nothing.
    package mutating func handle(_ event: StoreEvent) {
        switch (phase, event) {
        case (.served, .served(let reading)):
            base.served = reading
            phase = .history
        case (.history, .history(let history)):
            base.history = history
            phase = .ledger
        case (.ledger, .ledger(let ledger)):
            base.ledger = ledger
            phase = isServed && base.isRolledBack ? .servedAgain : .complete
        case (.servedAgain, .served(let reading)):
            base.served = reading
            phase = .complete
        default:
            break
        }
    }
}
