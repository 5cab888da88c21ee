import DeviceModel
import GronaCommand
import GronaFormats
import ProjectFiles
import PublishProtocol
import Publishing

/// Looks at one workspace: what is served, what the store's history and the ledger say of it.
struct WorkspaceReader {
    /// The most bundles that are told of, the newest ones.
    private static let mostBundles = 100

    let publisher: Publisher
    let policy: WorkspacePolicy
    let keys: [StatusKey]
    let now: UnixTime
    /// How many of the last versions are looked at.
    let recent: Int

    func picture(_ advice: StatusAdvice) throws(PublishingError) -> WorkspacePicture {
        let survey = try publisher.survey()
        let document = survey.document
        let payload = document?.payload
        let isServed = policy.delivery == .served
        let life = payload.map { self.life($0) }
        var picture = WorkspacePicture(
            publisher.judge.workspace,
            isServed ? Self.state(survey, life, now) : .bundleOnly)
        picture.delivery = policy.delivery
        picture.store = publisher.store.name
        picture.version = document?.facts?.version
        picture.nextVersion = survey.marks.nextVersion
        picture.kid = document?.kid?.text
        picture.life = life
        picture.digest = document?.facts?.payload.hex
        picture.keys = keys
        do throws(StoreError) {
            picture.bundles = try bundles()
            picture.versions = try versions(served: document?.facts)
        } catch {
            throw .store(error)
        }
        let found = survey.alarms(isServed: isServed)
        picture.alarms = AlarmWording.codes(found)
        picture.findings = advice.findings(found, in: picture)
        if let own = advice.finding(of: picture), !picture.alarms.contains(own.code) {
            picture.findings.append(own)
            picture.alarms.append(own.code)
        }
        let highest = survey.base.history.claims.map(\.version).max() ?? 0
        if isServed, survey.base.ledger == LedgerView(),
            max(highest, document?.facts?.version ?? 0) > 1 || (document == nil && highest > 0)
        {
            picture.findings.append(
                StatusFinding(
                    code: LedgerWording.empty, message: LedgerWording.message,
                    help: LedgerWording.help,
                    commands: ["grona-publish doctor --accept-ledger"]))
            picture.alarms.append(LedgerWording.empty)
        }
        if isServed, let document,
            let warning = UntrustedKeyWording.diagnostic(
                document, publisher.judge.workspace, file: nil)
        {
            picture.findings.append(advice.finding(ofKey: warning, in: picture))
            picture.alarms.append(UntrustedKeyWording.code)
        }
        let kept = publisher.kept(
            above: max(document?.facts?.version ?? 0, survey.marks.served))?.facts
        let waiting = publisher.waiting(on: document, above: survey.marks.served)
        if let refused = survey.base.ledger.lastRefusal, isServed {
            let isDue = picture.state != .fine || picture.due(at: now) != nil
            picture.findings.append(advice.refused(refused, in: picture))
            if isDue { picture.alarms.append(refused.code) }
        }
        if let payload, let ahead = LookWording.ahead(payload.issuedAt, at: now) {
            picture.findings.append(StatusAdvice.finding(ahead))
        }
        for (finding, isAlarm) in advice.findings(
            of: survey.base, kept: kept, waiting, in: picture)
        {
            picture.findings.append(finding)
            if isAlarm, !picture.alarms.contains(finding.code) {
                picture.alarms.append(finding.code)
            }
        }
        return picture
    }

    private func life(_ payload: ConfigPayload) -> ConfigLife {
        ConfigLife(
            Freshness(
                of: publisher.judge.workspace, issuedAt: payload.issuedAt,
                expiresAt: payload.expiresAt, renewBefore: policy.renewBefore))
    }

    private static func state(
        _ survey: Survey, _ life: ConfigLife?, _ now: UnixTime
    ) -> ServedState {
        if survey.reading == .absent { return .missing }
        guard let document = survey.document, document.facts != nil else { return .untrusted }
        if survey.marks.isRolledBack(survey.reading) { return .rolledBack }
        if survey.base.otherContent != nil { return .otherContent }
        if let code = document.outcome.code {
            return code == .payloadExpired ? .expired : .refused
        }
        guard let life else { return .refused }
        return life.phase(at: now) == .expiring ? .expiring : .fine
    }

    /// The newest first.
    private func bundles() throws(StoreError) -> [StatusBundle] {
        let reader = HistoryReader(store: publisher.store, judge: publisher.judge)
        var bundles: [StatusBundle] = []
        let names = try publisher.store.bundles(of: publisher.judge.workspace)
        for name in names.reversed().prefix(Self.mostBundles) {
            guard let document = try reader.bundle(name), let facts = document.facts,
                HistoryReader.bears(facts, name)
            else { continue }
            let code = document.outcome.code
            bundles.append(
                StatusBundle(
                    version: facts.version, digest: facts.payload.hex,
                    kid: document.kid?.text ?? "", issuedAt: document.payload?.issuedAt,
                    expiresAt: document.payload?.expiresAt,
                    isTrusted: code == nil || code == .payloadExpired))
        }
        return bundles
    }

    /// The last versions that were claimed, the newest first.
    private func versions(served: DocumentFacts?) throws(StoreError) -> [StatusVersion] {
        guard recent > 0 else { return [] }
        let reader = HistoryReader(store: publisher.store, judge: publisher.judge)
        var versions: [StatusVersion] = []
        let numbers = try publisher.store.versions(of: publisher.judge.workspace, from: 0)
        for number in numbers.reversed().prefix(recent) {
            let document = try reader.claim(number)
            guard let facts = document?.facts, facts.version == number.number else {
                versions.append(StatusVersion(number.number, .untrusted))
                continue
            }
            versions.append(
                StatusVersion(
                    number.number, facts.payload == served?.payload ? .served : .claimed,
                    kid: document?.kid?.text, issuedAt: document?.payload?.issuedAt,
                    expiresAt: document?.payload?.expiresAt, digest: facts.payload.hex))
        }
        return versions
    }
}

extension StatusKey {
    /// The keys of a keyring in the order of their lives: who signs first, what is over last.
    static func all(in keyring: Keyring) -> [StatusKey] {
        let order: [KeyState] = [
            .current, .retiring, .standby, .announced, .generated, .compromised, .retired,
            .destroyed,
        ]
        return KeyUse.allCases.flatMap { use in
            order.flatMap { state in
                keyring.keys.filter { $0.use == use && $0.state == state }.map {
                    StatusKey($0.kid.text, use, state, since: $0.history.last?.at)
                }
            }
        }
    }

    static func all(in pins: PinsFile) -> [StatusKey] {
        KeyUse.allCases.flatMap { use in pins[use].map { StatusKey($0.kid.text, use, nil) } }
    }
}
