import DeviceModel
package import GronaFormats
package import PublishProtocol
package import StrictJSON
import Transitions

/// What a refresh of one workspace goes by.
package struct RefreshOrder: Sendable {
    package var policy: WorkspacePolicy
    /// The states of the workspace's config keys.
    package var keys: [KeyID: KeyState]
    /// Remaining life at which this run renews; nil for what the policy says.
    package var within: DurationSeconds?

    package init(
        policy: WorkspacePolicy, keys: [KeyID: KeyState], within: DurationSeconds? = nil
    ) {
        self.policy = policy
        self.keys = keys
        self.within = within
    }

    /// When a config of the workspace is due.
    package func freshness(issuedAt: UnixTime, expiresAt: UnixTime) -> Freshness {
        Freshness(
            of: policy.workspace, issuedAt: issuedAt, expiresAt: expiresAt, within: within,
            renewBefore: policy.renewBefore)
    }

    /// How long everyone may be asleep with a config of a lifetime, in seconds: by the renewal point
    /// alone. The jitter makes it earlier, by an amount that nobody chooses, so nobody counts on it.
    package func budget(
        lifetime: Int64, fetchPause: Int64, timerPeriod: Int64
    ) -> ExpiryBudget {
        let point = within ?? policy.renewalPoint(lifetime: DurationSeconds(lifetime))
        return ExpiryBudget(
            renewalPoint: min(max(0, point.seconds), max(0, lifetime)), fetchPause: fetchPause,
            timerPeriod: timerPeriod)
    }

    /// Nil where it is not yet time to sign again.
    package func due(
        kid: KeyID?, issuedAt: UnixTime, expiresAt: UnixTime, at now: UnixTime
    ) -> Freshness.Reason? {
        freshness(issuedAt: issuedAt, expiresAt: expiresAt)
            .due(at: now, signer: kid.flatMap { keys[$0] })
    }
}

/// Has the content of an envelope signed with new times.
package protocol Renewing {
    func renew(
        _ envelope: JSONElement, version: ConfigVersion
    ) throws(SignerError) -> SignerAnswer

    /// Whether the signer stands by an envelope; nil where it does not say.
    func standing(of envelope: JSONElement) -> SignerStanding?
}

extension Renewing {
    package func standing(of envelope: JSONElement) -> SignerStanding? { nil }
}

extension Publisher {
    /// Renews what is served when it is due, and publishes it; where somebody else is faster, it
    /// looks again at what that is.
    ///
    /// A copy that is rolled back, missing or nothing of ours is never renewed: the newest envelope
    /// that the ledger saw served is.
    package func refresh(
        _ order: RefreshOrder, signer: any Renewing, staged: StagedEnvelopes
    ) -> PublishReport {
        var publisher = self
        publisher.staged = staged
        let report = publisher.finishing { publisher.attempt(order, signer, staged) }
        return recorded(report, false)
    }

    private func attempt(
        _ order: RefreshOrder, _ signer: any Renewing, _ staged: StagedEnvelopes
    ) -> PublishReport {
        let run = PublishRun(self)
        var made: JudgedDocument?
        var auditHead: String?
        run.onSign = { request throws(PublishingError) in
            guard let source = request.source.payload else { return nil }
            made = request.source
            let kept = waiting(request, signer, staged)
            if isFresh(request, source, order) { return nil }
            if let kept, let usable = reusable(kept, request, source, order) { return usable }
            let rules = rules(order, allowsAged: true)
            let signed = try signed(request, of: source, rules) { () throws(SignerError) in
                try signer.renew(try request.source.envelope(), version: request.version)
            } lie: {
                RenewalCheck.lie(in: $0, source, order.policy, now: judge.now)
            }
            // By the old key again, it would be due at the next run, and at each one after it.
            if let kid = signed.document.kid, let state = order.keys[kid],
                Freshness.hasHandedOver(state),
                order.due(
                    kid: request.source.kid, issuedAt: source.issuedAt,
                    expiresAt: source.expiresAt, at: judge.now) == .key
            {
                staged.remove(judge.workspace)
                throw .signer(.otherKey(kid, state))
            }
            auditHead = signed.auditHead
            return signed
        }
        var machine = Publication(.init(.rebasing))
        let verdict = run.run(&machine)
        var report = PublishReport(
            verdict: verdict, alarms: Self.sorted(machine.alarms), failure: run.failure,
            before: run.base, after: run.last, reference: made, document: nil,
            marks: machine.base.marks, unpublished: machine.base.unpublished, auditHead: auditHead)
        report.older = older(than: made, machine.base)
        if let facts = report.facts { report.document = run.document(facts) }
        return report
    }

