import DeviceModel
import GronaFormats
import JOSE
import PublishProtocol
import StrictJSON

/// Checks a bundle as the app release that will carry it does, and by the rules of releasing.
struct BundleCheck {
    let publisher: Publisher
    let release: DocumentJudge
    let rules: BundleRules

    /// What a signer made of the served document.
    func signed(
        _ answer: SignerAnswer, of served: JudgedDocument, lifetime: DurationSeconds?,
        keepsOffers: Bool
    ) throws(PublishingError) -> PublishRun.SignedDocument {
        let bytes = Self.serialized(answer.envelope)
        let ours = publisher.judge.judge(bytes, channel: .bundle)
        let pinned = release.judge(bytes, channel: .bundle)
        guard let facts = ours.facts, let payload = ours.payload, let source = served.payload else {
            throw .signer(.lied(code: ours.outcome.code?.rawValue ?? "signature.invalid"))
        }
        let asked = SignerCheck(
            source: source, lifetime: lifetime, keepsOffers: keepsOffers,
            now: publisher.judge.now)
        if let lie = asked.lie(in: payload) { throw .signer(.differs(lie)) }
        return PublishRun.SignedDocument(
            document: ours, facts: facts,
            refusals: try refusals(ours, pinned, ours, served: served),
            auditHead: answer.auditHead, said: answer.said)
    }

    /// A bundle that was released before, where it is what would be made of the served document now
    /// but for the time.
    func earlier(
        _ bytes: [UInt8], of served: JudgedDocument, lifetime: DurationSeconds?, keepsOffers: Bool
    ) throws(PublishingError) -> PublishRun.SignedDocument {
        let ours = publisher.judge.judge(bytes, channel: .bundle)
        guard let facts = ours.facts, let payload = ours.payload, let source = served.payload else {
            throw BundleSource.notTheEarlierOne
        }
        let asked = SignerCheck(
            source: source, lifetime: lifetime, keepsOffers: keepsOffers, now: payload.issuedAt)
        let lacksOffers =
            keepsOffers && BundleRules.carriesOffers(source) && !BundleRules.carriesOffers(payload)
        let refusals = try refusals(
            ours, release.judge(bytes, channel: .bundle), ours, served: served)
        guard asked.lie(in: payload) == nil, !lacksOffers, refusals.isEmpty else {
            throw BundleSource.notTheEarlierOne
        }
        return PublishRun.SignedDocument(
            document: ours, facts: facts, refusals: [], auditHead: nil, said: "")
    }

    /// - Parameters:
    ///   - ours: judged by our own keyring.
    ///   - pinned: judged by what the app release pins.
    ///   - known: the one of the two that could be read.
    func refusals(
        _ ours: JudgedDocument, _ pinned: JudgedDocument, _ known: JudgedDocument,
        served: JudgedDocument?
    ) throws(PublishingError) -> [Refusal] {
        let device = deviceRefusals(pinned) + trustRefusals(ours)
        guard let payload = known.payload else { return device }
        return device
            + rules.refusals(
                of: payload, served: served?.payload,
                source: try source(of: known, served: served))
    }

    /// What an install of the release would refuse the bundle by.
    func deviceRefusals(_ pinned: JudgedDocument) -> [Refusal] {
        guard let violation = pinned.outcome.violation else { return [] }
        guard violation.code == .headerUnknownKid, case .kid(let kid, _) = violation.detail else {
            return [.device(code: violation.code.rawValue)]
        }
        return [.bundleKey(kid: kid ?? "")]
    }

    /// The pins of a release say what installs believe, not what is ours.
    private func trustRefusals(_ ours: JudgedDocument) -> [Refusal] {
        switch ours.outcome.code {
        case .headerUnknownKid?, .signatureInvalid?:
            [.bundleUntrusted(code: ours.outcome.code?.rawValue ?? "")]
        default:
            ours.facts == nil
                ? [.bundleUntrusted(code: ours.outcome.code?.rawValue ?? "")] : []
        }
    }

    /// The config of the bundle's own number, where it is served or in the history.
    private func source(
        of bundle: JudgedDocument, served: JudgedDocument?
    ) throws(PublishingError) -> ConfigPayload? {
        guard let served, let version = bundle.facts?.version else { return nil }
        if served.facts?.version == version { return served.payload }
        guard let number = ConfigVersion(version) else { return nil }
        do {
            let claim = try publisher.history.claim(number)
            return claim?.facts?.version == version ? claim?.payload : nil
        } catch {
            throw .store(error)
        }
    }

    /// The envelope as it is written: the three members in their order, on one line.
    static func serialized(_ envelope: JSONElement) -> [UInt8] {
        guard let jws = try? FlattenedJWS(envelope) else { return envelope.canonical() }
        return jws.serialized()
    }
}

extension JudgedDocument {
    /// The envelope as JSON, for the signer.
    func envelope() throws(SignerError) -> JSONElement {
        do {
            return try JSONDocument.parse(bytes).root
        } catch {
            throw .malformed(error.code)
        }
    }
}
