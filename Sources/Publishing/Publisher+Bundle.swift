import DeviceModel
package import GronaFormats
import JOSE
import PublishProtocol
import StrictJSON

/// Where a bundle comes from.
package enum BundleSource: Sendable {
    /// Signed by the signer of what is served.
    case signer(SignerCommand, lifetime: DurationSeconds?, keepsOffers: Bool)
    /// A finished one.
    case finished([UInt8])
}

extension Publisher {
    /// Releases a bundle into an app: the only way in which one gets there.
    ///
    /// - Parameter release: trusts what the app release pins.
    package func releaseBundle(
        _ source: BundleSource, release: DocumentJudge, policy: WorkspacePolicy, isDryRun: Bool
    ) -> PublishReport {
        let run = PublishRun(self)
        let check = BundleCheck(
            publisher: self, release: release, rules: BundleRules(policy: policy))
        let isServed = policy.delivery == .served
        var plan = BundleRelease.Plan(isServed: isServed, isDryRun: isDryRun)
        var finished: JudgedDocument?
        switch source {
        case .signer(let command, let lifetime, let keepsOffers):
            run.onSign = { served, _ throws(PublishingError) in
                let answer: SignerAnswer
                do throws(SignerError) {
                    answer = try command.bundle(
                        of: try served.envelope(), lifetime: lifetime, keepsOffers: keepsOffers)
                } catch {
                    throw PublishingError.signer(error)
                }
                return try check.signed(answer, of: served)
            }
        case .finished(let bytes):
            let document = release.judge(bytes, channel: .bundle)
            let known = document.facts == nil ? judge.judge(bytes, channel: .bundle) : document
            guard let facts = known.facts else {
                let refusals = check.deviceRefusals(document)
                return PublishReport(
                    verdict: .refused(refusals), alarms: [], failure: nil, before: nil, after: nil,
                    reference: nil, document: known,
                    marks: Marks(served: .absent, history: History(), ledger: LedgerView()))
            }
            finished = known
            plan.finished = facts
            run.add(known, facts)
            run.onJudge = { _, served throws(PublishingError) in
                try check.refusals(document, known, served: isServed ? served : nil)
            }
        }
        var machine = BundleRelease(plan)
        let verdict = run.run(&machine)
        if case .released(let facts) = verdict { finished = run.document(facts) }
        return PublishReport(
            verdict: verdict, alarms: Self.sorted(machine.alarms), failure: run.failure,
            before: run.base, after: run.last, reference: run.base, document: finished,
            marks: machine.base.marks, signerSaid: run.signerSaid)
    }
}

/// Checks a bundle as the app release that will carry it does, and by the rules of releasing.
private struct BundleCheck {
    let publisher: Publisher
    let release: DocumentJudge
    let rules: BundleRules

    /// What a signer made of the served document.
    func signed(
        _ answer: SignerAnswer, of served: JudgedDocument
    ) throws(PublishingError) -> PublishRun.SignedDocument {
        let bytes = Self.serialized(answer.envelope)
        let ours = publisher.judge.judge(bytes, channel: .bundle)
        let pinned = release.judge(bytes, channel: .bundle)
        let known = ours.facts == nil ? pinned : ours
        guard let facts = known.facts else {
            throw .signer(.lied(code: known.outcome.code?.rawValue ?? "signature.invalid"))
        }
        return PublishRun.SignedDocument(
            document: known, facts: facts,
            refusals: try refusals(pinned, known, served: served),
            auditHead: answer.auditHead, said: answer.said)
    }

    func refusals(
        _ pinned: JudgedDocument, _ known: JudgedDocument, served: JudgedDocument?
    ) throws(PublishingError) -> [Refusal] {
        let device = deviceRefusals(pinned)
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
    private static func serialized(_ envelope: JSONElement) -> [UInt8] {
        guard let jws = try? FlattenedJWS(envelope) else { return envelope.canonical() }
        return jws.serialized()
    }
}

extension JudgedDocument {
    /// The envelope as JSON, for the signer.
    fileprivate func envelope() throws(SignerError) -> JSONElement {
        do {
            return try JSONDocument.parse(bytes).root
        } catch {
            throw .malformed(error.code)
        }
    }
}
