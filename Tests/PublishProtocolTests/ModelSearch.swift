import PublishProtocol

/// Searches every interleaving of a few actors over a ``ModelWorld``: at each step one of them has
/// its request carried out, or crashes, or its answer is lost.
struct ModelSearch {
    enum Machine: Hashable {
        case publication(Publication)
        case bundle(BundleRelease)

        mutating func begin() -> Step {
            switch self {
            case .publication(var machine):
                defer { self = .publication(machine) }
                return machine.begin()
            case .bundle(var machine):
                defer { self = .bundle(machine) }
                return machine.begin()
            }
        }

        mutating func handle(_ event: StoreEvent) -> Step {
            switch self {
            case .publication(var machine):
                defer { self = .publication(machine) }
                return machine.handle(event)
            case .bundle(var machine):
                defer { self = .bundle(machine) }
                return machine.handle(event)
            }
        }
    }

    struct Actor: Hashable {
        let plan: Machine
        var machine: Machine
        var step: Step
        let signer: Int
        /// A one-shot plan starts again after a crash with the same document.
        init(_ plan: Machine, signer: Int) {
            self.plan = plan
            self.signer = signer
            machine = plan
            step = machine.begin()
        }
    }

    struct State: Hashable {
        var world: ModelWorld
        var actors: [Actor]
        var crashesLeft: Int
        var lossesLeft: Int
        var restoresLeft: Int
        var wasRestored = false
    }

    enum Violation: Hashable, CaseIterable {
        case servedMonotone, bundleBound, oneContent, unclaimed, readBack, releasedWhileBehind
    }

    struct Outcome {
        var states = 0
        var violations: Set<Violation> = []
        var verdicts: Set<Verdict> = []
        var isComplete = true
    }

    var initial: State
    /// What a restore brings back.
    var backup: ModelWorld
    var limit = 8_000

    func run() -> Outcome {
        var outcome = Outcome()
        var seen: Set<State> = [initial]
        var stack = [initial]
        while let state = stack.popLast() {
            outcome.states += 1
            for next in successors(of: state, &outcome) where !seen.contains(next) {
                guard seen.count < limit else {
                    outcome.isComplete = false
                    return outcome
                }
                seen.insert(next)
                stack.append(next)
            }
            if initial.world.mutant != nil, !outcome.violations.isEmpty { return outcome }
        }
        return outcome
    }

    private func successors(of state: State, _ outcome: inout Outcome) -> [State] {
        var result: [State] = []
        for index in state.actors.indices {
            guard case .request(let request) = state.actors[index].step else {
                if case .verdict(let verdict) = state.actors[index].step {
                    outcome.verdicts.insert(verdict)
                }
                continue
            }
            // It goes well.
            var well = state
            let event = well.world.carryOut(request, signer: state.actors[index].signer)
            well.actors[index].step = well.actors[index].machine.handle(event)
            result.append(well)
            if request.isWrite, case .wrote = event, state.lossesLeft > 0 {
                // Carried out, answer lost.
                var lost = state
                lost.lossesLeft -= 1
                _ = lost.world.apply(request)
                lost.actors[index].step = lost.actors[index].machine.handle(.wrote(.notKnown))
                result.append(lost)
                // Not carried out.
                var dropped = state
                dropped.lossesLeft -= 1
                dropped.actors[index].step = dropped.actors[index].machine.handle(
                    .wrote(.notKnown))
                result.append(dropped)
                // Carried out later.
                dropped.world.delayed.insert(request)
                result.append(dropped)
            }
            if state.crashesLeft > 0 {
                // Dies before the request, or after it is carried out and before it is answered.
                for var crashed in [state, well] {
                    crashed.crashesLeft -= 1
                    crashed.actors[index] = Actor(
                        state.actors[index].plan, signer: state.actors[index].signer)
                    result.append(crashed)
                }
            }
        }
        for request in state.world.delayed {
            var late = state
            late.world.delayed.remove(request)
            _ = late.world.apply(request)
            result.append(late)
        }
        for index in result.indices {
            observe(&result[index], before: state, &outcome)
        }
        if state.restoresLeft > 0 {
            var restored = state
            restored.restoresLeft -= 1
            restored.wasRestored = true
            restored.world.served = backup.served
            restored.world.claims = backup.claims
            restored.world.bundles = backup.bundles
            result.append(restored)
        }
        return result
    }

    /// The observer, which sees everything: compares each world with the one before.
    private func observe(_ state: inout State, before: State, _ outcome: inout Outcome) {
        let old = before.world
        let served = state.world.served
        if (served?.version ?? 0) < (old.served?.version ?? 0) {
            outcome.violations.insert(.servedMonotone)
        }
        if let served {
            let known = state.world.everServed[served.version]
            if let known, known != served.payload { outcome.violations.insert(.oneContent) }
            state.world.everServed[served.version] = served.payload
            if state.world.claims[served.version]?.envelope != served.envelope,
                served != old.served, !state.wasRestored
            {
                outcome.violations.insert(.unclaimed)
            }
        }
        if !state.wasRestored,
            state.world.bundles.contains(where: { $0.version > served?.version ?? 0 })
        {
            outcome.violations.insert(.bundleBound)
        }
        for (actor, earlier) in zip(state.actors, before.actors) where actor.step != earlier.step {
            guard case .verdict(let verdict) = actor.step else { continue }
            switch verdict {
            case .published(let facts):
                if state.world.everServed[facts.version] != facts.payload {
                    outcome.violations.insert(.readBack)
                }
            case .released(let facts):
                if facts.version > served?.version ?? 0 {
                    outcome.violations.insert(.releasedWhileBehind)
                }
            default:
                break
            }
        }
    }
}
