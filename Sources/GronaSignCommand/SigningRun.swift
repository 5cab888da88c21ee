import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import ProjectFiles
import Signing
import StrictJSON
import Transitions

/// The way of every signature of a config or bundle, once it is drafted: show it, or open the key,
/// open the output, sign and write.
struct SigningRun {
    let setup: SignerSetup
    var desk: SigningDesk
    let draft: Draft
    /// What it is compared with in a dry run.
    let base: JSONElement?
    /// The files that were given, for errors.
    let files: [SourceRole: String]

    private var context: CommandContext { setup.context }

    mutating func finish() throws(Failure) -> ExitStatus {
        let id = desk.keyring.keyring.id
        let wording = setup.wording(id, files: files)
        _ = try worded(wording.failure) { () throws(SigningError) in try desk.keyringRecord() }
        if context.isDryRun { return try show() }
        let key = try setup.open(draft.key, of: desk.keyring)
        let output = try context.documentOutput()
        let isFile = output.isFile
        let (draft, now) = (draft, context.now)
        let signed = try worded(wording.failure) { () throws(SigningError) in
            try desk.sign(draft, with: key, now: now)
        }
        if context.wantsJSON {
            if isFile { try output.commit(signed.bytes) }
            context.console.json(summary(signed, withEnvelope: !isFile))
        } else {
            try output.commit(signed.bytes, newline: context.console.outputIsTerminal)
        }
        tell(signed.notes)
        if isFile { context.console.note(sentence) }
        return .success
    }

    /// The difference to what it follows, before a key is touched.
    private func show() throws(Failure) -> ExitStatus {
        let new = try worded(FileWords.fault) {
            () throws(JSONError) in
            try JSONDocument.parse(draft.payload).root
        }
        tell(draft.notes)
        let difference = base.map { ConfigDifference(from: $0, to: new) }
        if context.wantsJSON {
            context.console.json(
                .object(
                    facts + [("difference", difference.map { DifferenceReport.json($0) } ?? .null)]
                ))
            return .success
        }
        let console = context.console
        console.line(sentence)
        if let difference {
            console.write(DifferenceReport.text(difference, style: console.style))
        } else {
            console.line("nothing to compare it with: --after ENVELOPE names what it follows")
        }
        return .success
    }

    private func tell(_ notes: [SigningNote]) {
        for note in notes { context.console.report(NoteWording.diagnostic(note)) }
    }

    private var sentence: String {
        let what =
            switch draft.role {
            case .bundle: "bundle of version \(draft.version)"
            case .config, .renew, .kill, .revive, .restore: "version \(draft.version)"
            }
        return "\(draft.workspace) \(what), by \(draft.key.kid), until"
            + " \(TimeWording.text(draft.expiresAt))"
    }

    private var facts: [(String, JSONValue)] {
        [
            ("workspace", .string(draft.workspace.text)), ("role", .string(draft.role.rawValue)),
            ("version", .integer(draft.version.number)), ("digest", .string(draft.digest)),
            ("kid", .string(draft.key.kid.text)),
            ("issued_at", .integer(draft.issuedAt.seconds)),
            ("expires_at", .integer(draft.expiresAt.seconds)),
        ]
    }

    private func summary(_ signed: SignedEnvelope, withEnvelope: Bool) -> JSONValue {
        var members = facts + [("audit", .string(signed.auditHead))]
        if withEnvelope, let document = try? JSONDocument.parse(signed.bytes) {
            members.append(("envelope", .element(document.root)))
        } else if let file = context.call[SharedOptions.output] {
            members.append(("file", .string(file.description)))
        }
        return .object(members)
    }
}
