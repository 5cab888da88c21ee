import GronaFormats
package import HTTPTransport
import Libcrypto
import LinuxIO
import PublishProtocol

/// Finds out what a store does with conditions: on objects that mean nothing, and with races.
///
/// Some servers ignore conditions, some look at them and then overwrite, and some let everyone win
/// who creates; only a race tells the second kind from one that swaps. All writers of a race have
/// sent header and body but for the last byte before any body is whole.
package struct StoreProbe {
    /// How many write at once.
    static let writers = 8
    static let rounds = 4
    /// How long a race waits for a server that takes one request after the other.
    static let patience: UInt64 = 1_500_000_000

    /// Why nothing could be found out: the store has no such workspace, or refuses writes to it.
    package struct Unprobed: Error, Sendable, Equatable {
        package let status: Int

        package init(status: Int) { self.status = status }
    }

    package enum Failure: Error, Sendable, Equatable {
        case unprobed(Unprobed)
        case store(StoreError)
        /// Others wrote to the same object each time.
        case disturbed
    }

    /// How often a question is asked that others disturbed.
    static let attempts = 16
    /// Between two of them, at most, times how often it was asked and up to eight times.
    private static let pulse: UInt64 = 150_000_000

    private let objects: ConditionalObjects
    private let lasting: HTTPURL?
    private let fresh: () -> HTTPURL?
    private let sleep: (UInt64) -> Void
    private var report = ProbeReport()
    /// The digests of what was written for a question, or found at its beginning; by what is none of
    /// these, another host is known that probes at the same time.
    private var own: Set<SHA256Digest> = []
    private var isDisturbed = false
    /// Whether a question stayed without an answer.
    private var isGivenUp = false

    /// - Parameters:
    ///   - lasting: an object that is replaced; nil where nothing ever is, as in a ledger.
    ///   - fresh: the address of an object that is not there; nil where there is no place for one.
    package init(
        _ objects: ConditionalObjects, lasting: HTTPURL?,
        sleep: @escaping (UInt64) -> Void = { SystemClock.sleep(nanoseconds: $0) },
        fresh: @escaping () -> HTTPURL?
    ) {
        self.objects = objects
        self.sleep = sleep
        self.lasting = lasting
        self.fresh = fresh
    }

    /// Of a store with the given addresses.
    ///
    /// - Parameter scratch: an object of this run's own, where the store has a place for one; else
    ///   all publishers share the config of the scratch workspace.
    package init(
        _ objects: ConditionalObjects, scratch: HTTPURL? = nil,
        url: @escaping (StoreKey) -> HTTPURL?
    ) {
        let workspace = StoreKey.probeWorkspace
        self.init(objects, lasting: scratch ?? workspace.flatMap { url(.config($0)) }) {
            workspace.flatMap { name in
                ConfigVersion(Int64.random(in: 1...ConfigVersion.last.number)).flatMap {
                    url(.version(name, $0))
                }
            }
        }
    }

    package mutating func run() throws(Failure) -> ProbeReport {
        report = ProbeReport()
        isGivenUp = false
        do throws(StoreError) {
            try ask { probe throws(StoreError) in try probe.createOnly() }
            if !isGivenUp { try createRace() }
            if !isGivenUp, let lasting { try replaces(lasting) }
        } catch {
            switch error {
            case .denied(let status, _, .writing) where status == 403,
                .rejected(let status, _, .writing) where status == 404 || status == 405:
                throw .unprobed(Unprobed(status: status))
            default: throw .store(error)
            }
        }
        guard !isGivenUp else { throw .disturbed }
        return report
    }

    /// Asks a question, and again where another host that wrote in between may be why the answer is
    /// a no: a store is never condemned for what somebody else wrote.
    ///
    /// - Returns: false where the answer is a no, or there is none.
    @discardableResult
    private mutating func ask(
        _ question: (inout StoreProbe) throws(StoreError) -> Void
    ) throws(StoreError) -> Bool {
        let before = report
        for attempt in 1...UInt64(Self.attempts) {
            report = before
            own = []
            isDisturbed = false
            if let lasting, let found = try objects.read(lasting) {
                note(found)
                if let bytes = found.bytes { own.insert(SHA256.digest(bytes)) }
            }
            try question(&self)
            let answers = report.checks.dropFirst(before.checks.count)
            let holds = !answers.contains { $0.name.isNeeded && $0.outcome == .fails }
            if holds || !isDisturbed { return holds }
            sleep(UInt64.random(in: 0...min(attempt, 8) * Self.pulse))
        }
        isGivenUp = true
        return false
    }

    // MARK: Creating

    private mutating func createOnly() throws(StoreError) {
        let name = fresh()
        guard let url = name ?? lasting else { return report.note(.createOnly, nil) }
        var first = body()
        if name == nil, let there = try bytes(at: url) {
            first = there
        } else {
            let status = try put(url, first, .absent)
            let stored = try bytes(at: url)
            // An answer may be a no to a second sending of what the first had done.
            guard (200..<300).contains(status) || stored == first else {
                if name == nil, stored != nil {
                    isDisturbed = true
                    return report.note(.createOnly, false, status: status)
                }
                throw status == 0 || status >= 500
                    ? .busy(status: status)
                    : .rejected(status: status, code: nil, during: .writing)
            }
            guard stored == first else {
                return report.note(.readAfterWrite, false, status: status)
            }
        }
        let status = try put(url, body(), .absent)
        report.note(
            .createOnly, try bytes(at: url) == first && !(200..<300).contains(status),
            status: status)
        guard report[.createOnly] == .holds, let other = fresh() else {
            return report.note(.missingTag, nil)
        }
        let missing = try put(other, body(), .quoted("0123456789abcdef"))
        report.note(.missingTag, try bytes(at: other) == nil, status: missing)
    }

    private mutating func createRace() throws(StoreError) {
        guard report[.createOnly] != .fails, fresh() != nil else {
            return report.note(.createRace, nil)
        }
        var most = 0
        for _ in 0..<Self.rounds {
            guard let url = fresh() else { break }
            let (holds, winners) = try race(url, .absent)
            most = max(most, winners)
            guard holds else { return report.note(.createRace, false, winners: most) }
        }
        report.note(.createRace, true, winners: most)
    }

    // MARK: Replacing

    private mutating func replaces(_ url: HTTPURL) throws(StoreError) {
        let heedsWrong = try ask { probe throws(StoreError) in try probe.wrongTag(url) }
        guard heedsWrong else { return }
        let takesRight = try ask { probe throws(StoreError) in try probe.rightTag(url) }
        guard takesRight else { return }
        var most = 0
        // Where each write is followed by a second of waiting, half of the rounds has to do.
        for _ in 0..<(report.hasWeakTags ? Self.rounds / 2 : Self.rounds) {
            let holds = try ask { probe throws(StoreError) in
                guard let tag = try probe.strongTag(url) else {
                    return probe.report.note(.replaceRace, false)
                }
                let (holds, winners) = try probe.race(url, probe.condition(tag))
                most = max(most, winners)
                if !holds { probe.report.note(.replaceRace, false, winners: most) }
            }
            guard holds else { return }
        }
        report.note(.replaceRace, true, winners: most)
    }

    private mutating func wrongTag(_ url: HTTPURL) throws(StoreError) {
        // Whatever the store does with conditions, something is there afterwards.
        if try bytes(at: url) == nil { _ = try put(url, body(), .absent) }
        let wrong = body()
        let status = try put(url, wrong, .quoted("0123456789abcdef"))
        report.note(.wrongTag, try bytes(at: url) != wrong, status: status)
    }

    /// Whether the tag that is there is taken, and no more when it is not there any more.
    private mutating func rightTag(_ url: HTTPURL) throws(StoreError) {
        guard let before = try strongTag(url) else { return report.note(.rightTag, false) }
        let first = body()
        var right = try put(url, first, .quoted(before))
        if try bytes(at: url) != first {
            right = try put(url, first, .bare(before))
            report.wantsBareTags = try bytes(at: url) == first
            guard report.wantsBareTags else {
                return report.note(.rightTag, false, status: right)
            }
        }
        report.note(.rightTag, true, status: right)
        let after = try objects.read(url)
        look(at: after?.bytes)
        report.note(.readAfterWrite, after?.bytes == first)
        if let after { fields(of: after) }
        let stale = body()
        let status = try put(url, stale, condition(before))
        report.note(.staleTag, try bytes(at: url) == first, status: status)
    }

    private func condition(_ tag: String) -> WriteCondition {
        report.wantsBareTags ? .bare(tag) : .quoted(tag)
    }

    private mutating func fields(of object: RemoteObject) {
        func sent(_ name: String) -> String? { objects.fields.first { $0.name == name }?.value }
        report.note(
            .contentType, object.response["content-type"] == sent("Content-Type"))
        report.note(
            .cacheControl, object.response["cache-control"] == sent("Cache-Control"))
    }

    /// Nil where the tag stays weak, or there is none.
    private mutating func strongTag(_ url: HTTPURL) throws(StoreError) -> String? {
        var waited: UInt64 = 0
        while true {
            let found = try objects.read(url)
            if let found { note(found) }
            look(at: found?.bytes)
            guard let tag = found?.tag else { return nil }
            guard tag.isWeak else { return tag.opaque }
            guard waited < ConditionalObjects.strongTagPatience else { return nil }
            SystemClock.sleep(nanoseconds: ConditionalObjects.strongTagPulse)
            waited += ConditionalObjects.strongTagPulse
        }
    }

    private mutating func note(_ object: RemoteObject) {
        if object.tag?.isWeak ?? false { report.hasWeakTags = true }
        if let version = object.response["x-amz-version-id"], version != "null" {
            report.isVersioned = true
        }
    }

    // MARK: Requests

    /// One round: holds where one writer won and its bytes are there.
    private mutating func race(
        _ url: HTTPURL, _ condition: WriteCondition
    ) throws(StoreError) -> (holds: Bool, winners: Int) {
        var bodies: [[UInt8]] = []
        for _ in 0..<Self.writers { bodies.append(body()) }
        let answers = objects.client.race(
            bodies.map { objects.writing(url, $0, condition) },
            patienceNanoseconds: Self.patience)
        var winners: [Int] = []
        var isUnsettled = false
        for (index, answer) in answers.enumerated() {
            switch answer {
            case .success(let response):
                if response.isSuccess { winners.append(index) }
                if response.status >= 500 || response.status == 409 { isUnsettled = true }
            case .failure(let failure): isUnsettled = isUnsettled || failure.mayHaveArrived
            }
        }
        let stored = try bytes(at: url).flatMap { bodies.firstIndex(of: $0) }
        // A winner who was told that it is not known is one, too.
        let holds =
            winners.isEmpty
            ? isUnsettled && stored != nil : winners.count == 1 && stored == winners[0]
        return (holds, winners.isEmpty && stored != nil ? 1 : winners.count)
    }

    private mutating func bytes(at url: HTTPURL) throws(StoreError) -> [UInt8]? {
        let bytes = try objects.read(url)?.bytes
        look(at: bytes)
        return bytes
    }

    private mutating func look(at bytes: [UInt8]?) {
        guard let bytes, !own.contains(SHA256.digest(bytes)) else { return }
        isDisturbed = true
    }

    /// The status of one write; 0 where there was no answer. 429 and 503 say nothing of the store,
    /// so the write is sent again.
    private func put(
        _ url: HTTPURL, _ bytes: [UInt8], _ condition: WriteCondition
    ) throws(StoreError) -> Int {
        var schedule = RetrySchedule()
        while true {
            let response: HTTPResponse
            do throws(HTTPFailure) {
                response = try objects.client.send(objects.writing(url, bytes, condition))
            } catch {
                guard error.mayHaveArrived else { throw .noAnswer(error, during: .writing) }
                return 0
            }
            switch response.status {
            case 401, 403: throw ConditionalObjects.refusal(response, during: .writing)
            case 429, 503:
                guard
                    let wait = schedule.next(
                        retryAfter: response.retryAfter(now: SystemClock.unixTime()),
                        random: UInt64.random(in: 0...UInt64.max))
                else { throw .busy(status: response.status) }
                sleep(wait)
            default: return response.status
            }
        }
    }

    /// Bytes unlike all others, all of one length.
    private mutating func body() -> [UInt8] {
        let noise = String(decoding: SystemRandom.hexadecimal(1_024), as: UTF8.self)
        let bytes = Array(#"{"grona-probe":"\#(noise)"}"#.utf8)
        own.insert(SHA256.digest(bytes))
        return bytes
    }
}

/// The same questions, but for the races, to a store that answers them under a lock of the kernel.
package struct FolderProbe {
    /// Another host may write to the same object in between; then it is asked again.
    package static func run(_ store: FileStore) throws(StoreError) -> ProbeReport {
        for attempt in 1..<UInt64(StoreProbe.attempts) {
            let report = try ask(store)
            if report.isTrusted { return report }
            SystemClock.sleep(nanoseconds: UInt64.random(in: 0...attempt * 20_000_000))
        }
        return try ask(store)
    }

    private static func ask(_ store: FileStore) throws(StoreError) -> ProbeReport {
        var report = ProbeReport()
        guard let workspace = StoreKey.probeWorkspace,
            let version = ConfigVersion(Int64.random(in: 1...ConfigVersion.last.number)),
            let other = ConfigVersion(Int64.random(in: 1...ConfigVersion.last.number))
        else { return report }
        func body(_ text: String) -> [UInt8] { Array("{\"grona-probe\":\"\(text)\"}".utf8) }
        let claim = StoreKey.version(workspace, version)
        _ = try store.create(claim, body("one"))
        let second = try store.create(claim, body("two"))
        let stands = try store.read(claim)?.bytes == body("one")
        report.note(.createOnly, second == .lost && stands)
        report.note(
            .missingTag,
            try store.replace(.version(workspace, other), body("one"), ifMatching: EntityTag("0"))
                == .lost)
        report.note(.createRace, nil)
        let config = StoreKey.config(workspace)
        _ = try store.create(config, body("one"))
        report.note(
            .wrongTag,
            try store.replace(config, body("two"), ifMatching: EntityTag("0")) == .lost)
        guard let before = try store.read(config) else {
            report.note(.readAfterWrite, false)
            return report
        }
        let noise = String(decoding: SystemRandom.hexadecimal(16), as: UTF8.self)
        report.note(
            .rightTag, try store.replace(config, body(noise), ifMatching: before.tag) == .done)
        report.note(.readAfterWrite, try store.read(config)?.bytes == body(noise))
        report.note(
            .staleTag, try store.replace(config, body("two"), ifMatching: before.tag) == .lost)
        report.note(.replaceRace, nil)
        return report
    }
}
