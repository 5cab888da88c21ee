import CommandLineKit
import ES256
import GronaCommand
import GronaFormats
import Ledger
import Libcrypto
import LinuxIO
import ProjectFiles
import Signing
import SigningKeys
import StrictJSON

/// `keys generate` and `keys import`: a key comes into a keyring.
///
/// Every change of a keyring stands in the audit log ahead of the change.
enum KeysAddCommand {
    private static let use = Option(
        "use", ValueReader<String>.choice("config|grant", KeyUse.allCases.map(\.rawValue)),
        isRequired: true, help: "what the key signs; a key never serves both")
    private static let kid = Option(
        "kid", ValueReader<KeyID>.kid(), isRequired: true,
        help: "its name for ever, such as acme-market-2026-10")
    private static let signer = Option(
        "signer", ValueReader<String>.text("URI"), isRequired: true,
        help: "where the private half is: file:NAME.pem beside the keyring, credential:NAME,"
            + " pkcs11:…?module-path=…, or exec:/PROGRAM")
    private static let newSigner = Option(
        "signer", ValueReader<String>.text("URI"), isRequired: true,
        help: "where the private half is to be: file:NAME.pem beside the keyring, or"
            + " pkcs11:token=…;object=…?module-path=…")

    private static func options(
        _ signer: any OptionDeclaration
    ) -> [any OptionDeclaration] {
        [
            use, kid, signer, SharedOptions.keys, SharedOptions.workspace, SharedOptions.state,
            SharedOptions.strict,
        ] + SignOptions.keyAccess
    }

    static let generate = Command(
        "generate", .acts, summary: "make a key and record it",
        discussion: [
            "The first key of a use is current at once; a later one waits until the apps pin it."
                + " The private half is encrypted when a passphrase file is given."
        ],
        options: options(newSigner),
        examples: [
            .init(
                "grona-sign keys generate --workspace acme-market --use config"
                    + " --kid acme-market-2026-10 --signer file:acme-market-2026-10.pem",
                "makes a config key in a file"),
            .init(
                "grona-sign keys generate --workspace acme-market --use config"
                    + " --kid acme-market-2026-10 --signer 'pkcs11:token=grona;object="
                    + "acme-market-2026-10?module-path=/usr/lib/softhsm/libsofthsm2.so"
                    + "&pin-source=file:/etc/grona/pin'",
                "makes one in a token, where it stays"),
        ]
    ) { context throws(Failure) in try run(context, .generated) }

    static let importing = Command(
        "import", .acts, summary: "record a key that exists",
        discussion: ["The private half stays where it is and signs a probe."],
        options: options(signer),
        examples: [
            .init(
                "grona-sign keys import --workspace acme-market --use config"
                    + " --kid acme-market-2026-10 --signer exec:/usr/libexec/grona-kms",
                "records a key that a program asks a key service for")
        ]
    ) { context throws(Failure) in try run(context, .imported) }

    private static func run(
        _ context: CommandContext, _ change: KeyringRecord.Change
    ) throws(Failure) -> ExitStatus {
        let call = context.call
        let workspace = try context.requireWorkspace()
        guard let use = KeyUse(rawValue: try call.require(use)) else { return .usage }
        let kid = try call.require(kid)
        let setup = try SignerSetup(context)
        let uri = try setup.signerURI(try call.require(signer), kid)
        let result = try add(
            workspace, use: use, kid: kid, signer: uri, change: change, setup: setup)
        if context.wantsJSON {
            context.console.json(result.shownJSON)
        } else {
            context.console.line(
                "\(result.kid) is \(result.state.rawValue), thumbprint \(result.thumbprint)")
        }
        return .success
    }

    /// Makes or opens the key, and writes the audit log, then the keyring.
    static func add(
        _ workspace: WorkspaceName, use: KeyUse, kid: KeyID, signer: SignerURI,
        change: KeyringRecord.Change, setup: SignerSetup
    ) throws(Failure) -> KeyRecord {
        let keys = setup.keys
        try Ownership.require(keys.appending(workspace.text), mayBeMissing: true)
        try KeyFolder.make(at: keys)
        if let settled = try KeyringRecovery(setup: setup).settled(workspace), settled.isFinished,
            let record = settled.file.keyring.key(kid), record.use == use,
            record.signer == signer.text
        {
            return record
        }
        let editor = try worded(Failure.init) { () throws(ProjectFileError) in
            try KeyringEditor(workspace, below: keys)
        }
        do throws(Failure) {
            return try add(
                workspace, use: use, kid: kid, signer: signer, change: change, setup: setup,
                with: editor)
        } catch {
            editor.abandon()
            throw error
        }
    }

