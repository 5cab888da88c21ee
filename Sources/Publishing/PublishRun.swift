import GronaFormats
import Libcrypto
import LinuxIO
import PublishProtocol
import StrictJSON

/// One run of a machine: carries its requests out and keeps the bytes that it only knows by digest.
final class PublishRun {
    private let publisher: Publisher
    private var documents: [ContentDigest: JudgedDocument] = [:]
    private var auditHead: String?
    private(set) var signerSaid = ""
    private(set) var failure: PublishingError?
    /// Between two questions to a signer that knows something newer, times how often it was asked.
    private static let pause: UInt64 = 150_000_000
    private var pauses = 0
    /// What was served when the base was read, and what was read last.
    private(set) var base: JudgedDocument?
    private(set) var last: JudgedDocument?
    private var hasBase = false
    private var history = History()
    private var hasToldOfEmptyLedger = false

    /// Answers the request to compare with what is served.
    var onJudge: (Publication.Base, JudgedDocument?, [Alarm]) throws(PublishingError) -> [Refusal] =
        { _, _, _ in [] }
    /// Answers the request to have something signed on what is served.
    var onSign: (SignRequest) throws(PublishingError) -> SignedDocument?

    /// What a signer is asked for.
    struct SignRequest {
        /// Of which the document is made: what is served, or was served last.
        let source: JudgedDocument
        let version: ConfigVersion
        /// What is served now; nil where nothing is.
        let served: JudgedDocument?
        let alarms: [Alarm]
        /// Everything that was learned before.
        let base: Publication.Base
    }
    /// What the machine has seen so far.
    private var alarms: [Alarm] = []
    private var learned = Publication.Base()

    /// What a signer made, judged.
    struct SignedDocument {
        let document: JudgedDocument
        let facts: DocumentFacts
        var refusals: [Refusal]
        let auditHead: String?
        let said: String
    }

    init(_ publisher: Publisher) {
        self.publisher = publisher
        onSign = { _ in nil }
    }

    /// Has the bytes of a document at hand.
    func add(_ document: JudgedDocument, _ facts: DocumentFacts) {
        documents[facts.envelope] = document
    }

    func document(_ facts: DocumentFacts) -> JudgedDocument? { documents[facts.envelope] }

    /// Runs the machine to its verdict.
    func run(_ machine: inout some PublishMachine) -> Verdict {
        var step = machine.begin()
        while true {
            switch step {
            case .verdict(let verdict):
                #if DEBUG
                    StepPoint.reached("verdict")
                #endif
                return verdict
            case .request(let request):
                publisher.beforeEach?(request)
                #if DEBUG
                    StepPoint.reached(request.stepName)
                #endif
                alarms = Publisher.sorted(machine.alarms)
                learned = machine.base
                step = machine.handle(answer(request))
            }
        }
    }

    private func answer(_ request: StoreRequest) -> StoreEvent {
        do throws(PublishingError) {
            return try carryOut(request)
        } catch {
            failure = error
            return .failed
        }
    }

    private func carryOut(_ request: StoreRequest) throws(PublishingError) -> StoreEvent {
        switch request {
        case .readServed: return .served(try readServed())
        case .readHistory(let floor):
            let found = try asking { () throws(StoreError) in
                try publisher.history.history(downTo: floor)
            }
            history = found
            return .history(found)
        case .readLedger: return .ledger(try view())
        case .judge(let learned):
            base = last
            return .judged(try onJudge(learned, base, alarms))
        case .sign(let source, let version):
            base = last
            return try sign(of: source, version)
        case .record(let record): return .recorded(try write(record))
        case .claim(let facts): return .wrote(try create(Self.versionKey(facts, workspace), facts))
        case .readClaim(let version): return .found(try readClaim(version))
        case .swap(let facts, let condition): return .wrote(try swap(facts, condition))
        case .putBundle(let facts):
            return .wrote(try create(Self.bundleKey(facts, workspace), facts))
        case .readBundle(let facts): return .found(try readBundle(facts))
        }
    }

    private var workspace: WorkspaceName { publisher.judge.workspace }

    private func asking<Value>(
        _ body: () throws(StoreError) -> Value
    ) throws(PublishingError) -> Value {
        do { return try body() } catch { throw .store(error) }
    }

    // MARK: Reading

    private func readServed() throws(PublishingError) -> ServedReading {
        let (reading, document) = try asking { () throws(StoreError) in try publisher.served() }
        last = document
        if !hasBase {
            base = document
            hasBase = true
        }
        keep(document)
        return reading
    }

    private func view() throws(PublishingError) -> LedgerView {
        var view: LedgerView
        do { view = try publisher.ledger.view(of: workspace) } catch { throw .ledger(error) }
        if publisher.ledger.isCut { view = publisher.completed(view) }
        guard view == LedgerView(), !hasToldOfEmptyLedger else { return view }
        let reading = last?.facts.map { $0.version } ?? 0
        var highest = history.claims.map(\.version).max().map { max($0, reading) } ?? reading
        // An envelope beside it was seen served when the ledger still knew.
        let kept = (try? publisher.ledger.keptEnvelopes()) ?? []
        let seen = kept.compactMap { publisher.judge.judge($0).facts?.version }.max()
        guard highest > 1 || seen != nil else { return view }
        highest = max(highest, seen ?? 0)
        hasToldOfEmptyLedger = true
        if publisher.onEmptyLedger?(highest) ?? false { throw .stopped(code: "ledger.empty") }
        return view
    }

