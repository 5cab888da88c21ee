import CommandLineKit
import GronaFormats
import PublishProtocol
import Publishing

/// The words for what a look at a served config finds.
enum LookWording {
    static let late = "served.expiring"
    /// It says that it was signed later than now.
    static let future = "served.future"

    /// Such a config in a workspace that is none.
    static var demo: Diagnostic {
        make(
            "workspace.demo",
            "settings.demo is true, so offers are shown to everybody, and the workspace is no demo",
            "publish a config without it")
    }

    /// What is wrong with what is served; nil where nothing is.
    ///
    /// - Parameter isShared: whether every publisher writes to the ledger.
    static func finding(
        _ look: ServedLook, at time: UnixTime, isShared: Bool
    ) -> Diagnostic? {
        if let bad = finding(of: look.condition, look) { return bad }
        guard let issuedAt = look.issuedAt, let expiresAt = look.expiresAt else { return nil }
        let fresh = Freshness(
            issuedAt: issuedAt, expiresAt: expiresAt, renewalPoint: DurationSeconds(0))
        if fresh.isLate(at: time) {
            return make(
                late,
                "less than a quarter of its life is left: \(LifeWording.short(fresh.left(at: time)))",
                "'grona-publish refresh' renews it; find out why nothing did")
        }
        guard isShared, look.isUnrecorded else { return nil }
        return make(
            "served.unrecorded",
            "version \(look.version ?? 0) is signed by a key of ours, and the ledger does not know"
                + " it",
            "find out who publishes without the ledger, or with our key")
    }

    static func finding(
        of condition: ServedLook.Condition, _ look: ServedLook
    ) -> Diagnostic? {
        let code = look.code ?? "served.unusable"
        return switch condition {
        case .fine: nil
        case .new: make("served.missing", "nothing is served", "sign a config and publish it")
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
                "served.unusable", "no device takes what is served: \(code)",
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

    private static func make(_ code: String, _ message: String, _ help: String) -> Diagnostic {
        Diagnostic(code: code, message: message, help: help, exit: .negative)
    }
}

/// Lengths of time as people say them.
enum LifeWording {
    /// The two largest units: `12d 4h`, `3h 20m`, `45s`; with a minus where it is over.
    static func short(_ duration: DurationSeconds) -> String {
        var rest = duration.seconds.magnitude
        var parts: [String] = []
        for (size, letter) in [(86_400, "d"), (3_600, "h"), (60, "m"), (1, "s")]
            as [(UInt64, String)]
        where parts.count < 2 && (rest >= size || (size == 1 && parts.isEmpty)) {
            parts.append("\(rest / size)\(letter)")
            rest %= size
        }
        return (duration.seconds < 0 ? "-" : "") + parts.joined(separator: " ")
    }
}
