import CommandLineKit
import GronaFormats
import Signing

/// What a person should know about something that was signed nevertheless.
enum NoteWording {
    static func diagnostic(_ note: SigningNote) -> Diagnostic {
        switch note {
        case .policyUndeclared(let workspace):
            remark(
                "policy.undeclared",
                "there is no workspace.json of \(workspace): the values of a production workspace hold",
                "--campaigns names the folder of the campaign folders")
        case .shortenedToSource(let end):
            remark(
                "bundle.shortened", "it ends with its source, at \(TimeWording.text(end))",
                "bundle a fresh config to get the whole lifetime")
        case .notReleased:
            remark(
                "bundle.not-released", "not released: no publisher has recorded this bundle",
                "'grona-publish bundle --release FILE' checks and records it")
        case .keyringFirstUse(let digest):
            .warning(
                code: RuleCode.keyringFirstUse.rawValue,
                message: "this signer has not seen the keyring before; its SHA-256 \(digest) is"
                    + " recorded now", help: "compare it with what you expect")
        case .keyringFinished(let digest):
            .warning(
                code: "keyring.finished",
                message: "a change of the keyring was recorded and then stopped; it is written now,"
                    + " with SHA-256 \(digest)", help: "'grona-sign keys list' shows the keys")
        case .adoptedByKill(let version, _):
            .warning(
                code: RuleCode.transitionForeignSource.rawValue,
                message: "the source, version \(version), was not signed here; it is recorded as"
                    + " adopted", help: "find out who signed it")
        case .unpublishedSource:
            .warning(
                code: RuleCode.grantUnpublishedSource.rawValue,
                message: "the campaigns come from a folder, which may not be what is served",
                help: "give the served envelope")
        case .otherPayload(let version):
            .warning(
                code: RuleCode.versionReused.rawValue,
                message: "version \(version) had another payload here",
                help: "two signers have signed one version; let one of them stop")
        case .policyUnreadable(let workspace):
            .warning(
                code: "policy.unreadable",
                message:
                    "workspace.json of \(workspace) breaks a rule: a kill goes by the values of"
                    + " a production workspace", help: "'grona-sign check' shows what is wrong")
        case .grantStaleSource(let version, let floor):
            .warning(
                code: RuleCode.grantStaleSource.rawValue,
                message: "the source has version \(version), and version \(floor) was signed here"
                    + " since", help: "give what is served now")
        case .grantForeignSource(let version):
            .warning(
                code: RuleCode.grantStaleSource.rawValue,
                message: "the source, version \(version), is not known to this signer, which has"
                    + " signed configs of its own",
                help: "'grona-sign audit adopt ENVELOPE --reason TEXT' takes it in")
        case .logCompleted:
            .warning(
                code: "log.completed",
                message: "the last line of the log lacked its newline after a crash, and was kept",
                help: "what it announced may never have been given out")
        case .logRepaired:
            .warning(
                code: "log.repaired",
                message: "a line of the log that a crash had torn was removed",
                help: "what it announced was never given out")
        case .demoOutsideDemo(let workspace):
            .warning(
                code: RuleCode.workspaceDemo.rawValue,
                message: "settings.demo is on, and \(workspace) is no demo workspace",
                help: "sign the content without it as a config")
        case .notServed(let workspace):
            .warning(
                code: "workspace.bundle-only",
                message: "\(workspace) has no config URL: nothing serves what is signed here",
                help: "'grona-sign bundle' makes what its apps carry")
        case .offAlready(let id): idle("campaign \"\(id)\" is off already")
        case .onAlready(let id): idle("campaign \"\(id)\" is on already")
        case .fileKeyInProduction(let kids):
            .warning(
                code: RuleCode.keyFileInProduction.rawValue,
                message: kids.count == 1
                    ? "\(kids[0]) is the key of a production workspace and lies in a file"
                    : "\(kids.count) keys of production workspaces lie in files:"
                        + " \(listed(kids))",
                help: "the next key belongs on a token (pkcs11:) or in a key service (exec:); until"
                    + " it signs, keep this one encrypted, on a host that only signs, and its"
                    + " backup out of reach")
        }
    }

    /// The first few; a fleet has thousands.
    private static func listed(_ kids: [KeyID]) -> String {
        let first = kids.prefix(5).map(\.text).joined(separator: ", ")
        return kids.count > 5 ? "\(first) and \(kids.count - 5) more" : first
    }

    /// The same as `keyringFirstUse`, from a command that records nothing.
    static func keyringUnseen(_ digest: String) -> Diagnostic {
        .warning(
            code: RuleCode.keyringFirstUse.rawValue,
            message: "this signer has not seen the keyring before; its SHA-256 is \(digest), which"
                + " the first signature records", help: "compare it with what you expect")
    }

    private static func idle(_ message: String) -> Diagnostic {
        .warning(
            code: "campaign.unchanged", message: message,
            help: "'grona-sign inspect' shows the campaigns of a config")
    }

    private static func remark(_ code: String, _ message: String, _ help: String) -> Diagnostic {
        Diagnostic(.note, code: code, message: message, help: help, exit: .success)
    }
}
