import PublishProtocol

/// What a search found besides states.
struct Findings: Sendable {
    var violations: Set<Invariant> = []
    var coverage = Coverage()
    var verdicts: Set<String> = []
}

extension Explorer {
    /// Somebody who sees everything: compares each state with the one before.
    ///
    /// - Parameter actor: whose step it was.
    func observe(
        _ next: inout State, before: State, actor: Int?, _ findings: inout Findings
    ) {
        let served = next.world.primary.served
        let isChanged = served != before.world.primary.served
        if isChanged { observeServed(&next, before, &findings) }
        if !next.world.wasRestored, !next.world.wasTampered, scenario.isServed {
            let version = next.world.primary.version
            if next.world.primary.bundles.contains(where: { $0.name.version > version }) {
                findings.violations.insert(.bundleBound)
            }
        }
        guard let actor else { return }
        let machine = next.actors[actor].machine
        let earlier = before.actors[actor].machine
        if earlier.isReading, !machine.isReading, !machine.hasFailed {
            observeReading(machine, next.actors[actor].mark, &findings)
        }
        if earlier.verdict == nil, let verdict = machine.verdict {
            observe(verdict, of: machine, next.world, &findings)
        }
    }

    private func observeServed(
        _ next: inout State, _ before: State, _ findings: inout Findings
    ) {
        if next.world.primary.version < before.world.primary.version {
            findings.violations.insert(.servedMonotone)
        }
        guard case .genuine(let facts, _)? = next.world.primary.served else {
            findings.violations.insert(.whole)
            return
        }
        if let known = next.world.served(under: facts.version) {
            if known.payload != facts.payload { findings.violations.insert(.oneContent) }
        } else {
            next.world.remember(facts)
        }
        if next.world.stale.contains(facts.payload) { findings.violations.insert(.newestSource) }
        guard !next.world.wasRestored, !next.world.wasTampered else { return }
        if next.world.primary.claim(facts.version)?.genuineFacts?.envelope != facts.envelope {
            findings.violations.insert(.claimed)
        }
    }

    /// A run that has read everything knows whether the store went back, and says so.
    ///
    /// - Parameter mark: what the ledger says, whatever the machine was told.
    private func observeReading(
        _ machine: Machine, _ mark: Int64, _ findings: inout Findings
    ) {
        guard machine.base.served.version ?? 0 < mark else { return }
        let isSaid = machine.alarms.contains { if case .rolledBack = $0 { true } else { false } }
        switch machine {
        case .publication:
            if !isSaid { findings.violations.insert(.rolledBack) }
        case .bundle(let release) where release.plan.isServed:
            let goesOn: Bool
            switch release.phase {
            case .recording(.refused), .ended(.refused): goesOn = false
            default: goesOn = true
            }
            if !isSaid || goesOn { findings.violations.insert(.rolledBack) }
        case .bundle: break
        }
    }

    private func observe(
        _ verdict: Verdict, of machine: Machine, _ world: World, _ findings: inout Findings
    ) {
        findings.verdicts.insert(Coverage.name(of: verdict))
        switch verdict {
        case .published(let facts), .unchanged(let facts):
            if !world.wasTampered || mutant == .versionReadBack,
                world.served(under: facts.version)?.payload != facts.payload
            {
                findings.violations.insert(.readBack)
            }
        case .released(let facts):
            guard case .bundle(let release) = machine, release.plan.isServed else { return }
            if facts.version > world.primary.version, !world.wasTampered {
                findings.violations.insert(.rolledBack)
            }
        case .lost where world.wasRestored || world.wasTampered, .taken where world.wasRestored:
            // What was read back as changed may have changed back, and a late write come through.
            break
        case .lost, .taken, .failed(.swap, mayBePublished: false):
            guard case .publication = machine, let document = machine.document else { return }
            if world.primary.served?.genuineFacts?.payload == document.payload {
                findings.violations.insert(.readBack)
            }
        case .wouldPublish, .superseded, .refused, .broken, .unsettled, .failed: break
        }
    }
}
