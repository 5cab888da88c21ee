import PublishProtocol
import Testing

private let old = ModelWorld.document(1, author: 9)
private let ours = ModelWorld.document(2, author: 1)
private let other = ModelWorld.document(2, author: 2)
private let newer = ModelWorld.document(3, author: 2)

private func serving(_ document: DocumentFacts, defect: String? = nil) -> ServedReading {
    .present(.genuine(document, defect: defect), tag: ModelWorld.tag(document))
}

private let junk = FoundDocument.junk(
    envelope: ContentDigest(number: 7), code: "signature.invalid")
private let servedJunk = ServedReading.present(junk, tag: EntityTag("junk"))

/// Answers the requests of a machine in the order given and says what it asked and how it ended.
private func run(
    _ machine: inout Publication, _ events: [StoreEvent]
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

/// From reading the base to the judgement that nothing speaks against it.
private func base(_ served: ServedReading, seen: DocumentFacts? = nil) -> [StoreEvent] {
    let ledger = LedgerView(
        highestClaim: seen?.version, highestClaimPayloads: seen.map { [$0.payload] } ?? [],
        highestServed: seen?.version, lastServed: seen?.payload)
    let isBehind = (served.version ?? 0) < seen?.version ?? 0
    return [.served(served), .history(History()), .ledger(ledger)]
        + (isBehind ? [.served(served)] : [])
}

@Suite struct PublicationTests {
    private func push(
        _ document: DocumentFacts = ours, expecting: Publication.Expectations = .init(),
        dryRun: Bool = false
    ) -> Publication {
        Publication(.init(.push(document, expecting), isDryRun: dryRun))
    }

    @Test func `A push asks in the order of the protocol`() {
        var machine = push()
        let (requests, verdict) = run(
            &machine,
            base(serving(old), seen: old) + [
                .judged([]), .wrote(.done), .recorded(.written), .wrote(.done),
                .served(serving(ours)), .ledger(LedgerView()), .recorded(.written),
            ])
        let condition = SwapCondition.matches(ModelWorld.tag(old))
        #expect(
            requests == [
                .readServed, .readHistory(downTo: 1), .readLedger,
                .judge(machine.base), .claim(ours),
                .record(.claimed(ours, condition)), .swap(ours, condition), .readServed,
                .readLedger,
                .record(.swapped(ours, .published)),
            ])
        #expect(verdict == .published(ours))
        #expect(machine.alarms.isEmpty)
    }

    @Test func `The first push of a workspace swaps only where nothing is`() {
        var machine = push()
        let (requests, _) = run(
            &machine, base(.absent) + [.judged([]), .wrote(.done), .recorded(.written)])
        #expect(requests.last == .swap(ours, .absent))
    }

    @Test func `What is served already is done, and nothing is written but what was seen`() {
        var known = push()
        let repeated = run(&known, base(serving(ours), seen: ours))
        #expect(repeated.verdict == .unchanged(ours))
        #expect(repeated.requests == [.readServed, .readHistory(downTo: 2), .readLedger])
        var unknown = push()
        let first = run(&unknown, base(serving(ours)) + [.recorded(.written)])
        #expect(first.requests.last == .record(.observed(ours)))
        #expect(first.verdict == .unchanged(ours))
    }

    @Test func `Nothing is claimed when something is refused, and the refusal is recorded`() {
        var machine = push()
        let (requests, verdict) = run(
            &machine, base(serving(old), seen: old) + [.judged([.demo]), .recorded(.written)])
        #expect(verdict == .refused([.demo]))
        #expect(requests.last == .record(.refused(ours, code: "settings.demo")))
        #expect(!requests.contains(.claim(ours)))
    }

    @Test func `A rehearsal without writing ends before the claim`() {
        var machine = push(dryRun: true)
        let (requests, verdict) = run(&machine, base(serving(old)) + [.judged([])])
        #expect(verdict == .wouldPublish(ours))
        #expect(!requests.contains { $0.isWrite })
        var refused = push(dryRun: true)
        let (asked, no) = run(&refused, base(serving(old)) + [.judged([.demo])])
        #expect(no == .refused([.demo]))
        #expect(!asked.contains { $0.isWrite })
    }

    @Test(arguments: [(1, nil), (0, 1), (2, 1)] as [(Int64, Int64?)])
    func `The version that is to be served is held`(_ expected: Int64, _ refusedWith: Int64?) {
        var machine = push(expecting: .init(servedVersion: expected))
        let (_, verdict) = run(&machine, base(serving(old), seen: old))
        if let refusedWith {
            #expect(
                verdict
                    == .refused([.unexpectedServed(expected: expected, served: refusedWith)]))
        } else {
            #expect(verdict == nil)
        }
    }

    @Test func `0 is the number of a workspace without a config`() {
        var machine = push(expecting: .init(servedVersion: 0))
        #expect(run(&machine, base(.absent)).verdict == nil)
    }

    @Test func `A claim taken by the same content goes on with the claimed signature`() {
        var claimed = ours
        claimed.envelope = ContentDigest(number: 4_711)
        var machine = push()
        let (requests, _) = run(
            &machine,
            base(serving(old), seen: old) + [
                .judged([]), .wrote(.lost), .found(.genuine(claimed, defect: nil)),
                .recorded(.written),
            ])
        #expect(requests.last == .swap(claimed, .matches(ModelWorld.tag(old))))
    }

    @Test(arguments: [FoundDocument.genuine(other, defect: nil), junk])
    func `A claim taken by anything else ends a push`(_ found: FoundDocument) {
        var machine = push()
        let (requests, verdict) = run(
            &machine,
            base(serving(old), seen: old) + [
                .judged([]), .wrote(.lost), .found(found), .recorded(.written),
            ])
        #expect(verdict == .taken(ours))
        #expect(requests.last == .record(.refused(ours, code: "version.taken")))
        #expect(machine.alarms == (found == junk ? [.junkClaim(2)] : []))
    }

    @Test func `A number that the ledger gives to another content ends a push before the swap`() {
        var machine = push()
        let (_, verdict) = run(
            &machine,
            base(serving(old), seen: old) + [
                .judged([]), .wrote(.done), .recorded(.conflict), .recorded(.written),
            ])
        #expect(verdict == .taken(ours))
    }

    @Test func `A claim whose answer is not known is read back and sent at most three times`() {
        var machine = push()
        let once: [StoreEvent] = [.wrote(.notKnown), .found(nil)]
        let (requests, verdict) = run(
            &machine, base(serving(old), seen: old) + [.judged([])] + once + once + once)
        #expect(requests.count { $0 == .claim(ours) } == 3)
        #expect(verdict == .unsettled(ours))
    }

    static let upToSwap: [StoreEvent] =
        base(serving(old), seen: old) + [.judged([]), .wrote(.done), .recorded(.written)]

    struct ReadBackCase {
        let answer: WriteAnswer
        let reading: ServedReading
        let verdict: Verdict?
    }

    @Test(arguments: [
        ReadBackCase(answer: .done, reading: serving(ours), verdict: .published(ours)),
        ReadBackCase(answer: .notKnown, reading: serving(ours), verdict: .published(ours)),
        ReadBackCase(answer: .lost, reading: serving(ours), verdict: .published(ours)),
        ReadBackCase(
            answer: .done, reading: serving(newer), verdict: .superseded(ours, by: newer)),
        ReadBackCase(
            answer: .lost, reading: serving(newer), verdict: .superseded(ours, by: newer)),
        ReadBackCase(
            answer: .done, reading: serving(other),
            verdict: .broken(.otherContent(ours, found: .genuine(other, defect: nil)))),
        ReadBackCase(
            answer: .done, reading: serving(ours, defect: "payload.expired"),
            verdict: .broken(.unusable(ours, code: "payload.expired"))),
        ReadBackCase(
            answer: .lost, reading: servedJunk, verdict: .lost(ours, to: servedJunk)),
        ReadBackCase(answer: .notKnown, reading: .absent, verdict: .lost(ours, to: .absent)),
        ReadBackCase(answer: .notKnown, reading: serving(old), verdict: nil),
        ReadBackCase(answer: .done, reading: serving(old), verdict: nil),
    ])
    func `What reads back decides, whatever the swap answered`(_ example: ReadBackCase) {
        var machine = push()
        let (requests, verdict) = run(
            &machine,
            Self.upToSwap + [.wrote(example.answer), .served(example.reading)]
                + (example.verdict == .published(ours) ? [.ledger(LedgerView())] : [])
                + (example.verdict == nil ? [] : [.recorded(.written)]))
        #expect(verdict == example.verdict)
        if example.verdict == nil {
            #expect(requests.last == .swap(ours, .matches(ModelWorld.tag(old))))
        }
    }

    @Test func `A swap that is never found is sent three times`() {
        var machine = push()
        let once: [StoreEvent] = [.wrote(.notKnown), .served(serving(old))]
        let (requests, verdict) = run(&machine, Self.upToSwap + once + once + once)
        #expect(requests.count { if case .swap = $0 { true } else { false } } == 3)
        #expect(verdict == .unsettled(ours))
    }

    @Test func `A failed request says how far the run got`() {
        var early = push()
        #expect(
            run(&early, [.failed]).verdict == .failed(.readServed, mayBePublished: false))
        var lost = push()
        #expect(
            run(&lost, Self.upToSwap + [.wrote(.lost), .failed]).verdict
                == .failed(.readServed, mayBePublished: false))
        var late = push()
        #expect(
            run(&late, Self.upToSwap + [.wrote(.notKnown), .failed]).verdict
                == .failed(.readServed, mayBePublished: true))
    }

    @Test(arguments: [
        (serving(old, defect: "payload.expired"), Alarm.servedUnusable(code: "payload.expired")),
        (servedJunk, .servedUnusable(code: "signature.invalid")),
        (.absent, .rolledBack(served: nil, mark: 1)),
    ])
    func `A bad or missing served copy is an alarm and does not block the push that repairs it`(
        _ served: ServedReading, _ alarm: Alarm
    ) {
        var machine = push()
        let (requests, verdict) = run(
            &machine,
            base(served, seen: old) + [.judged([]), .wrote(.done)])
        #expect(verdict == nil)
        #expect(requests.contains(.claim(ours)))
        #expect(machine.alarms.contains(alarm))
    }

    @Test func `What looks rolled back is read again, and is an alarm when it still does`() {
        let behind: [StoreEvent] = [
            .served(serving(old)), .history(History()),
            .ledger(LedgerView(highestServed: 3, lastServed: newer.payload)),
        ]
        let document = ModelWorld.document(4, author: 1)
        var overtaken = push(document)
        let (requests, _) = run(&overtaken, behind + [.served(serving(newer))])
        #expect(requests.count { $0 == .readServed } == 2)
        #expect(overtaken.alarms.isEmpty)
        #expect(overtaken.base.served == serving(newer))
        var restored = push(document)
        _ = run(&restored, behind + [.served(serving(old))])
        #expect(restored.alarms == [.rolledBack(served: 1, mark: 3)])
    }

    @Test(arguments: [true, false])
    func `Another content under a number is an alarm and no observation`(_ isKnownByLedger: Bool) {
        let history = History(claims: [isKnownByLedger ? other : ours])
        let ledger =
            isKnownByLedger ? LedgerView(payloads: [2: [ours.payload]]) : LedgerView()
        let start: [StoreEvent] = [
            .served(serving(other)), .history(history), .ledger(ledger),
        ]
        var again = push(other)
        let refused = run(&again, start + [.recorded(.written)])
        #expect(refused.verdict == .refused([.otherContent(2)]))
        #expect(again.alarms == [.otherContent(2)])
        #expect(refused.requests.last == .record(.refused(other, code: "served.other-content")))
        var repair = push(ours)
        let repaired = run(
            &repair,
            start + [
                .judged([]), .wrote(.lost), .found(.genuine(ours, defect: nil)),
                .recorded(.written),
            ])
        #expect(!repaired.requests.contains(.record(.observed(other))))
        if isKnownByLedger {
            // The claim in the store is the other's: only a higher number can mend that.
            #expect(repaired.verdict == .refused([.versionNotAbove(2, above: 2, where: .claim)]))
        } else {
            #expect(repaired.requests.last == .swap(ours, .matches(ModelWorld.tag(other))))
        }
        var owner = push(ours)
        let known: [StoreEvent] = [
            .served(serving(ours)), .history(History(claims: [ours])), .ledger(LedgerView()),
            .recorded(.written),
        ]
        #expect(run(&owner, known).verdict == .unchanged(ours))
        #expect(owner.alarms.isEmpty)
    }

    @Test(arguments: [(2, false), (3, true)] as [(Int64, Bool)])
    func `A store that was restored while the swap waited is an alarm`(
        _ mark: Int64, _ isAlarm: Bool
    ) {
        var machine = push()
        let (_, verdict) = run(
            &machine,
            Self.upToSwap + [
                .wrote(.done), .served(serving(ours)), .ledger(LedgerView(highestServed: mark)),
                .recorded(.written),
            ])
        #expect(verdict == .published(ours))
        #expect(machine.alarms == (isAlarm ? [.rolledBack(served: 2, mark: 3)] : []))
    }

    @Test func `What was released as a bundle is no config`() {
        var bundle = push()
        let start: [StoreEvent] = [.served(.absent), .history(History())]
        let (_, verdict) = run(
            &bundle,
            start + [
                .ledger(LedgerView(bundles: [ours.payload])), .judged([]), .recorded(.written),
            ])
        #expect(verdict == .refused([.isBundle(2)]))
        var config = push()
        let known = LedgerView(payloads: [2: [ours.payload]], bundles: [ours.payload])
        #expect(run(&config, start + [.ledger(known), .judged([])]).requests.last == .claim(ours))
    }

    @Test func `Nothing but a file is replaced`() {
        var machine = push()
        let reading = ServedReading.present(
            .junk(envelope: ContentDigest(number: 7), code: FoundDocument.notAFile),
            tag: EntityTag("x"))
        let (requests, verdict) = run(&machine, base(reading) + [.recorded(.written)])
        #expect(verdict == .refused([.notAFile]))
        #expect(!requests.contains(.claim(ours)))
    }

    @Test func `A re-basing run ends when no number is left`() {
        var machine = Publication(.init(.rebasing))
        let last = ModelWorld.document(9_007_199_254_740_991, author: 1)
        #expect(
            run(&machine, base(serving(last), seen: last) + [.recorded(.written)]).verdict
                == .refused([.versionsExhausted(mark: last.version)]))
    }

    @Test func `A re-basing run begins again at read and gives up after five tries`() {
        var machine = Publication(.init(.rebasing))
        let round: [StoreEvent] =
            base(serving(old), seen: old) + [
                .signed(ours, []), .wrote(.lost), .found(.genuine(other, defect: nil)),
            ]
        var events: [StoreEvent] = []
        for _ in 0..<5 { events += round }
        let (requests, verdict) = run(&machine, events + [.recorded(.written)])
        #expect(requests.count { $0 == .sign(of: old, version: 2) } == 5)
        #expect(verdict == .taken(ours))
    }

    @Test(
        "What the signer numbers far above the mark is published up to what a person allows",
        arguments: [nil, 1_500, 1_501, 1_502] as [Int64?])
    func allowedNumber(_ allowed: Int64?) {
        let far = ModelWorld.document(1_501, author: 1)
        var machine = Publication(.init(.rebasing, allowedNumber: allowed))
        let (requests, verdict) = run(
            &machine, base(serving(old), seen: old) + [.signed(far, []), .recorded(.written)])
        if let allowed, allowed >= 1_501 {
            #expect(requests.contains(.claim(far)))
        } else {
            #expect(verdict == .refused([.versionJump(1_501, mark: 1)]))
        }
    }

    @Test func `A re-basing run that has nothing to do is done`() {
        var machine = Publication(.init(.rebasing))
        #expect(
            run(&machine, base(serving(old), seen: old) + [.nothingToDo]).verdict
                == .unchanged(old))
    }

    @Test func `A re-basing run needs a document to begin with`() {
        var machine = Publication(.init(.rebasing))
        #expect(
            run(&machine, base(.absent) + [.recorded(.written)]).verdict
                == .refused([.noBase(code: nil)]))
    }

    @Test func `A signer that knows something newer is asked again on a new base, five times`() {
        var machine = Publication(.init(.rebasing))
        let round = base(serving(old), seen: old) + [.outdated]
        let (requests, verdict) = run(&machine, round + round + round + round + round)
        #expect(requests.count { $0 == .sign(of: old, version: 2) } == 5)
        #expect(
            verdict == .failed(.sign(of: old, version: 2), mayBePublished: false))
    }

    // Found by the search over interleavings.
    @Test func `A recovery from what was chosen before something newer was served is lost`() {
        var machine = Publication(.init(.recovering(old, known: 1)))
        #expect(run(&machine, base(.absent, seen: ours)).verdict == .lost(nil, to: .absent))
        var inOrder = Publication(.init(.recovering(old, known: 1)))
        #expect(
            run(&inOrder, base(serving(old), seen: old)).verdict
                == .lost(nil, to: serving(old)))
        var knowing = Publication(.init(.recovering(old, known: 2)))
        #expect(
            run(&knowing, base(.absent, seen: ours)).requests.last == .sign(of: old, version: 3))
    }

    @Test func `A re-basing run replaces nothing that is no file`() {
        var machine = Publication(.init(.rebasing))
        let folder = ServedReading.present(
            .junk(envelope: ContentDigest(number: 7), code: FoundDocument.notAFile),
            tag: EntityTag("folder"))
        let (requests, verdict) = run(&machine, base(folder, seen: old) + [.recorded(.written)])
        #expect(verdict == .refused([.notAFile]))
        #expect(!requests.contains { if case .sign = $0 { true } else { false } })
    }
}
