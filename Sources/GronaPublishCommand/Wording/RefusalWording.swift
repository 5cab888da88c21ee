import CommandLineKit
import GronaCommand
import GronaFormats
import PublishProtocol
import Transitions

/// The words for what the rules of publishing refuse.
enum RefusalWording {
    static func diagnostic(_ refusal: Refusal, file: String?) -> Diagnostic {
        Diagnostic(
            code: refusal.code, message: message(refusal), file: file, help: help(refusal),
            exit: status(refusal))
    }

    static func message(_ refusal: Refusal) -> String {
        switch refusal {
        case .device: "a device would not take it"
        case .versionNotAbove(let version, let above, let place):
            "version \(version) is not above \(above), \(words(place))"
        case .versionTaken(let version):
            "under version \(version) stands something in the store that is not known to be ours"
        case .versionJump(let version, let mark):
            "version \(version) is more than \(VersionRules.largestStep) above \(mark), the"
                + " highest known"
        case .versionsExhausted(let mark): "no version is left above \(mark)"
        case .otherContent(let version):
            "another content is served under version \(version) than it was given to, and this"
                + " is not the one"
        case .farServed(let served, let mark):
            "version \(served) is served by a key that is not trusted any more, more than"
                + " \(VersionRules.largestStep) above \(mark), the highest known"
        case .contentUnknown(let version, let campaigns):
            "version \(version), which was served last, cannot be had, and may have switched off: "
                + campaigns.joined(separator: ", ")
        case .notAFile: "something that is no file stands in the place of the config"
        case .isBundle(let version):
            "this is the bundle of version \(version), and no config"
        case .unexpectedServed(let expected, let served):
            "\(served.map { "version \($0)" } ?? "nothing") is served, not \(expected)"
        case .aged(let left, let lifetime):
            "\(DurationSeconds(left)) of \(DurationSeconds(lifetime)) are left, less than"
                + " \(PushRules.leastLifetimeLeft) %"
        case .demo: "settings.demo is true, and the workspace is no demo"
        case .bundleOnly: "the workspace has no config URL: it is delivered in bundles alone"
        case .transition(let violation): TransitionWording.message(violation)
        case .bundleAboveServed(let version, let served):
            "the bundle bears version \(version), above \(served), which is served"
        case .bundleStale(let version, let campaigns):
            "since version \(version), that of the bundle, these were switched off: "
                + campaigns.joined(separator: ", ")
        case .bundleKey(let kid): "the app release does not pin \(kid)"
        case .bundleUntrusted(let code): "no key that our keyring trusts has signed it: \(code)"
        case .warned(let code): "the warning \(code) is an error here"
        case .bundleLifetime(let lifetime, let limit):
            "it lives \(DurationSeconds(lifetime)), at most \(DurationSeconds(limit)) are allowed"
        case .noBase(let code):
            code.map { "nothing that devices take is served, or was seen served: \($0)" }
                ?? "nothing is served, and nothing was seen served"
        case .servedUnusable(let code):
            code.map { "what is served cannot be used: \($0)" } ?? "nothing is served"
        case .rolledBack(let served, let mark): rolledBack(served, mark)
        }
    }

    static func rolledBack(_ served: Int64?, _ mark: Int64) -> String {
        served.map { "version \($0) is served, and \(mark) was before: the store went back" }
            ?? "nothing of ours is served, and version \(mark) was before"
    }

    private static func words(_ place: Refusal.Precedent) -> String {
        switch place {
        case .served: "which is served with another content"
        case .claim: "which the store's history has for another content"
        case .ledger: "which the ledger has for another content"
        case .bundle: "which a bundle in the field bears"
        }
    }

    static func help(_ refusal: Refusal) -> String? {
        switch refusal {
        case .versionNotAbove, .versionTaken:
            "'grona-publish next-version' tells the next number; sign it again with that"
        case .versionJump(let version, _):
            "installs can never go back; --allow-jump \(version) says that it is meant"
        case .otherContent: "push the content of that number again, or a new version"
        case .farServed:
            "installs that took it take nothing below it; --allow-jump N with the version that is"
                + " pushed says that it is meant"
        case .contentUnknown: "--enable ID for each of them says that it is meant"
        case .notAFile: "remove it: nothing but a file is ever replaced"
        case .isBundle: "publish the config that the bundle was made of"
        case .unexpectedServed: "'grona-publish diff' shows what came in between"
        case .aged: "sign it again, or say --allow-aged"
        case .transition(let violation): help(violation)
        case .bundleAboveServed: "publish that version first"
        case .bundleStale: "make a new bundle of what is served"
        case .bundleKey: "the release needs the pins of 'grona-sign keys pins', or another key"
        case .bundleUntrusted: "find out who signed it; the pins alone do not make it ours"
        case .bundleOnly: "'grona-publish bundle --release FILE' releases a finished bundle"
        case .rolledBack, .servedUnusable: "'grona-publish recover' first"
        case .noBase:
            "'grona-publish recover' shows what there is to go by; else sign a config and push it"
        case .versionsExhausted:
            "no install takes a config below it: the apps need a release for another workspace"
        case .device, .demo, .bundleLifetime, .warned: nil
        }
    }

    private static func help(_ violation: TransitionViolation) -> String? {
        switch violation.reason {
        case .switchedOn:
            violation.campaign.map {
                "to keep it off, sign it with 'enabled' false in its file; --enable \($0) says that"
                    + " on is meant"
            }
        case .raised: "--raise-min-sdk says that it is meant; a campaign's own min_sdk is gentler"
        case .changed, .added, .removed, .reordered, .notAbove, .notEqual, .earlier, .later,
            .rememberedOff, .switchedOff, .unreadable:
            nil
        }
    }

    private static func status(_ refusal: Refusal) -> ExitStatus {
        switch refusal {
        case .versionTaken, .unexpectedServed: .tryAgain
        case .servedUnusable(nil), .noBase(nil): .noInput
        case .servedUnusable, .noBase, .rolledBack, .otherContent, .contentUnknown, .notAFile:
            .otherSide
        case .device, .versionNotAbove, .versionJump, .versionsExhausted, .farServed, .isBundle,
            .aged, .demo, .bundleOnly, .transition, .bundleAboveServed, .bundleStale, .bundleKey,
            .bundleLifetime, .bundleUntrusted, .warned:
            .refused
        }
    }
}
