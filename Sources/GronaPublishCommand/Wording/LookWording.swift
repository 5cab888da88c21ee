import CommandLineKit
import GronaCommand
import GronaFormats
import PublishProtocol
import Publishing

/// The words for what a look at a served config finds.
enum LookWording {
    static let late = "served.expiring"
    /// It says that it was signed later than now.
    static let future = "served.future"

    /// How far ahead of our clock a document may have been signed, in seconds.
    private static let tolerance: Int64 = 300

    /// That it was signed ahead of our clock: a matter of this workspace, never of the clock, and
    /// nothing that a device minds.
    static func ahead(_ look: ServedLook, at now: UnixTime) -> Diagnostic? {
        look.issuedAt.flatMap { ahead($0, at: now) }
    }

    static func ahead(_ issuedAt: UnixTime, at now: UnixTime) -> Diagnostic? {
        let seconds = issuedAt.since(now).seconds
        guard seconds > tolerance else { return nil }
        return Diagnostic(
            .note, code: future,
            message: "what is served says that it was signed \(DurationWording.short(seconds))"
                + " from now, at \(issuedAt): the signer's clock was ahead",
            help: "devices take it; it passes when that time has come", exit: .success)
    }

    /// Such a config in a workspace that is none.
    static var demo: Diagnostic {
        make(
            "workspace.demo",
            "settings.demo is true, so offers are shown to everybody, and the workspace is no demo",
            "publish a config without it")
    }

    /// What is wrong with what is served; nil where nothing is.
    ///
    /// - Parameters:
    ///   - day: where a later time is asked for, what is to be said of it.
    ///   - isShared: whether every publisher writes to the ledger.
    static func finding(
        _ look: ServedLook, at time: UnixTime, later day: LaterDay? = nil, isShared: Bool
    ) -> Diagnostic? {
        if let day, look.condition == .expired { return day.over(look) }
        if let bad = finding(of: look.condition, look) ?? expiring(look, at: time, later: day) {
            return bad
        }
        if let key = look.untrusted {
            return make(
                UntrustedKeyWording.code,
                UntrustedKeyWording.message(key, version: look.version),
                UntrustedKeyWording.help(look.workspace))
        }
        guard isShared, look.isUnrecorded else { return nil }
        return make(
            "served.unrecorded",
            "version \(look.version ?? 0) is signed by a key of ours, and the ledger does not know"
                + " it",
            "find out who publishes without the ledger, or with our key")
    }

    /// That what is served ends soon.
    static func expiring(
        _ look: ServedLook, at time: UnixTime, later day: LaterDay? = nil
    ) -> Diagnostic? {
        guard let issuedAt = look.issuedAt, let expiresAt = look.expiresAt else { return nil }
        let fresh = Freshness(
            issuedAt: issuedAt, expiresAt: expiresAt, renewalPoint: DurationSeconds(0))
        guard fresh.isLate(at: time) else { return nil }
        if let day { return day.late(fresh) }
        return make(
            late,
            "less than a quarter of its life is left: \(DurationWording.short(fresh.left(at: time)))",
            "'grona-publish refresh' renews it; find out why nothing did")
    }

    static func finding(
        of condition: ServedLook.Condition, _ look: ServedLook
    ) -> Diagnostic? {
        let code = look.code ?? "served.unusable"
        return switch condition {
        case .fine: nil
        case .new:
            make(
                "served.missing", "nothing is served",
                "where it was never published: sign a config and push it; where it was, 'grona-publish"
                    + " refresh' on the host that publishes brings it back")
        case .missing:
            make(
                "served.missing", "nothing is served, and something was",
                "'grona-publish refresh' brings the newest content back that was seen served")
        case .expired:
            make(
                "served.unusable",
                "what is served is over: no device shows anything (\(code))",
                "'grona-publish refresh' renews it")
        case .untrusted, .refused:
            make(
                "served.unusable",
                look.untrusted.map(UntrustedKeyWording.notOurs)
                    ?? "no device takes what is served: \(code)",
                "'grona-publish refresh' brings the newest content back that was seen served")
        case .rolledBack:
            make(
                "served.rolled-back",
                "less is served than was seen served: version \(look.version ?? 0)",
                "look for a restored backup; 'grona-publish refresh' mends it")
        case .otherContent:
            make(
                "served.other-content",
                "another content is served under version \(look.version ?? 0) than it was given"
                    + " to",
                "find out who else writes to the store")
        }
    }

    fileprivate static func make(_ code: String, _ message: String, _ help: String) -> Diagnostic {
        Diagnostic(code: code, message: message, help: help, exit: .negative)
    }
}

/// A later day that was asked for, and what the policy of a workspace lets one expect of it.
struct LaterDay {
    let time: UnixTime
    let now: UnixTime
    let policy: WorkspacePolicy

    /// Nil where the present is asked for.
    init?(_ time: UnixTime, after now: UnixTime, _ policy: WorkspacePolicy) {
        guard time > now else { return nil }
        self.time = time
        self.now = now
        self.policy = policy
    }

    /// How far ahead one may ask: what is renewed in time has more than a quarter of its life left
    /// for so long after it is due. Zero where it is renewed later than that.
    private func reach(_ lifetime: Int64) -> Int64 {
        let point = policy.renewalPoint(lifetime: DurationSeconds(lifetime)).seconds
        return max(0, min(point, lifetime) - lifetime / Freshness.quarters)
    }

    private func help(_ issuedAt: UnixTime, _ expiresAt: UnixTime) -> String {
        let lifetime = max(0, expiresAt.since(issuedAt).seconds)
        let reach = reach(lifetime)
        guard time.since(now).seconds <= reach else {
            return "one that is renewed in time is as well no further ahead than"
                + " +\(DurationWording.short(reach)), its renewal point minus a quarter of its life:"
                + " ask no later than that"
        }
        return "it is due now: 'grona-publish refresh' renews it"
    }

    func over(_ look: ServedLook) -> Diagnostic {
        let help =
            if let issuedAt = look.issuedAt, let expiresAt = look.expiresAt {
                help(issuedAt, expiresAt)
            } else {
                "'grona-publish refresh' renews it"
            }
        return LookWording.make(
            "served.unusable", "on \(time) what is served now is over: no device shows anything",
            help)
    }

    func late(_ fresh: Freshness) -> Diagnostic {
        LookWording.make(
            LookWording.late,
            "on \(time) less than a quarter of its life is left:"
                + " \(DurationWording.short(fresh.left(at: time)))",
            help(fresh.issuedAt, fresh.expiresAt))
    }
}
