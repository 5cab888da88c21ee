import PublishProtocol
import Testing

private let served = ModelWorld.document(3, author: 1)
private let bundle = ModelWorld.document(3, author: 101)

private func serving(_ document: DocumentFacts, defect: String? = nil) -> ServedReading {
    .present(.genuine(document, defect: defect), tag: ModelWorld.tag(document))
}

private func run(
    _ machine: inout BundleRelease, _ events: [StoreEvent]
) -> (requests: [StoreRequest], verdict: Verdict?) {
    var requests: [StoreRequest] = []
    var step = machine.begin()
    for event in events {
        guard case .request(let request) = step else { break }
        requests.append(request)
        step = machine.handle(event)
    }
    switch step {
    case .request(let request): return (requests + [request], nil)
    case .verdict(let verdict): return (requests, verdict)
    }
}

private func base(
    _ reading: ServedReading, history: History = History(), mark: Int64 = 3
) -> [StoreEvent] {
    let ledger = LedgerView(highestServed: mark, lastServed: reading.genuineFacts?.payload)
    let isBehind = (reading.version ?? 0) < max(mark, history.highestBundle ?? 0)
    return [.served(reading), .history(history), .ledger(ledger)]
        + (isBehind ? [.served(reading)] : [])
}

@Suite struct BundleReleaseTests {
    @Test func `A release asks in the order of the protocol`() {
        var machine = BundleRelease(.init())
        let (requests, verdict) = run(
            &machine,
            base(serving(served)) + [
                .signed(bundle, []), .recorded(.written), .wrote(.done), .served(serving(served)),
            ])
        #expect(
            requests == [
                .readServed, .readHistory(downTo: 3), .readLedger, .sign(of: served, version: 3),
                .record(.bundled(bundle)), .putBundle(bundle), .readServed,
            ])
        #expect(verdict == .released(bundle))
    }

    @Test(
        arguments: [
            (2, nil), (3, nil), (4, Refusal.bundleAboveServed(4, served: 3)),
        ] as [(Int64, Refusal?)])
    func `A finished bundle is at or below the served version`(
        _ version: Int64, _ refusal: Refusal?
    ) {
        let finished = ModelWorld.document(version, author: 101)
        var machine = BundleRelease(.init(finished: finished))
        let (requests, verdict) = run(&machine, base(serving(served)) + [.judged([])])
        if let refusal {
            #expect(verdict == nil)
            #expect(requests.last == .record(.refused(finished, code: refusal.code)))
            #expect(machine.handle(.recorded(.written)) == .verdict(.refused([refusal])))
        } else {
            #expect(requests.last == .record(.bundled(finished)))
        }
    }

    @Test(arguments: [
        (
            ServedReading.absent,
            [Refusal.servedUnusable(code: nil), .rolledBack(served: nil, mark: 3)]
        ),
        (
            serving(served, defect: "payload.expired"),
            [.servedUnusable(code: "payload.expired")]
        ),
        (
            .present(.junk(envelope: bundle.envelope, code: "signature.invalid"), tag: .init("x")),
            [
                .servedUnusable(code: "signature.invalid"),
                .rolledBack(served: nil, mark: 3),
            ]
        ),
        (
            serving(ModelWorld.document(2, author: 1)), [.rolledBack(served: 2, mark: 3)]
        ),
    ])
    func `A served copy that is bad, missing or rolled back blocks every bundle`(
        _ reading: ServedReading, _ refusals: [Refusal]
    ) {
        var machine = BundleRelease(.init())
        let (requests, verdict) = run(&machine, base(reading) + [.recorded(.written)])
        #expect(verdict == .refused(refusals))
        #expect(!requests.contains { if case .sign = $0 { true } else { false } })
    }

    @Test func `A store that goes back meanwhile is noticed before the bundle is given out`() {
        var machine = BundleRelease(.init())
        let (_, verdict) = run(
            &machine,
            base(serving(served)) + [
                .signed(bundle, []), .recorded(.written), .wrote(.done),
                .served(serving(ModelWorld.document(2, author: 1))), .recorded(.written),
            ])
        #expect(verdict == .broken(.rolledBack(served: 2, mark: 3)))
        #expect(machine.alarms == [.rolledBack(served: 2, mark: 3)])
    }

    @Test func `A bundle that is there already is released, another document in its place is not`()
    {
        let start =
            base(serving(served)) + [
                .signed(bundle, []), .recorded(.written), .wrote(.lost),
            ]
        var same = BundleRelease(.init())
        #expect(
            run(&same, start + [.found(.genuine(bundle, defect: nil)), .served(serving(served))])
                .verdict == .released(bundle))
        var other = BundleRelease(.init())
        let junk = FoundDocument.junk(envelope: bundle.envelope, code: "envelope.malformed")
        #expect(
            run(&other, start + [.found(junk), .recorded(.written)]).verdict
                == .broken(.bundleTaken(bundle)))
    }

    @Test func `A store that looks rolled back is read again before a bundle is refused`() {
        var machine = BundleRelease(.init())
        let old = serving(ModelWorld.document(2, author: 1))
        let start: [StoreEvent] = [
            .served(old), .history(History()),
            .ledger(LedgerView(highestServed: 3, lastServed: served.payload)),
        ]
        let (requests, _) = run(&machine, start + [.served(serving(served))])
        #expect(requests.last == .sign(of: served, version: 3))
        #expect(machine.alarms.isEmpty)
    }

    @Test func `Another content under the served number blocks every bundle`() {
        var machine = BundleRelease(.init())
        let own = ModelWorld.document(3, author: 2)
        let (_, verdict) = run(
            &machine,
            base(serving(served), history: History(claims: [own])) + [.recorded(.written)])
        #expect(verdict == .refused([.otherContent(3)]))
        #expect(machine.alarms == [.otherContent(3)])
    }

    @Test(arguments: [true, false])
    func `Without a config URL a number is one content's`(_ isSame: Bool) {
        let known = isSame ? bundle.payload : served.payload
        for (history, ledger) in [
            (History(highestBundle: 3, highestBundlePayloads: [known]), LedgerView()),
            (History(), LedgerView(highestBundle: 3, highestBundlePayloads: [known])),
        ] {
            var machine = BundleRelease(.init(finished: bundle, isServed: false))
            let (requests, _) = run(
                &machine,
                [.served(.absent), .history(history), .ledger(ledger), .judged([])])
            #expect(
                requests.last
                    == .record(
                        isSame ? .bundled(bundle) : .refused(bundle, code: "version.not-above")))
        }
    }

    @Test func `Without a config URL the number is above every earlier bundle or the same`() {
        for (version, isRefused) in [(Int64(3), false), (2, true), (4, false)] {
            let finished = ModelWorld.document(version, author: 101)
            var machine = BundleRelease(.init(finished: finished, isServed: false))
            let (requests, _) = run(
                &machine, base(.absent, history: History(highestBundle: 3), mark: 0) + [.judged([])]
            )
            let wanted: LedgerRecord =
                isRefused ? .refused(finished, code: "version.not-above") : .bundled(finished)
            #expect(requests.last == .record(wanted))
        }
    }

    @Test func `A rehearsal without writing signs nothing`() {
        var machine = BundleRelease(.init(isDryRun: true))
        let (requests, verdict) = run(&machine, base(serving(served)))
        #expect(verdict == .wouldPublish(served))
        #expect(requests.count == 3)
    }
}