    private func readClaim(_ version: Int64) throws(PublishingError) -> FoundDocument? {
        let number = Self.number(version)
        let claim = try asking { () throws(StoreError) in try publisher.history.claim(number) }
        return found(claim) { $0.version == version }
    }

    private func readBundle(_ facts: DocumentFacts) throws(PublishingError) -> FoundDocument? {
        let name = Self.bundleName(facts)
        let bundle = try asking { () throws(StoreError) in try publisher.history.bundle(name) }
        return found(bundle) { HistoryReader.bears($0, name) }
    }

    /// What was found under a name; something of ours that belongs under another one is junk.
    private func found(
        _ document: JudgedDocument?, _ belongs: (DocumentFacts) -> Bool
    ) -> FoundDocument? {
        keep(document)
        guard let document, let facts = document.facts, !belongs(facts) else {
            return document?.found
        }
        return .junk(envelope: facts.envelope, code: RuleCode.payloadMalformed.rawValue)
    }

    private func keep(_ document: JudgedDocument?) {
        if let document, let facts = document.facts { add(document, facts) }
    }

    // MARK: Signing

    private func sign(
        of source: DocumentFacts, _ version: Int64
    ) throws(PublishingError) -> StoreEvent {
        let request = SignRequest(
            source: try document(of: source), version: Self.number(version), served: base,
            alarms: alarms, base: learned)
        let signed: SignedDocument?
        do throws(PublishingError) { signed = try onSign(request) } catch {
            guard case .signer(.outdated) = error else { throw error }
            // Another publisher may be about to publish what the signer signed for it.
            failure = error
            pauses += 1
            SystemClock.sleep(nanoseconds: UInt64(pauses) * Self.pause)
            return .outdated
        }
        failure = nil
        guard let signed else { return .nothingToDo }
        auditHead = signed.auditHead
        signerSaid = signed.said
        add(signed.document, signed.facts)
        return .signed(signed.facts, signed.refusals)
    }

    /// What is served, or an envelope that is kept beside the ledger.
    func document(of facts: DocumentFacts) throws(PublishingError) -> JudgedDocument {
        if let document = document(facts) { return document }
        let kept: KeptEnvelope?
        do { kept = try publisher.ledger.newestServed(of: workspace) } catch {
            throw .ledger(error)
        }
        let bytes =
            kept?.facts.payload == facts.payload
            ? kept?.bytes
            : publisher.ledger.isCut
                ? (try? publisher.ledger.keptEnvelopes())?.first {
                    SHA256.digest($0).content == facts.envelope
                } : nil
        guard let bytes else { throw .sourceMissing(facts.version) }
        let document = publisher.judge.judge(bytes)
        guard document.facts != nil else { throw .sourceMissing(facts.version) }
        return document
    }

    // MARK: Writing

    private func bytes(_ facts: DocumentFacts) -> [UInt8] { document(facts)?.bytes ?? [] }

    private func create(
        _ key: StoreKey, _ facts: DocumentFacts
    ) throws(PublishingError) -> WriteAnswer {
        try asking { () throws(StoreError) in try publisher.store.create(key, bytes(facts)) }
    }

    private func swap(
        _ facts: DocumentFacts, _ condition: SwapCondition
    ) throws(PublishingError) -> WriteAnswer {
        try asking { () throws(StoreError) in
            switch condition {
            case .absent: try publisher.store.create(.config(workspace), bytes(facts))
            case .matches(let tag):
                try publisher.store.replace(.config(workspace), bytes(facts), ifMatching: tag)
            }
        }
    }

    private func write(_ record: LedgerRecord) throws(PublishingError) -> LedgerAnswer {
        var entry = LedgerEntry(
            workspace: workspace, record: record, time: publisher.judge.now, user: publisher.user)
        entry.isRehearsal = publisher.isRehearsal
        do throws(PublicationLedgerError) {
            switch record {
            case .observed(let facts), .swapped(let facts, .published):
                if let document = document(facts) {
                    try publisher.ledger.keep(document.bytes, as: facts.envelope)
                    #if DEBUG
                        StepPoint.reached("kept")
                    #endif
                }
                entry.kid = document(facts)?.kid
            case .claimed(let facts, _), .swapped(let facts, _):
                entry.kid = document(facts)?.kid
            case .bundled(let facts):
                entry.kid = document(facts)?.kid
                entry.auditHead = auditHead
            case .refused:
                break
            }
            return try publisher.ledger.append(entry)
        } catch {
            throw .ledger(error)
        }
    }

    // MARK: Names

    private static func number(_ version: Int64) -> ConfigVersion {
        ConfigVersion(version) ?? .last
    }

    private static func versionKey(_ facts: DocumentFacts, _ workspace: WorkspaceName) -> StoreKey {
        .version(workspace, number(facts.version))
    }

    private static func bundleName(_ facts: DocumentFacts) -> BundleName {
        BundleName(version: number(facts.version), digestPrefix: facts.payload.prefix)
    }

    private static func bundleKey(_ facts: DocumentFacts, _ workspace: WorkspaceName) -> StoreKey {
        .bundle(workspace, bundleName(facts))
    }
}

#if DEBUG
    extension StoreRequest {
        /// Its kind, for `StepPoint`.
        fileprivate var stepName: String {
            switch self {
            case .readServed: "read served"
            case .readHistory: "read history"
            case .readLedger: "read ledger"
            case .judge: "judge"
            case .sign: "sign"
            case .record: "record"
            case .claim: "claim"
            case .readClaim: "read claim"
            case .swap: "swap"
            case .putBundle: "put bundle"
            case .readBundle: "read bundle"
            }
        }
    }
#endif
