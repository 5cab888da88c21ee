import DeviceModel
import GronaFormats
import PublishProtocol
import Transitions

/// What was signed for this store and never served: kept on this host, or claimed in the store.
///
/// A signer takes no source below what it signed last, so a run that was cut short would hold up
/// every later one. One that only switches off, or only lives longer, is what a person asked for
/// and takes nothing back: it is published first. Anything else is left to a person.
extension Publisher {
    /// The envelope that this host keeps, where it is ours, verifies and is above everything that
    /// is known to have been served.
    package func kept(above served: Int64?) -> JudgedDocument? {
        guard let kept = staged?.read(judge.workspace) else { return nil }
        let document = judge.judge(kept.envelope)
        guard let facts = document.facts, facts.version > served ?? 0 else { return nil }
        return document
    }

    /// Keeps what a signer gave until it is served; where it cannot be kept, it is published all
    /// the same.
    func keep(_ answer: SignerAnswer, _ request: PublishRun.SignRequest) {
        _ = try? staged?.write(
            answer.envelope, base: request.base.served.tag,
            source: request.source.facts?.envelope, of: judge.workspace)
    }

    /// Forgets what is kept where something as new is served.
    private func forget(upTo served: Int64) {
        guard kept(above: served) == nil else { return }
        staged?.remove(judge.workspace)
    }

    /// Forgets what is kept once a repair of it, or of something newer, is served.
    func repaired(_ report: PublishReport) -> PublishReport {
        if let served = report.servedAtEnd { forget(upTo: served) }
        return report
    }

    /// Makes an attempt, and another one as often as it published what held it up.
    func finishing(
        isDryRun: Bool = false, heed: @escaping ([Alarm]) -> String? = { _ in nil },
        _ attempt: () -> PublishReport
    ) -> PublishReport {
        var tried: Set<ContentDigest> = []
        var finished: [DocumentFacts] = []
        while true {
            var report = attempt()
            report.finished = finished
            if !isDryRun, let served = report.servedAtEnd { forget(upTo: served) }
            report.kept =
                kept(
                    above: max(
                        report.servedAtEnd ?? report.before?.facts?.version ?? 0,
                        report.marks.served)
                )?.facts
            if isDryRun { return report }
            guard let content = unfinished(report), tried.insert(content.facts.payload).inserted
            else { return report }
            // It was made of what was served then: in the place of anything else it would undo that.
            let expected = Publication.Expectations(servedVersion: report.before?.facts?.version)
            let finish = republish(content, expecting: expected, isDryRun: false, heed: heed)
            switch finish.verdict {
            case .published(let facts): finished.append(facts)
            // Whoever was faster is what the next attempt goes by.
            case .unchanged, .superseded, .lost, .taken: break
            case .refused(let refusals):
                guard case .unexpectedServed? = refusals.first else { return report }
            case .broken, .unsettled, .failed, .released, .wouldPublish: return report
            }
        }
    }

    /// The very version that the signer says it signed, or the newest one where it does not say.
    private func unfinished(_ report: PublishReport) -> RecoveryEvidence.Content? {
        guard case .signer(.outdated(let signed, _, _))? = report.failure,
            case .failed(.sign, _) = report.verdict,
            let served = report.before?.payload, report.marks.served <= served.version.number
        else { return nil }
        let candidates = [kept(above: served.version.number), newestClaim(report)]
            .compactMap(\.self)
            .sorted { ($0.facts?.version ?? 0) > ($1.facts?.version ?? 0) }
        guard let document = candidates.first, document.outcome.violation == nil,
            let facts = document.facts, let payload = document.payload,
            signed.map({ $0.number == facts.version }) ?? true,
            Transition.kill(of: served.root).violations(in: payload.root).isEmpty
        else { return nil }
        return RecoveryEvidence.Content(
            document: document, facts: facts, place: .claim, isKnown: false)
    }

    private func newestClaim(_ report: PublishReport) -> JudgedDocument? {
        guard let newest = report.unpublished.first, let version = ConfigVersion(newest.version),
            let claim = try? history.claim(version), claim.facts?.payload == newest.payload
        else { return nil }
        return claim
    }
}

extension PublishReport {
    /// The number that is served after a run that went well.
    fileprivate var servedAtEnd: Int64? {
        switch verdict {
        case .published(let facts), .unchanged(let facts): facts.version
        default: nil
        }
    }
}
