import DeviceModel
package import GronaFormats
package import PublishProtocol

/// Where a bundle comes from.
package enum BundleSource: Sendable {
    /// Signed by the signer of what is served. With `earlier`, a bundle that an earlier run released,
    /// nothing is signed: either it still is what is asked for, or the run ends with
    /// ``notTheEarlierOne``.
    case signer(
        SignerCommand, lifetime: DurationSeconds?, keepsOffers: Bool, earlier: [UInt8]? = nil)
    /// A finished one.
    case finished([UInt8])

    package static let notTheEarlierOne = PublishingError.stopped(code: "output.exists")
}

extension Publisher {
    /// Releases a bundle into an app: the only way in which one gets there.
    ///
    /// - Parameters:
    ///   - release: trusts what the app release pins.
    ///   - heed: told what is worth a warning before anything is on record; answers the code of one
    ///     that is an error here.
    package func releaseBundle(
        _ source: BundleSource, release: DocumentJudge, policy: WorkspacePolicy, isDryRun: Bool,
        heed: @escaping ([Alarm]) -> String? = { _ in nil }
    ) -> PublishReport {
        let run = PublishRun(self)
        let check = BundleCheck(
            publisher: self, release: release, rules: BundleRules(policy: policy))
        let isServed = policy.delivery == .served
        var plan = BundleRelease.Plan(isServed: isServed, isDryRun: isDryRun)
        var finished: JudgedDocument?
        switch source {
        case .signer(let command, let lifetime, let keepsOffers, let earlier):
            run.onSign = { request throws(PublishingError) in
                let served = request.source
                var signed: PublishRun.SignedDocument
                if let earlier {
                    signed = try check.earlier(
                        earlier, of: served, lifetime: lifetime, keepsOffers: keepsOffers)
                } else {
                    let answer: SignerAnswer
                    do throws(SignerError) {
                        answer = try command.bundle(
                            of: try served.envelope(), lifetime: lifetime,
                            keepsOffers: keepsOffers)
                    } catch {
                        throw PublishingError.signer(error)
                    }
                    signed = try check.signed(
                        answer, of: served, lifetime: lifetime, keepsOffers: keepsOffers)
                }
                if let code = heed(request.alarms) { signed.refusals.append(.warned(code: code)) }
                return signed
            }
        case .finished(let bytes):
            let document = release.judge(bytes, channel: .bundle)
            let known = document.facts == nil ? judge.judge(bytes, channel: .bundle) : document
            guard let facts = known.facts else {
                let refusals = check.deviceRefusals(document)
                return recorded(
                    isDryRun, isEarly: true,
                    PublishReport(
                        verdict: .refused(refusals), alarms: [], failure: nil, before: nil,
                        after: nil,
                        reference: nil, document: known,
                        marks: Marks(served: .absent, history: History(), ledger: LedgerView())))
            }
            finished = known
            plan.finished = facts
            run.add(known, facts)
            let ours = judge.judge(bytes, channel: .bundle)
            run.onJudge = { _, served, alarms throws(PublishingError) in
                let refusals = try check.refusals(
                    ours, document, known, served: isServed ? served : nil)
                guard refusals.isEmpty, let code = heed(alarms) else { return refusals }
                return [.warned(code: code)]
            }
        }
        var machine = BundleRelease(plan)
        let verdict = run.run(&machine)
        if case .released(let facts) = verdict { finished = run.document(facts) }
        return recorded(
            isDryRun,
            explained(
                PublishReport(
                    verdict: verdict, alarms: Self.sorted(machine.alarms), failure: run.failure,
                    before: run.base, after: run.last, reference: run.base, document: finished,
                    marks: machine.base.marks, unpublished: machine.base.unpublished,
                    signerSaid: run.signerSaid)))
    }

    /// Puts on record what the protocol itself does not: refusals before it, and by the signer.
    private func recorded(
        _ isDryRun: Bool, isEarly: Bool = false, _ report: PublishReport
    ) -> PublishReport {
        guard !isDryRun else { return report }
        let code: String
        switch (report.verdict, report.failure) {
        case (.refused(let refusals), _) where isEarly:
            guard let first = refusals.first else { return report }
            code = first.code
        case (.failed(.sign, _), .signer(let error)?): code = error.code
        default: return report
        }
        var report = report
        do { try record(refusal: code, of: report.document?.facts) } catch {
            report.unrecorded = error
        }
        return report
    }
}
