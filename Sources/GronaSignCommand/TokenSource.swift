import CampaignCompiler
import CommandLineKit
import GronaCommand
import GronaFormats
import JOSE
import LinuxIO
import ProjectFiles
import Signing
import StrictJSON

/// What grants and preview pins are made from, and how their tokens are written.
enum TokenSource {
    /// Opens a served config, or a campaign folder, with the desk of its workspace.
    ///
    /// A config is trusted by the keys that devices trust: current, retiring and next.
    static func open(
        _ path: FilePath, _ setup: SignerSetup
    ) throws(Failure) -> (SigningDesk, GrantSource) {
        let now = setup.context.now
        guard !WorkspaceInput.isFolder(path) else {
            let workspace = try WorkspaceInput.read(path, setup.context)
            try setup.context.warn(NoteWording.diagnostic(.unpublishedSource))
            let desk = try setup.desk(workspace.policy.workspace, policy: workspace.policy)
            let source = try worded(setup.wording().failure) { () throws(SigningError) in
                try GrantSource(workspace, now: now)
            }
            return (desk, source)
        }
        let file = try EnvelopeFile(path, .source)
        let desk = try setup.desk(
            setup.keyring(having: file.kid, in: setup.keyrings(), file: file.name))
        let wording = setup.wording(files: [.source: file.name])
        let source = try worded(wording.failure) { () throws(SigningError) in
            let ring = desk.keyring.keyring
            return try SignedSource(
                file.envelope, byteCount: file.bytes.count, role: .source, keyring: ring,
                trusted: ring.trusted(.config), expiry: .mayBeOver, now: now)
        }
        if let note = note(of: source, desk.memory.history) {
            try setup.context.warn(NoteWording.diagnostic(note))
        }
        return (desk, GrantSource(source, workspace: desk.workspace))
    }

    /// What the log says to a source: a grant of old content is a grant that nobody offers now.
    private static func note(of source: SignedSource, _ history: SignerHistory) -> SigningNote? {
        if history.highest > 0, history.origin(of: source.digest) == nil {
            return .grantForeignSource(source.version)
        }
        return source.version.number < history.floor
            ? .grantStaleSource(source.version, floor: history.floor) : nil
    }

    /// The token with a newline, or with `--json` its facts too.
    static func write(
        _ token: [UInt8], _ output: consuming DocumentOutput, _ context: CommandContext,
        _ facts: [(String, JSONValue)]
    ) throws(Failure) {
        let isFile = output.isFile
        guard context.wantsJSON else {
            try output.commit(token + [0x0A])
            return
        }
        if isFile { try output.commit(token + [0x0A]) }
        context.console.json(
            .object(facts + [("token", .string(String(decoding: token, as: UTF8.self)))]))
    }
}