    private func isFresh(
        _ request: PublishRun.SignRequest, _ source: ConfigPayload, _ order: RefreshOrder
    ) -> Bool {
        guard request.served?.outcome.violation == nil,
            request.served?.facts == request.source.facts,
            // What waits is finished, due or not; the signer says whether it stands by it still.
            waiting(on: request.source, above: request.base.marks.served) == nil
        else { return false }
        return order.due(
            kid: request.source.kid, issuedAt: source.issuedAt, expiresAt: source.expiresAt,
            at: judge.now) == nil
    }

    /// What was signed before and waits, made on the very same base, or of the very same envelope: a
    /// tag, or a page that is none of ours, may change at every look.
    ///
    /// The signer is asked whether it still stands by it, and what it gave up is dropped; where it
    /// does not say, such as one that is down, what it signed is published all the same.
    private func waiting(
        _ request: PublishRun.SignRequest, _ signer: any Renewing, _ staged: StagedEnvelopes
    ) -> JudgedDocument? {
        guard let kept = staged.read(judge.workspace) else { return nil }
        let document = judge.judge(kept.envelope)
        guard let facts = document.facts, facts.version > request.base.marks.served,
            let envelope = try? document.envelope()
        else { return nil }
        if signer.standing(of: envelope)?.isGivenUp ?? false {
            staged.remove(judge.workspace)
            return nil
        }
        let isOfBase =
            kept.base == request.base.served.tag
            || kept.source.map { $0 == request.source.facts?.envelope.hex } ?? false
        return isOfBase ? document : nil
    }

    /// What waits and is as good as what would be signed now.
    private func reusable(
        _ document: JudgedDocument, _ request: PublishRun.SignRequest, _ source: ConfigPayload,
        _ order: RefreshOrder
    ) -> PublishRun.SignedDocument? {
        guard document.outcome.violation == nil, let facts = document.facts,
            let payload = document.payload,
            let kid = document.kid, order.keys[kid] == .current,
            RenewalCheck.step(source, order.policy).violations(in: payload.root).isEmpty,
            RenewalCheck.lifetimeLie(in: payload, source, order.policy) == nil,
            VersionRules.refusals(of: facts, base: request.base, allowedJump: nil).isEmpty,
            rules(order, allowsAged: false).refusals(of: payload, after: source).isEmpty
        else { return nil }
        return PublishRun.SignedDocument(
            document: document, facts: facts, refusals: [], auditHead: nil, said: "")
    }

    private func rules(_ order: RefreshOrder, allowsAged: Bool) -> PushRules {
        PushRules(policy: order.policy, now: judge.now, allowsAged: allowsAged)
    }
}

/// Holds a renewal that a signer gave against what it was asked for: the same content, signed now.
private enum RenewalCheck {
    static func step(_ source: ConfigPayload, _ policy: WorkspacePolicy) -> Transition {
        .renew(
            of: source.root,
            expiry: policy.isDeclared
                ? .policy(lifetime: policy.lifetimes.config.seconds) : .notEarlier)
    }

    static func lie(
        in new: ConfigPayload, _ source: ConfigPayload, _ policy: WorkspacePolicy,
        now: UnixTime
    ) -> SignerLie? {
        let away = new.issuedAt.since(now).seconds
        guard (-SignerCheck.clockTolerance...SignerCheck.clockTolerance).contains(away) else {
            return .issued(new.issuedAt, now: now)
        }
        if let violation = step(source, policy).violations(in: new.root).first {
            return .beyond(violation)
        }
        return lifetimeLie(in: new, source, policy)
    }

    /// It lives as long as the policy says at most, or its source where there is none; and longer
    /// than what it renews, but where the policy became shorter.
    static func lifetimeLie(
        in new: ConfigPayload, _ source: ConfigPayload, _ policy: WorkspacePolicy
    ) -> SignerLie? {
        let lives = new.expiresAt.since(new.issuedAt)
        let most =
            policy.isDeclared
            ? policy.lifetimes.config : source.expiresAt.since(source.issuedAt)
        guard lives <= most, new.expiresAt > source.expiresAt || lives == most else {
            return .lifetime(lives, asked: most)
        }
        return nil
    }
}