    /// The same under the lock of the keyring.
    private static func add(
        _ workspace: WorkspaceName, use: KeyUse, kid: KeyID, signer: SignerURI,
        change: KeyringRecord.Change, setup: SignerSetup, with editor: borrowing KeyringEditor
    ) throws(Failure) -> KeyRecord {
        let keys = setup.keys
        try Ownership.require(keys.appending(workspace.text))
        if let current = editor.current { try setup.refuseToRehearse(current.keyring.id) }
        let others = try setup.keyrings()
        if let taken = others.having(kid).first {
            // A key that was moved, such as to a token, is the same one.
            let opener = try setup.opener(folder: keys.appending(workspace.text))
            let isSame =
                change == .imported && taken.keyring.workspace == workspace
                && (try? opener.open(new: signer, kid: kid))?.publicKey == taken.publicKey(kid)
            throw setup.wording().failure(
                .keyring(isSame ? .recordedAlready(kid) : .kidTaken(kid)))
        }
        try InitStringRule.check(signer, kid, beside: others.files.map(\.keyring))
        guard let id = KeyringID(randomBytes: SystemRandom.bytes(KeyringID.byteCount)) else {
            throw setup.wording().failure(.keyring(.unknownKey(kid)))
        }
        let isNew = editor.current == nil
        let known = try memory(of: editor.current, orNew: id, workspace, setup)
        var recording = known.memory
        let state = recording.log.path.parent
        // Without a log it is the state of a keyring that was not made.
        defer { if isNew { FileSystem.removeEmptyFolder(state) } }
        let opener = try setup.opener(folder: keys.appending(workspace.text))
        let key = try worded(KeyWording.words(kid)) {
            () throws(SigningKeyError) in
            switch change {
            case .generated: try opener.generate(signer, kid: kid)
            case .imported, .firstUse, .accepted: try opener.open(new: signer, kid: kid)
            }
        }
        let addition = KeyAddition(
            kid: kid, use: use, signer: signer.text, publicKey: key.publicKey, change: change)
        let now = setup.context.now
        let current = editor.current?.keyring
        let (keyring, record) = try worded(setup.wording().failure) { () throws(SigningError) in
            try addition.applied(to: current, workspace: workspace, id: id, now: now)
        }
        try worded(KeyWording.words(kid)) { () throws(SigningKeyError) in
            try KeyInHand(key, record: record).probe(SystemRandom.bytes(32))
        }
        let written = try worded(Failure.init) { () throws(ProjectFileError) in
            try editor.prepare(keyring, beside: others.files)
        }
        try worded(Failure.init) { () throws(ProjectFileError) in try editor.stage(written) }
        _ = try worded(setup.wording(keyring.id).failure) { () throws(SigningError) in
            try recording.record(at: now) { _ in
                [
                    .keyring(
                        addition.record(
                            state: record.state, before: written.before?.hex,
                            after: written.after.hex))
                ]
            }
        }
        if known.isFirstUse, let before = written.before {
            setup.context.console.report(NoteWording.diagnostic(.keyringFirstUse(before.hex)))
        }
        _ = try worded(Failure.init) { () throws(ProjectFileError) in try editor.write(written) }
        return record
    }

    /// The memory of a keyring that is there, which must be the one on record, or of a new one; and
    /// whether it is seen for the first time.
    ///
    /// Its folder is made here, ahead of the key: a key that cannot be recorded is not made.
    private static func memory(
        of file: KeyringFile?, orNew id: KeyringID, _ workspace: WorkspaceName,
        _ setup: SignerSetup
    ) throws(Failure) -> (memory: SignerMemory, isFirstUse: Bool) {
        let memory = try setup.memory(file?.keyring ?? Keyring(id: id, workspace: workspace))
        try worded(Failure.init) { () throws(ProjectFileError) in
            try StateFolder.create(memory.log.path.parent)
        }
        guard let file else { return (memory, false) }
        let isStrict = try setup.context.isStrict()
        let first = try worded(setup.wording(file.keyring.id).failure) {
            () throws(SigningError) in
            try KeyringRule.record(
                of: file.digest.hex, history: memory.history, isStrict: isStrict)
        }
        return (memory, first != nil)
    }
}
