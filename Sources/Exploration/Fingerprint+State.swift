import PublishProtocol

extension Fingerprint {
    /// Takes a state in its one form: actors that do the same are put in an order of their own.
    mutating func take(_ state: State) {
        reset()
        add(state.world)
        var keys: [(key: UInt128, index: Int)] = []
        keys.reserveCapacity(state.actors.count)
        for index in state.actors.indices {
            var local = Fingerprint(names: names)
            local.add(state.actors[index], hasLock: state.world.lock == index)
            keys.append((local.value, index))
        }
        keys.sort { $0.key < $1.key }
        for (_, index) in keys {
            add(state.actors[index], hasLock: state.world.lock == index)
        }
    }

    private mutating func add(_ world: World) {
        add(world.primary)
        add(world.replica != nil)
        if let replica = world.replica { add(replica) }
        add(world.ledger.view)
        add(world.everServed.count)
        for document in world.everServed { add(document) }
        add(world.stale.count)
        for digest in world.stale { add(digest) }
        add(world.floor)
        add(world.late.count)
        for request in world.late { add(request) }
        var bits: UInt64 = 0
        for number in [
            world.budget.crashes, world.budget.losses, world.budget.restores,
            world.budget.failures, world.budget.hands, world.budget.expiries,
            world.wasRestored ? 1 : 0, world.wasTampered ? 1 : 0, world.isExpired ? 1 : 0,
            world.lock == nil ? 0 : 1,
        ] {
            bits = bits << 6 | UInt64(number)
        }
        add(bits)
    }

    /// A write that is still on its way.
    private mutating func add(_ request: StoreRequest) {
        switch request {
        case .claim(let document):
            add(1 as UInt64)
            add(document)
        case .swap(let document, let condition):
            add(2 as UInt64)
            add(document)
            add(condition)
        case .putBundle(let document):
            add(3 as UInt64)
            add(document)
        case .record(let record):
            add(4 as UInt64)
            if case .claimed(let document, _) = record { add(document) }
        case .readServed, .readHistory, .readLedger, .judge, .sign, .readClaim, .readBundle:
            add(5 as UInt64)
        }
    }

    private mutating func add(_ actor: Actor, hasLock: Bool) {
        add(actor.readsReplica)
        if actor.machine.isReading { add(actor.mark) }
        add(hasLock)
        add(actor.isLocking)
        add(actor.owed != nil)
        add(actor.checked != nil)
        if let tag = actor.checked { add(tag) }
        switch actor.machine {
        case .publication(let machine): add(machine)
        case .bundle(let machine): add(machine)
        }
    }

    private mutating func add(_ machine: Publication) {
        switch machine.plan.kind {
        case .push(let document, let expectations):
            add(1 as UInt64)
            add(document)
            add(expectations.servedVersion ?? -1)
        case .rebasing: add(2 as UInt64)
        case .recovering(let document, let known):
            add(3 as UInt64)
            add(known)
            add(document)
        }
        add(machine.plan.isDryRun)
        if case .ended(let verdict) = machine.phase {
            add(20 as UInt64)
            return add(verdict)
        }
        add(machine.tries)
        add(machine.sends)
        add(machine.hasSwapped)
        add(machine.document)
        switch machine.phase {
        case .start, .ended: add(21 as UInt64)
        case .reading: addReading(1, machine.reading)
        case .observing: addReading(2, machine.reading)
        case .judging: addReading(3, machine.reading)
        case .signing: addReading(4, machine.reading)
        // Past the check nothing but what was served is looked at again.
        case .claiming: addServed(5, machine.base)
        case .readingClaim: addServed(6, machine.base)
        case .recordingClaim: addServed(7, machine.base)
        case .swapping(let condition):
            addServed(8, machine.base)
            add(condition)
        case .readingBack(let condition, let answer):
            addServed(9, machine.base)
            add(condition)
            add(answer == .done)
        case .readingLedgerBack(let facts):
            add(10 as UInt64)
            add(facts)
        case .recording(let verdict):
            add(11 as UInt64)
            add(verdict)
        }
    }

    private mutating func add(_ machine: BundleRelease) {
        add(machine.plan.isDryRun)
        add(machine.plan.isServed)
        add(machine.plan.finished)
        if case .ended(let verdict) = machine.phase {
            add(20 as UInt64)
            return add(verdict)
        }
        add(machine.sends)
        add(machine.document)
        switch machine.phase {
        case .start, .ended: add(21 as UInt64)
        case .reading: addReading(1, machine.reading)
        case .observing: addReading(2, machine.reading)
        case .judging: addReading(3, machine.reading)
        case .signing: addReading(4, machine.reading)
        // Past the check nothing of the base is looked at again.
        case .recordingBundle: add(5 as UInt64)
        case .putting: add(6 as UInt64)
        case .readingBundle: add(7 as UInt64)
        case .confirming: add(8 as UInt64)
        case .recording(let verdict):
            add(9 as UInt64)
            add(verdict)
        }
    }

    private mutating func addReading(_ phase: UInt64, _ reading: BaseReading) {
        add(phase)
        switch reading.phase {
        case .served: add(1 as UInt64)
        case .history: add(2 as UInt64)
        case .ledger: add(3 as UInt64)
        case .servedAgain: add(4 as UInt64)
        case .complete: add(5 as UInt64)
        }
        add(reading.base.served)
        add(reading.base.history)
        add(reading.base.ledger)
    }

    private mutating func addServed(_ phase: UInt64, _ base: Publication.Base) {
        add(phase)
        add(base.served)
    }

    private mutating func add(_ verdict: Verdict) {
        switch verdict {
        case .unchanged(let facts): add(1, facts)
        case .published(let facts): add(2, facts)
        case .released(let facts): add(3, facts)
        case .wouldPublish(let facts): add(4, facts)
        case .superseded(let facts, let newer):
            add(5, facts)
            add(newer)
        case .lost(let facts, _): add(6, facts)
        case .taken(let facts): add(7, facts)
        case .refused(let refusals):
            add(8 as UInt64)
            add(refusals.count)
        case .broken: add(9 as UInt64)
        case .unsettled(let facts): add(10, facts)
        case .failed(_, let mayBePublished):
            add(11 as UInt64)
            add(mayBePublished)
        }
    }

    private mutating func add(_ kind: UInt64, _ document: DocumentFacts?) {
        add(kind)
        add(document)
    }
}
