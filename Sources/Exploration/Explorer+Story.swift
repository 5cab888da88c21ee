import PublishProtocol

extension Explorer {
    /// A line about what happened, for a trace.
    func story(_ action: Action, from state: State, to next: State) -> String {
        let what =
            switch action {
            case .step(let index): told(index, state, next)
            case .loseAnswer(let index): told(index, state, next) + " - done, answer lost"
            case .drop(let index): told(index, state, next) + " - not done, answer lost"
            case .delay(let index): told(index, state, next) + " - still on its way, answer lost"
            case .fail(let index): told(index, state, next) + " - failed"
            case .crash(let index): "\(state.actors[index].name) dies and starts again"
            case .crashAfter(let index):
                told(index, state, next) + " - done; it dies and starts again"
            case .arrive: "a write that was given up is carried out"
            case .restore: "the store is restored"
            case .replicateConfig: "the config reaches the second region"
            case .replicateHistory: "the history reaches the second region"
            case .tamper(let tampering): "a stranger: \(tampering)"
            case .expire: "everything signed so far expires"
            case .unlock: "the lock runs out"
            }
        return what + "; served \(Self.words(next.world.primary.served))"
    }

    private func told(_ index: Int, _ state: State, _ next: State) -> String {
        let actor = state.actors[index]
        let request = actor.machine.pending.map(Self.words) ?? "nothing"
        let verdict = next.actors[index].machine.verdict
        return "\(actor.name): \(request)"
            + (verdict.map { " -> \(Coverage.name(of: $0))" } ?? "")
    }

    private static func words(_ request: StoreRequest) -> String {
        switch request {
        case .readServed: "read served"
        case .readHistory: "read history"
        case .readLedger: "read ledger"
        case .judge: "judge"
        case .sign(let source, let version): "sign \(version) of \(words(source))"
        case .record(let record): "record \(words(record))"
        case .claim(let document): "claim \(words(document))"
        case .readClaim(let version): "read claim \(version)"
        case .swap(let document, let condition): "swap \(words(document)) if \(words(condition))"
        case .putBundle(let document): "put bundle \(words(document))"
        case .readBundle(let document): "read bundle \(words(document))"
        }
    }

    private static func words(_ document: DocumentFacts) -> String {
        "\(document.version)/\(document.payload.number)"
    }

    private static func words(_ found: FoundDocument?) -> String {
        switch found {
        case nil: "nothing"
        case .genuine(let facts, _)?: words(facts)
        case .distrusted(let facts, _)?: "\(words(facts)) distrusted"
        case .junk?: "junk"
        }
    }

    private static func words(_ condition: SwapCondition) -> String {
        switch condition {
        case .absent: "nothing is there"
        case .matches(let tag): "tag \(tag.text)"
        }
    }

    private static func words(_ record: LedgerRecord) -> String {
        switch record {
        case .observed(let document): "observed \(words(document))"
        case .claimed(let document, _): "claimed \(words(document))"
        case .swapped(let document, let result): "\(result.rawValue) \(words(document))"
        case .bundled(let document): "bundled \(words(document))"
        case .refused(_, let code): "refused: \(code)"
        }
    }
}
