import PublishProtocol

/// Which transitions of the two machines were taken: at which station, by which answer.
struct Coverage: Sendable {
    /// Where a machine stands.
    enum Station: String, Sendable, CaseIterable {
        case served = "read served"
        case history = "read history"
        case ledger = "read ledger"
        case servedAgain = "read served again"
        case observing = "record what was seen"
        case judging = "judge"
        case signing = "sign"
        case claiming = "claim"
        case readingClaim = "read the claim"
        case recordingClaim = "record the claim"
        case swapping = "swap"
        case readingBack = "read back"
        case readingLedgerBack = "read the ledger again"
        case recordingBundle = "record the bundle"
        case putting = "put the bundle"
        case readingBundle = "read the bundle"
        case confirming = "read served once more"
        case recording = "record the end"
    }

    /// How an answer looks from there.
    enum Outcome: String, Sendable, CaseIterable {
        case absent, ours
        case oursUnusable = "ours, unusable"
        case sameNumber = "same number"
        case older, newer, same, genuine, unusable, distrusted, junk
        case inOrder = "in order"
        case behind, accepted, refused
        case nothingToDo = "nothing to do"
        case outdated
        case written, conflict, done, lost
        case notKnown = "not known"
        case failed
    }

    private static let width = Outcome.allCases.count
    private static let size = Station.allCases.count * width

    /// By station and outcome, for publications and for bundle releases.
    private var publication = [UInt64](repeating: 0, count: size)
    private var bundle = [UInt64](repeating: 0, count: size)

    private static func place(_ station: Station, _ outcome: Outcome) -> Int {
        let row = Station.allCases.firstIndex(of: station) ?? 0
        return row * width + (Outcome.allCases.firstIndex(of: outcome) ?? 0)
    }

    mutating func note(_ machine: Machine, _ event: StoreEvent) {
        switch machine {
        case .publication(let machine):
            guard let station = Station(machine) else { return }
            publication[Self.place(station, Outcome(event, at: station, machine))] += 1
        case .bundle(let machine):
            guard let station = Station(machine) else { return }
            bundle[Self.place(station, Outcome(event, at: station, machine))] += 1
        }
    }

    mutating func add(_ other: Coverage) {
        for index in publication.indices {
            publication[index] += other.publication[index]
            bundle[index] += other.bundle[index]
        }
    }

    /// One line of the table: how often a transition was taken.
    struct Row: Sendable {
        let machine: String
        let station: Station
        let outcome: Outcome
        let count: UInt64
    }

    /// Every transition that there is, with how often it was taken.
    var rows: [Row] {
        rows("publication", publication, Self.ofPublication)
            + rows("bundle", bundle, Self.ofBundle)
    }

    private func rows(
        _ machine: String, _ counts: [UInt64], _ table: [(Station, [Outcome])]
    ) -> [Row] {
        table.flatMap { station, outcomes in
            (outcomes + [.failed]).map {
                Row(
                    machine: machine, station: station, outcome: $0,
                    count: counts[Self.place(station, $0)])
            }
        }
    }

    static func name(of verdict: Verdict) -> String {
        switch verdict {
        case .unchanged: "unchanged"
        case .published: "published"
        case .released: "released"
        case .wouldPublish: "would publish"
        case .superseded: "superseded"
        case .lost: "lost"
        case .taken: "taken"
        case .refused: "refused"
        case .broken: "broken"
        case .unsettled: "unsettled"
        case .failed: "failed"
        }
    }
}

extension Coverage {
    private static let anything: [Outcome] = [.absent, .genuine, .unusable, .distrusted, .junk]

    /// The transitions of a publication.
    static let ofPublication: [(Station, [Outcome])] = [
        (.served, anything),
        (.history, [.inOrder, .junk]),
        (.ledger, [.inOrder, .behind]),
        (.servedAgain, anything),
        (.observing, [.written]),
        (.judging, [.accepted, .refused]),
        (.signing, [.accepted, .refused, .nothingToDo, .outdated]),
        (.claiming, [.done, .lost, .notKnown]),
        (.readingClaim, [.absent, .ours, .sameNumber, .distrusted, .junk]),
        (.recordingClaim, [.written, .conflict]),
        (.swapping, [.done, .lost, .notKnown]),
        (
            .readingBack,
            [
                .absent, .ours, .oursUnusable, .sameNumber, .newer, .same, .older, .distrusted,
                .junk,
            ]
        ),
        (.readingLedgerBack, [.inOrder, .behind]),
        (.recording, [.written]),
    ]

    /// The transitions of a bundle release.
    static let ofBundle: [(Station, [Outcome])] = [
        (.served, anything),
        (.history, [.inOrder, .junk]),
        (.ledger, [.inOrder, .behind]),
        (.servedAgain, anything),
        (.observing, [.written]),
        (.judging, [.accepted, .refused]),
        (.signing, [.accepted, .refused]),
        (.recordingBundle, [.written]),
        (.putting, [.done, .lost, .notKnown]),
        (.readingBundle, [.absent, .ours, .sameNumber, .junk]),
        (.confirming, [.inOrder, .behind]),
        (.recording, [.written]),
    ]
}
