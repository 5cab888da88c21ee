import PublishProtocol

/// What happens next: to one actor, or to the world.
enum Action: Sendable, Hashable {
    /// The request is carried out and answered.
    case step(Int)
    /// Carried out, answer lost; not carried out, answer lost; the same, and carried out later.
    case loseAnswer(Int)
    case drop(Int)
    case delay(Int)
    /// The request fails for certain.
    case fail(Int)
    /// Dies before the request; or after it was carried out, before the answer. The same command
    /// runs again.
    case crash(Int)
    case crashAfter(Int)
    /// The store carries out a write that was given up.
    case arrive(Int)
    case restore
    /// One object reaches the second region: the config, or the history.
    case replicateConfig, replicateHistory
    /// A stranger writes into the store.
    case tamper(Tampering)
    case expire
    /// The lock of a protocol that has one runs out.
    case unlock

    enum Tampering: Int, Sendable, Hashable, CaseIterable {
        case junkServed, folderServed, distrustedServed, nothingServed, otherServed, farServed
        case junkClaim, distrustedClaim, junkBundle, junkUnderOurBundle
    }
}

/// The rules of the world: what can happen in a state, and what comes of it.
struct Explorer: Sendable {
    let scenario: Scenario

    var mutant: Mutant? { scenario.mutant }

    var initial: State { State(world: scenario.world, actors: scenario.actors) }

    /// Everything that can happen in a state.
    func actions(in state: State) -> [Action] {
        var actions: [Action] = []
        let budget = state.world.budget
        for (index, actor) in state.actors.enumerated() {
            guard let request = actor.machine.pending else {
                if budget.crashes > 0, mayRunAgain(actor.machine.verdict) {
                    actions.append(.crash(index))
                }
                continue
            }
            actions.append(.step(index))
            if budget.losses > 0, request.isStoreWrite, actor.checked == nil {
                actions += [.loseAnswer(index), .drop(index), .delay(index)]
            }
            if budget.failures > 0 { actions.append(.fail(index)) }
            if budget.crashes > 0 {
                actions.append(.crash(index))
                if request.isWrite { actions.append(.crashAfter(index)) }
            }
        }
        for index in state.world.late.indices { actions.append(.arrive(index)) }
        if budget.restores > 0 { actions.append(.restore) }
        if let replica = state.world.replica {
            if replica.served != state.world.primary.served { actions.append(.replicateConfig) }
            if replica.claims.count != state.world.primary.claims.count
                || replica.bundles.count != state.world.primary.bundles.count
            {
                actions.append(.replicateHistory)
            }
        }
        if budget.hands > 0 { actions += scenario.tamperings.map { .tamper($0) } }
        if budget.expiries > 0 { actions.append(.expire) }
        if state.world.lock != nil { actions.append(.unlock) }
        return actions
    }

    /// A person repeats a command that said neither yes nor no.
    private func mayRunAgain(_ verdict: Verdict?) -> Bool {
        switch verdict {
        case .unsettled?, .failed?: true
        default: false
        }
    }

    /// What comes of an action; nil where it is blocked.
    func successor(_ state: State, _ action: Action, _ findings: inout Findings) -> State? {
        var next = state
        var actor: Int?
        switch action {
        case .step(let index):
            actor = index
            guard let request = state.actors[index].machine.pending else { return nil }
            switch carryOut(request, by: index, &next) {
            case .blocked: return nil
            case .pause: break
            case .answer(let event): take(event, at: index, &next, &findings)
            }
        case .loseAnswer(let index), .drop(let index), .delay(let index):
            actor = index
            guard let request = state.actors[index].machine.pending else { return nil }
            next.world.budget.losses -= 1
            if case .loseAnswer = action { _ = next.world.primary.apply(request) }
            if case .delay = action { next.world.late.append(request) }
            take(mutant == .hastyFailure ? .failed : .wrote(.notKnown), at: index, &next, &findings)
        case .fail(let index):
            actor = index
            next.world.budget.failures -= 1
            take(.failed, at: index, &next, &findings)
        case .crash(let index):
            next.world.budget.crashes -= 1
            next.actors[index].restart()
        case .crashAfter(let index):
            guard let request = state.actors[index].machine.pending else { return nil }
            guard case .answer = carryOut(request, by: index, &next) else { return nil }
            next.world.budget.crashes -= 1
            next.actors[index].restart()
        case .arrive(let index):
            let request = next.world.late.remove(at: index)
            _ = next.world.primary.apply(request)
        case .restore:
            next.world.budget.restores -= 1
            next.world.wasRestored = true
            next.world.primary = scenario.backup
        case .replicateConfig: next.world.replica?.served = next.world.primary.served
        case .replicateHistory:
            next.world.replica?.claims = next.world.primary.claims
            next.world.replica?.bundles = next.world.primary.bundles
        case .tamper(let tampering): tamper(tampering, &next.world)
        case .expire:
            next.world.budget.expiries -= 1
            next.world.isExpired = true
        case .unlock: next.world.lock = nil
        }
        switch action {
        case .restore, .tamper: break
        default: observe(&next, before: state, actor: actor, &findings)
        }
        return next
    }

    /// Hands an answer to a machine, and notes which transition that was.
    private func take(
        _ event: StoreEvent, at index: Int, _ next: inout State, _ findings: inout Findings
    ) {
        let before = next.actors[index].machine
        findings.coverage.note(before, event)
        next.actors[index].machine.handle(event)
        if next.actors[index].isLocking, next.actors[index].machine.verdict != nil {
            if next.world.lock == index { next.world.lock = nil }
            next.actors[index].isLocking = false
        }
    }

    private func tamper(_ tampering: Action.Tampering, _ world: inout World) {
        world.budget.hands -= 1
        world.wasTampered = true
        let junk = FoundDocument.junk(
            envelope: ContentDigest(number: 901), code: "signature.invalid")
        let far = Documents.document(5_000, content: 902)
        let next = Documents.document(scenario.next, content: 903)
        switch tampering {
        case .junkServed: world.primary.served = junk
        case .folderServed:
            world.primary.served = .junk(
                envelope: ContentDigest(number: 904), code: FoundDocument.notAFile)
        case .distrustedServed:
            world.primary.served = .distrusted(next, code: "header.unknown-kid")
        case .farServed: world.primary.served = .distrusted(far, code: "header.unknown-kid")
        case .nothingServed: world.primary.served = nil
        case .otherServed: world.primary.served = .genuine(next, defect: nil)
        case .junkClaim: world.primary.put(claim: junk, next)
        case .distrustedClaim:
            world.primary.put(claim: .distrusted(next, code: "header.unknown-kid"), next)
        case .junkUnderOurBundle:
            world.primary.put(bundle: junk, Documents.document(1, content: 101))
        case .junkBundle:
            world.primary.put(
                bundle: junk, Documents.document(scenario.next, content: 905))
        }
    }
}

extension StoreRequest {
    /// Whether it goes to the store, so that its answer can be lost on the way.
    var isStoreWrite: Bool {
        switch self {
        case .claim, .swap, .putBundle: true
        case .readServed, .readHistory, .readLedger, .judge, .sign, .record, .readClaim,
            .readBundle:
            false
        }
    }
}
