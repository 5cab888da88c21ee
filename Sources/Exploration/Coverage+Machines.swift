import PublishProtocol

extension Coverage.Station {
    private init(_ reading: BaseReading) {
        switch reading.phase {
        case .served: self = .served
        case .history: self = .history
        case .ledger: self = .ledger
        case .servedAgain, .complete: self = .servedAgain
        }
    }

    /// Nil where no answer is awaited.
    init?(_ machine: Publication) {
        switch machine.phase {
        case .start, .ended: return nil
        case .reading: self = Self(machine.reading)
        case .observing: self = .observing
        case .judging: self = .judging
        case .signing: self = .signing
        case .claiming: self = .claiming
        case .readingClaim: self = .readingClaim
        case .recordingClaim: self = .recordingClaim
        case .swapping: self = .swapping
        case .readingBack: self = .readingBack
        case .readingLedgerBack: self = .readingLedgerBack
        case .recording: self = .recording
        }
    }

    init?(_ machine: BundleRelease) {
        switch machine.phase {
        case .start, .ended: return nil
        case .reading: self = Self(machine.reading)
        case .observing: self = .observing
        case .judging: self = .judging
        case .signing: self = .signing
        case .recordingBundle: self = .recordingBundle
        case .putting: self = .putting
        case .readingBundle: self = .readingBundle
        case .confirming: self = .confirming
        case .recording: self = .recording
        }
    }
}

extension Coverage.Outcome {
    init(_ event: StoreEvent, at station: Coverage.Station, _ machine: Publication) {
        switch (event, station) {
        case (.served(let reading), .readingBack):
            self = Self(readBack: reading, machine)
        case (.ledger(let ledger), .readingLedgerBack):
            let mark = max(ledger.highestServed ?? 0, ledger.highestBundle ?? 0)
            self = machine.document?.version ?? 0 < mark ? .behind : .inOrder
        default: self = Self(event, machine.base, machine.document)
        }
    }

    init(_ event: StoreEvent, at station: Coverage.Station, _ machine: BundleRelease) {
        switch (event, station) {
        case (.served(let reading), .confirming):
            self = reading.version ?? 0 < machine.document?.version ?? 0 ? .behind : .inOrder
        default: self = Self(event, machine.base, machine.document)
        }
    }

    private init(_ event: StoreEvent, _ base: Publication.Base, _ document: DocumentFacts?) {
        switch event {
        case .served(.absent): self = .absent
        case .served(.present(.genuine(_, nil), _)): self = .genuine
        case .served(.present(.genuine, _)): self = .unusable
        case .served(.present(.distrusted, _)): self = .distrusted
        case .served(.present(.junk, _)): self = .junk
        case .history(let history):
            self = history.junkClaims.isEmpty && history.junkBundles.isEmpty ? .inOrder : .junk
        case .ledger(let ledger):
            let marks = Marks(served: base.served, history: base.history, ledger: ledger)
            self = marks.isRolledBack(base.served) ? .behind : .inOrder
        case .judged(let refusals), .signed(_, let refusals):
            self = refusals.isEmpty ? .accepted : .refused
        case .nothingToDo: self = .nothingToDo
        case .outdated: self = .outdated
        case .recorded(.written): self = .written
        case .recorded(.conflict): self = .conflict
        case .wrote(.done): self = .done
        case .wrote(.lost): self = .lost
        case .wrote(.notKnown): self = .notKnown
        case .found(nil): self = .absent
        case .found(.genuine(let facts, _)?):
            self = facts.payload == document?.payload ? .ours : .sameNumber
        case .found(.distrusted?): self = .distrusted
        case .found(.junk?): self = .junk
        case .failed: self = .failed
        }
    }

    private init(readBack reading: ServedReading, _ machine: Publication) {
        let version = machine.document?.version ?? 0
        switch reading {
        case .absent: self = .absent
        case .present(.distrusted, _): self = .distrusted
        case .present(.junk, _): self = .junk
        case .present(.genuine(let facts, let defect), _):
            if facts.payload == machine.document?.payload {
                self = defect == nil ? .ours : .oursUnusable
            } else if facts.version == version {
                self = .sameNumber
            } else if facts.version > version {
                self = .newer
            } else {
                self =
                    SwapCondition(base: reading) == SwapCondition(base: machine.base.served)
                    ? .same : .older
            }
        }
    }
}
