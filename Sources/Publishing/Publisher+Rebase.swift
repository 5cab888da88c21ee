import DeviceModel
package import GronaFormats
package import PublishProtocol
import StrictJSON

extension Publisher {
    /// Has a change signed on whatever is served and publishes it, again from the beginning where
    /// somebody else was faster.
    ///
    /// - Parameters:
    ///   - source: the content to go by where nothing that is served, or was seen served, can be
    ///     gone by; the run then ends when something can.
    ///   - known: the served mark when `source` was chosen.
    ///   - allowedNumber: the highest number that a person allows, however far above the mark.
    ///   - heed: told what is worth a warning before anything is signed; answers the code of one
    ///     that is an error here.
    package func rebase(
        _ change: ContentChange, from source: JudgedDocument? = nil, known: Int64 = 0,
        signer: SignerCommand,
        policy: WorkspacePolicy, isDryRun: Bool, allowedNumber: Int64? = nil,
        heed: @escaping ([Alarm]) -> String? = { _ in nil }
    ) -> PublishReport {
        let attempt = {
            self.attempt(
                change, from: source, known: known, signer: signer, policy: policy,
                isDryRun: isDryRun, allowedNumber: allowedNumber, heed: heed)
        }
        // A repair is of what a person chose; nothing else is published before it.
        let report =
            source == nil ? finishing(isDryRun: isDryRun, heed: heed, attempt) : repaired(attempt())
        return recorded(report, isDryRun)
    }

    private func attempt(
        _ change: ContentChange, from source: JudgedDocument?, known: Int64,
        signer: SignerCommand, policy: WorkspacePolicy, isDryRun: Bool, allowedNumber: Int64?,
        heed: @escaping ([Alarm]) -> String?
    ) -> PublishReport {
        let run = PublishRun(self)
        let rules = PushRules(policy: policy, now: judge.now, allowsAged: true)
        var made: JudgedDocument?
        if let source, let facts = source.facts { run.add(source, facts) }
        run.onSign = { request throws(PublishingError) in
            guard let payload = request.source.payload else { return nil }
            made = request.source
            if let unknown = change.unknownCampaigns(in: payload).first {
                throw .unknownCampaign(
                    unknown, in: payload.version, campaigns: payload.campaigns.map(\.id.text))
            }
            if source == nil, change.isDone(in: payload), !change.signsAnew(request.source),
                request.served?.outcome.violation == nil,
                request.served?.facts == request.source.facts
            {
                return nil
            }
            if let code = heed(request.alarms) { throw .stopped(code: code) }
            func ask(
                on served: JudgedDocument, _ payload: ConfigPayload
            ) throws(PublishingError) -> PublishRun.SignedDocument {
                try signed(request, of: payload, rules) { () throws(SignerError) in
                    try change.ask(signer, served, version: request.version)
                } lie: {
                    change.lie(in: $0, source: payload, now: judge.now)
                }
            }
            do throws(PublishingError) { return try ask(on: request.source, payload) } catch {
                guard case .restore = change, source == nil, error.isOfCompromisedKey else {
                    throw error
                }
                // What is served is nothing that the signer signed: a restore goes by the newest
                // that is.
                for other in try evidence().contents.prefix(Self.mostOlder)
                where other.facts.version < payload.version.number {
                    guard let payload = other.document.payload else { continue }
                    do throws(PublishingError) { return try ask(on: other.document, payload) } catch
                        where error.isOfCompromisedKey
                    {
                        continue
                    }
                }
                throw error
            }
        }
        var kind = Publication.Plan.Kind.rebasing
        if let facts = source?.facts { kind = .recovering(facts, known: known) }
        var machine = Publication(
            .init(kind, isDryRun: isDryRun, allowedNumber: allowedNumber))
        var verdict = run.run(&machine)
        var failure = run.failure
        if case .wouldPublish(let facts) = verdict {
            do throws(PublishingError) {
                let content = try run.document(of: facts)
                made = content
                if let payload = content.payload {
                    if let unknown = change.unknownCampaigns(in: payload).first {
                        throw .unknownCampaign(
                            unknown, in: payload.version,
                            campaigns: payload.campaigns.map(\.id.text))
                    }
                    if source == nil, change.isDone(in: payload), !change.signsAnew(content),
                        machine.base.isInOrder
                    {
                        verdict = .unchanged(facts)
                    }
                }
            } catch {
                verdict = .failed(.sign(of: facts, version: facts.version), mayBePublished: false)
                failure = error
            }
        }
        var report = PublishReport(
            verdict: verdict, alarms: Self.sorted(machine.alarms), failure: failure,
            before: run.base, after: run.last, reference: made, document: nil,
            marks: machine.base.marks, unpublished: machine.base.unpublished,
            signerSaid: run.signerSaid)
        report.older = older(than: made, machine.base)
        if let facts = report.facts { report.document = run.document(facts) }
        return explained(report)
    }

    /// How many older contents a restore tries, where the signer refuses what is served.
    private static let mostOlder = 50

    /// The highest number below a content's that the ledger knows.
    func older(than content: JudgedDocument?, _ base: Publication.Base) -> Int64? {
        guard let version = content?.facts?.version else { return nil }
        return base.ledger.payloads.keys.filter { $0 < version }.max()
    }

    /// Puts on record what the protocol itself does not: what came before, or of, the signer.
    func recorded(_ report: PublishReport, _ isDryRun: Bool) -> PublishReport {
        guard !isDryRun, case .failed(.sign, _) = report.verdict else { return report }
        let code: String
        switch report.failure {
        case .signer(let error)?: code = error.code
        case .unknownCampaign?: code = "campaign.unknown"
        case .stopped(let reason)?: code = reason
        case .sourceMissing?: code = "served.content-unknown"
        case .store?, .ledger?, nil: return report
        }
        var report = report
        do { try record(refusal: code, of: report.before?.facts) } catch {
            report.unrecorded = error
        }
        return report
    }
}

extension PublishReport {
    /// The document that the verdict is about.
    package var facts: DocumentFacts? {
        switch verdict {
        case .unchanged(let facts), .published(let facts), .released(let facts),
            .wouldPublish(let facts), .superseded(let facts, _), .taken(let facts),
            .unsettled(let facts):
            facts
        case .lost(let facts, _): facts
        case .refused, .broken, .failed: nil
        }
    }
}
