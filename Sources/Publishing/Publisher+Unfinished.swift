import DeviceModel
package import GronaFormats
package import PublishProtocol
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

    /// What this host keeps, where it may be published without a person: it only switches off what
    /// is served, or is a renewal of that very envelope. One of an older envelope lost to another
    /// host, and nobody needs it.
    package func waiting(
        on base: JudgedDocument?, above highest: Int64 = 0
    ) -> WaitingVersion? {
        guard let base, let served = base.payload,
            let document = kept(above: max(served.version.number, highest)),
            document.outcome.violation == nil, let facts = document.facts,
            let payload = document.payload,
            Transition.kill(of: served.root).violations(in: payload.root).isEmpty
        else { return nil }
        let switchesOff = payload.campaignsSwitchedOff(since: served)
        guard !switchesOff.isEmpty || isMade(of: base) else { return nil }
        return WaitingVersion(facts: facts, switchesOff: switchesOff)
    }

    private func isMade(of base: JudgedDocument) -> Bool {
        guard let source = staged?.read(judge.workspace)?.source else { return false }
        return base.facts?.envelope.hex.utf8.elementsEqual(source.utf8) ?? false
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
        var switchedOff: [String] = []
        while true {
            var report = attempt()
            report.finished = finished
            report.switchedOff = switchedOff
            if !isDryRun, let served = report.servedAtEnd { forget(upTo: served) }
            report.kept =
                kept(
                    above: max(
                        report.servedAtEnd ?? report.before?.facts?.version ?? 0,
                        report.marks.served)
                )?.facts
            if isDryRun {
                report.waiting = waiting(on: report.before, above: report.marks.served)
                return report
            }
            guard let content = unfinished(report), tried.insert(content.facts.payload).inserted
            else { return report }
            // It was made of what was served then: in the place of anything else it would undo that.
            let expected = Publication.Expectations(servedVersion: report.before?.facts?.version)
            let finish = republish(content, expecting: expected, isDryRun: false, heed: heed)
            switch finish.verdict {
            case .published(let facts):
                finished.append(facts)
                if let served = report.before?.payload, let payload = content.document.payload {
                    switchedOff += payload.campaignsSwitchedOff(since: served)
                }
            // Whoever was faster is what the next attempt goes by.
            case .unchanged, .superseded, .lost, .taken: break
            case .refused(let refusals):
                guard case .unexpectedServed? = refusals.first else { return report }
            case .broken, .unsettled, .failed:
                // Not what the signer says, but what keeps it from being finished.
                var stopped = finish
                stopped.finished = finished
                stopped.switchedOff = switchedOff
                stopped.kept = report.kept
                return stopped
            case .released, .wouldPublish: return report
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
            document.untrusted == nil, let facts = document.facts, let payload = document.payload,
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

/// A version that was signed, could not be published, and waits on this host.
package struct WaitingVersion: Sendable, Equatable {
    package let facts: DocumentFacts
    /// The campaigns that are on in what is served and off in it: where there are some, it is a kill.
    package let switchesOff: [String]
}

extension ConfigPayload {
    /// The campaigns that were on and are not any more.
    package func campaignsSwitchedOff(since old: ConfigPayload) -> [String] {
        old.campaigns.filter { $0.isEnabled && campaign($0.id.text)?.isEnabled != true }
            .map(\.id.text)
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
