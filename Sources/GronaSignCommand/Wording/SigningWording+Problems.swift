import CommandLineKit
import GronaCommand
import GronaFormats
import Signing

extension SigningWording {
    func version(_ problem: VersionProblem) -> Failure {
        switch problem {
        case .jump(let version, let highest):
            one(
                .versionJump,
                "version \(version) is more than 1,000 above \(highest), the highest one known,"
                    + " and installs can never go back",
                "if it is meant, 'grona-sign config' takes --allow-jump \(version); a source that the log"
                    + " does not know is taken in by 'grona-sign audit adopt'")
        case .reused(let version, let next):
            numbered(
                one(
                    .versionReused, "version \(version) has another payload already",
                    next.map { "--version \($0) is free" }
                        ?? "no version is left for this workspace"),
                next)
        case .notAbove(let version, let highest, let next):
            numbered(
                one(
                    .versionNotAbove,
                    "version \(version) is not above \(highest), the highest one signed",
                    next.map { "--version \($0) is free" }
                        ?? "no version is left for this workspace"),
                next)
        case .noneLeft:
            one(
                .versionReused, "version \(ConfigVersion.last) is the last there is",
                "a new workspace starts at 1")
        case .unknown(let version):
            one(
                "audit.unknown-version", "nothing was signed or adopted here as version \(version)",
                "'grona-sign audit show' lists the versions")
        }
    }

    private func numbered(_ failure: Failure, _ next: ConfigVersion?) -> Failure {
        var failure = failure
        if let next { failure.reason.numbers["next_version"] = next.number }
        return failure
    }

    func time(_ problem: TimeProblem) -> Failure {
        switch problem {
        case .issuedAtOutOfBounds(let time):
            one(
                .payloadIssuedAt, "\(TimeWording.text(time)) is outside of 2020 to 2100",
                "give a time that devices take")
        case .issuedAtAhead(let time, let now):
            one(
                .payloadIssuedAt,
                "\(TimeWording.text(time)) is \(time.since(now).seconds) seconds ahead of the clock,"
                    + " and 300 are allowed", "leave --issued-at out")
        case .clockOutOfBounds(let time):
            one(
                .payloadIssuedAt,
                "the clock says \(TimeWording.text(time)), which is outside of 2020 to 2100",
                "set the clock of this machine")
        case .lifetimeNotPositive(let kind):
            one(
                lifetimeCode(kind), "it would end before it begins",
                "give a --lifetime of at least one second")
        case .lifetimeTooLong(let kind, let lifetime, let cap):
            one(
                lifetimeCode(kind), "\(lifetime) is over the limit of \(cap)",
                "ask for less, or change lifetimes.\(kind.rawValue) in workspace.json")
        case .alreadyExpired(let end, let now):
            one(
                .payloadExpired,
                "it would have ended at \(TimeWording.text(end)), and it is \(TimeWording.text(now))",
                "give an end in the future")
        }
    }

    private func lifetimeCode(_ kind: LifetimeKind) -> RuleCode {
        switch kind {
        case .config: .payloadLifetime
        case .bundle, .bundleWithOffers: .bundleLifetime
        case .grant: .grantLifetime
        case .preview: .previewLifetime
        }
    }

    func keyring(_ problem: KeyringProblem) -> Failure {
        switch problem {
        case .noCurrentKey(let workspace, let use):
            one(
                .keyState, "\(workspace) has no current \(use.rawValue) key",
                "'grona-sign keys list' shows the keys; only a current one signs",
                exit: .configuration)
        case .unknownKey(let kid):
            one(
                .keyUnknown, "the keyring has no key \(kid)",
                "'grona-sign keys list' shows the keys", exit: .configuration)
        case .kidTaken(let kid):
            one(
                .keyBinding, "\(kid) names a key already, and does so for ever",
                "give the new key a name of its own", exit: .configuration)
        case .recordedAlready(let kid):
            one(
                .keyBinding, "\(kid) is recorded already, and this is the same key",
                "nothing is to be done for the key; no command changes where it is looked for (its"
                    + " signer): the handbook's page Keys says how that is done",
                exit: .configuration)
        case .cannotSign(let kid, let state):
            one(
                .keyState, "\(kid) is \(state.rawValue), and only the current key signs",
                "leave --kid out, or name the current key", exit: .configuration)
        case .otherUse(let kid, let use):
            one(
                .keyState, "\(kid) is a \(use.rawValue) key",
                "a key never serves both uses", exit: .configuration)
        case .changed(let recorded, let found):
            one(
                .keyringChanged,
                "the keyring was changed by someone else: its SHA-256 is \(found), and \(recorded)"
                    + " is on record",
                "compare it with what you expect, then 'grona-sign keys check --accept \(found)'",
                exit: .configuration)
        case .unfinished(let recorded, let found):
            one(
                .keyringChanged,
                "a change of the keyring is on record with SHA-256 \(recorded) and did not reach the"
                    + " disk, where it is \(found) as before",
                "'grona-sign keys check --accept \(found)' gives that change up",
                exit: .configuration)
        case .firstUse(let digest):
            one(
                .keyringFirstUse, "this signer has never seen the keyring with SHA-256 \(digest)",
                "compare it, then sign once without --strict or use"
                    + " 'grona-sign keys check --accept \(digest)'", exit: .configuration)
        }
    }

    func memory(_ problem: MemoryProblem) -> Failure {
        switch problem {
        case .log(let error): Failure(error, file: log)
        case .busy:
            one(
                "log.busy", "other processes write faster than this one can read",
                "try again", file: log, exit: .tryAgain)
        case .issuanceLog(let error): Failure(writing: error)
        }
    }
}
