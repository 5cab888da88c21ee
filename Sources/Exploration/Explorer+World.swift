import PublishProtocol

extension Explorer {
    enum Answer {
        case answer(StoreEvent)
        /// Something happened on the way, and the request is still open.
        case pause
        /// It waits for somebody else.
        case blocked
    }

    /// Carries a request out as the world does, or as a mutant's wrapper has it.
    func carryOut(_ request: StoreRequest, by index: Int, _ next: inout State) -> Answer {
        if case .readLedger = request {
            let view = next.world.ledger.view
            next.actors[index].mark = max(view.highestServed ?? 0, view.highestBundle ?? 0)
        }
        if let mutant, let answer = mutated(mutant, request, index, &next) { return answer }
        return .answer(honest(request, by: index, &next))
    }

    func honest(_ request: StoreRequest, by index: Int, _ next: inout State) -> StoreEvent {
        let region = next.world.region(ofReplica: next.actors[index].readsReplica)
        switch request {
        case .readServed: return .served(region.reading(next.world.defect))
        case .readHistory(let floor): return .history(region.history(downTo: floor))
        case .readLedger: return .ledger(next.world.ledger.view)
        case .judge: return .judged(scenario.refuses ? [.demo] : [])
        case .sign(let source, let version):
            return sign(of: source, version, by: index, &next)
        case .record(let record): return .recorded(next.world.write(record))
        case .claim, .swap, .putBundle: return .wrote(next.world.primary.apply(request))
        case .readClaim(let version): return .found(region.claim(version))
        case .readBundle(let document): return .found(region.bundle(document))
        }
    }

    /// Every signature over a config is a new content: the times in it are others.
    func sign(
        of source: DocumentFacts, _ version: Int64, by index: Int, _ next: inout State
    ) -> StoreEvent {
        if scenario.isDone(source, version, next.actors[index].machine) { return .nothingToDo }
        if scenario.signerRemembers {
            guard source.version >= next.world.floor else { return .outdated }
            next.world.floor = max(next.world.floor, version)
        }
        let document = next.world.signed(version)
        if case .publication(let machine) = next.actors[index].machine,
            source.version < machine.base.ledger.highestServed ?? 0
        {
            next.world.stale.append(document.payload)
        }
        return .signed(document, scenario.refuses ? [.demo] : [])
    }

    private func mutated(
        _ mutant: Mutant, _ request: StoreRequest, _ index: Int, _ next: inout State
    ) -> Answer? {
        let machine = next.actors[index].machine
        switch (mutant, request) {
        case (.blindPut, .swap(let document, _)):
            next.world.primary.served = .genuine(document, defect: nil)
            return .answer(.wrote(.done))
        case (.readCheckPut, .swap(let document, let condition)):
            return checkThenPut(document, condition, index, &next)
        case (.staleRetry, .swap(let document, let condition)):
            return retry(document, condition, index, &next)
        case (.timedLock, .readServed) where machine.isReading && !next.actors[index].isLocking:
            guard next.world.lock == nil else { return .blocked }
            next.world.lock = index
            next.actors[index].isLocking = true
            return .pause
        case (.timedLock, .swap(let document, _)):
            next.world.primary.served = .genuine(document, defect: nil)
            return .answer(.wrote(.done))
        case (.noClaim, .claim): return .answer(.wrote(.done))
        case (.noClaim, .record(.claimed)), (.storeMarks, .record(.claimed)):
            return .answer(.recorded(.written))
        case (.storeMarks, .readLedger): return .answer(.ledger(LedgerView()))
        case (.lateLedger, .record(let record)):
            return putOff(record, index, &next)
        case (.earlyBundle, .readServed):
            guard case .bundle = machine, let newest = next.world.primary.claims.last else {
                return nil
            }
            return .answer(
                .served(.present(newest.found, tag: Documents.tag(of: newest.name.envelope))))
        case (.versionReadBack, .readServed) where !machine.isReading:
            guard let document = machine.document,
                next.world.primary.version == document.version
            else { return nil }
            return .answer(.served(Documents.serving(document)))
        case (.versionClaim, .readClaim(let version)):
            guard let document = machine.document, next.world.primary.claim(version) != nil else {
                return nil
            }
            return .answer(.found(.genuine(document, defect: nil)))
        case (.staleSource, .sign(_, let version)):
            guard let served = machine.base.served.genuineFacts else { return nil }
            return .answer(sign(of: served, version, by: index, &next))
        case (.ignoredLoss, .claim):
            _ = next.world.primary.apply(request)
            return .answer(.wrote(.done))
        case (.overwritingStore, .claim(let document)):
            next.world.primary.put(claim: .genuine(document, defect: nil), document)
            return .answer(.wrote(.done))
        case (.unconfirmedBundle, .readServed) where !machine.isReading:
            guard case .bundle = machine else { return nil }
            return .answer(.served(machine.base.served))
        case (.forgetfulBundle, .readLedger), (.forgetfulBundle, .readHistory):
            guard case .bundle = machine else { return nil }
            if case .readLedger = request { return .answer(.ledger(LedgerView())) }
            return .answer(.history(History()))
        default: return nil
        }
    }

    private func checkThenPut(
        _ document: DocumentFacts, _ condition: SwapCondition, _ index: Int, _ next: inout State
    ) -> Answer {
        let reading = next.world.primary.reading(nil)
        guard next.actors[index].checked == nil else {
            next.actors[index].checked = nil
            next.world.primary.served = .genuine(document, defect: nil)
            return .answer(.wrote(.done))
        }
        guard SwapCondition(base: reading) == condition else { return .answer(.wrote(.lost)) }
        next.actors[index].checked = reading.tag
        return .pause
    }

    private func retry(
        _ document: DocumentFacts, _ condition: SwapCondition, _ index: Int, _ next: inout State
    ) -> Answer {
        if let tag = next.actors[index].checked {
            next.actors[index].checked = nil
            return .answer(.wrote(next.world.primary.apply(.swap(document, .matches(tag)))))
        }
        let answer = next.world.primary.apply(.swap(document, condition))
        guard answer == .lost, let tag = next.world.primary.reading(nil).tag else {
            return .answer(.wrote(answer))
        }
        next.actors[index].checked = tag
        return .pause
    }

    private func putOff(
        _ record: LedgerRecord, _ index: Int, _ next: inout State
    ) -> Answer? {
        if case .claimed = record {
            next.actors[index].owed = record
            return .answer(.recorded(.written))
        }
        if let owed = next.actors[index].owed {
            next.actors[index].owed = nil
            _ = next.world.write(owed)
            return .pause
        }
        return nil
    }
}
