import CampaignCompiler
import CommandLineKit
import ES256
import ExecKeys
import FileKeys
import GronaCommand
import GronaFormats
import JOSE
import Ledger
import Libcrypto
import LinuxIO
import PKCS11Keys
import ProjectFiles
import SecretMemory
import Signing
import SigningKeys

/// Everything that a command of the signer opens: keyrings, policies, logs and keys, each checked
/// for who may change it.
struct SignerSetup {
    let context: CommandContext
    let keys: FilePath
    let state: FilePath
    /// Programs that have keys, each started once in a run.
    private let programs: ExecKeys

    init(_ context: CommandContext) throws(Failure) {
        self.context = context
        keys = try context.keys()
        state = try context.stateFolder()
        try Ownership.require(state, mayBeMissing: true)
        let programs = ExecKeys(
            owners: try Ownership.trustedOwners(), timeout: try context.signerTimeout())
        context.atEnd { programs.shutDown() }
        self.programs = programs
    }

    // MARK: Desks

    /// The desk of a workspace, for a command that was told which one.
    ///
    /// - Parameter policy: where the command has read it from a campaign folder.
    func desk(
        _ workspace: WorkspaceName, policy: WorkspacePolicy? = nil
    ) throws(Failure) -> SigningDesk {
        let all = try keyrings()
        return try desk(
            try worded(Failure.init) { () throws(ProjectFileError) in
                try all.usable(workspace, below: keys)
            }, policy: policy)
    }

    /// The desk of a keyring that was read and is bound to no other.
    ///
    /// - Parameter forKill: whether a kill may be asked of it, which a broken policy does not stop.
    func desk(
        _ keyring: KeyringFile, policy: WorkspacePolicy? = nil, forKill: Bool = false
    ) throws(Failure) -> SigningDesk {
        try Ownership.require(keyring.path)
        let workspace = keyring.keyring.workspace
        var (keyring, memory) = (keyring, try memory(keyring.keyring))
        if let recorded = memory.history.keyring, recorded != keyring.digest.hex,
            let settled = try KeyringRecovery(setup: self).settled(workspace)
        {
            // It was being changed while it was read, or its last change was cut short.
            (keyring, memory) = (settled.file, settled.memory)
        }
        let isStrict = try context.isStrict()
        let campaigns = try context.campaigns()
        do throws(ProjectFileError) {
            let known: WorkspacePolicy
            if let policy {
                known = policy
            } else {
                known = try PolicyLookup.find(workspace, below: campaigns).policy
            }
            return SigningDesk(
                keyring: keyring, policy: known, isStrict: isStrict, memory: memory)
        } catch {
            guard forKill else { throw Failure(error) }
            return SigningDesk(
                keyring: keyring, policy: .undeclared(workspace), policyFault: error,
                isStrict: isStrict, memory: memory)
        }
    }

    func keyrings() throws(Failure) -> KeyringFiles {
        do throws(ProjectFileError) {
            return try KeyringFiles.read(below: keys)
        } catch {
            // A folder of keyrings that is not there is a setting that is wrong.
            if case .file(let error) = error, error.isNotFound {
                throw Failure(.noKeyring(keys))
            }
            throw Failure(error)
        }
    }

    /// The keyring that has a key, over all workspaces, or that of `--workspace`.
    func keyring(
        having kid: KeyID?, in all: KeyringFiles, file: String? = nil
    ) throws(Failure) -> KeyringFile {
        let asked = try context.workspace()
        let found = kid.map { all.having($0) } ?? []
        guard let workspace = asked ?? found.first?.keyring.workspace else {
            // The key may be in one that nobody could look into.
            for unread in all.failures {
                guard case .file(let error) = unread.error, error.number == .noPermission else {
                    continue
                }
                throw Failure(reading: error)
            }
            throw Failure(
                Diagnostic(
                    code: RuleCode.headerUnknownKid.rawValue,
                    message: "no keyring below \(keys) has a key called \"\(kid?.text ?? "")\"",
                    file: file, help: "--keys names the folder of the keyrings", exit: .refused))
        }
        return try worded(Failure.init) { () throws(ProjectFileError) in
            try all.usable(workspace, below: keys)
        }
    }

    /// What the log of a keyring adds up to.
    func memory(_ keyring: Keyring) throws(Failure) -> SignerMemory {
        let log = auditLog(keyring.id)
        return try worded(wording(keyring.id).failure) { () throws(SigningError) in
            try SignerMemory(log, writer: writer(keyring.workspace))
        }
    }

    func auditLog(_ id: KeyringID) -> HashChainLog {
        SignerMemory.log(at: StateFolder(state).keyring(id).auditLog)
    }

    func writer(_ workspace: WorkspaceName) -> SignerMemory.Writer {
        let user = UserIdentity.current()
        let console = context.console
        return SignerMemory.Writer(
            user: user.name ?? String(user.userID), workspace: workspace,
            isRehearsal: context.isRehearsal
        ) { mending in
            switch mending {
            case .removed: console.report(NoteWording.diagnostic(.logRepaired))
            case .completed: console.report(NoteWording.diagnostic(.logCompleted))
            }
        }
    }

    func wording(
        _ id: KeyringID? = nil, files: [SourceRole: String] = [:]
    ) -> SigningWording {
        let log = id.map { StateFolder(state).keyring($0).auditLog.description } ?? ""
        return SigningWording(files: files, log: log)
    }

    // MARK: Keys

    /// The back ends of this program, for keys of one keyring.
    func opener(folder: FilePath) throws(Failure) -> KeyOpener {
        let owners = try Ownership.trustedOwners()
        let prompt: @Sendable (KeyID) -> String = { "Passphrase of \($0.text): " }
        let passphrases = PassphraseSources(
            optionFile: context.call[SignOptions.passphraseFile], owners: owners,
            prompt: context.console.preferences.noInput ? nil : prompt)
        let pinPrompt: @Sendable (TokenName) -> String = {
            "PIN of token \(DisplayText.escaped($0.label)): "
        }
        let pins = PINSources(
            owners: owners, prompt: context.console.preferences.noInput ? nil : pinPrompt)
        let console = context.console
        let seconds = UInt64(min(max(1, try context.signerTimeout().seconds), 86_400))
        return KeyOpener([
            FileKeys(folder: folder, owners: owners, passphrases: passphrases),
            PKCS11Keys(
                owners: owners, pins: pins, timeout: seconds,
                refused: RefusedPINMemory(
                    state: state, retries: context.call[SignOptions.retryPIN]),
                loading: { Self.guardAgainstModules(console) }),
            programs,
        ])
    }

    /// A module must not write among our results, nor end the program as if all were done.
    private static func guardAgainstModules(_ console: Console) {
        do throws(SystemError) {
            try ForeignCode.keepFromStreams(showingErrors: console.preferences.verbose)
        } catch {
            console.report(Failure(writing: .system(error)).reason)
        }
        let ended = Failure(
            Diagnostic(
                code: RuleCode.keyFailed.rawValue,
                message: "a PKCS#11 module ended the program in the middle of its work",
                help: "look for a newer version of the module; -v shows what it says", exit: .fault)
        )
        ForeignCode.guardExit(status: ExitStatus.fault.rawValue, console.bytes(of: ended))
    }

    /// Opens a key of a keyring and compares it with what is recorded.
    func open(_ record: KeyRecord, of keyring: KeyringFile) throws(Failure) -> KeyInHand {
        let uri = try signerURI(record.signer, record.kid)
        guard let expected = keyring.publicKey(record.kid) else {
            throw wording().failure(.keyring(.unknownKey(record.kid)))
        }
        let opener = try opener(folder: keyring.folder)
        do throws(SigningKeyError) {
            let signer = try opener.open(uri, kid: record.kid, expecting: expected)
            warnAboutMemory()
            return KeyInHand(signer, record: record)
        } catch {
            throw KeyWording.failure(error, kid: record.kid)
        }
    }

    /// A rehearsal never reaches a key that is not made for it.
    func signerURI(_ text: String, _ kid: KeyID) throws(Failure) -> SignerURI {
        let uri: SignerURI
        do throws(SignerURIError) {
            uri = try SignerURI(text)
        } catch {
            throw KeyWording.failure(.badURI(error), kid: kid)
        }
        guard !context.isRehearsal || uri.scheme == .file else {
            throw Failure(
                Diagnostic(
                    code: RuleCode.rehearsalReal.rawValue,
                    message: "a rehearsal takes only key files, and the key of \(kid) is"
                        + " \(uri.scheme.rawValue):",
                    help: "make a keyring for rehearsals, and name it with --keys",
                    exit: .configuration))
        }
        return uri
    }

    /// A rehearsal never changes a keyring that signs for real: one with a log outside of it.
    func refuseToRehearse(_ id: KeyringID) throws(Failure) {
        guard context.isRehearsal else { return }
        let log = StateFolder(try context.realStateFolder()).keyring(id).auditLog
        let status: FileStatus?
        do throws(SystemError) {
            status = try FileSystem.statusIfPresent(of: log, links: .refuse)
        } catch {
            throw Failure(reading: .system(error))
        }
        guard status == nil else {
            throw Failure(
                Diagnostic(
                    code: RuleCode.rehearsalReal.rawValue,
                    message: "this keyring signs for real, and a rehearsal does not change it",
                    file: log.description,
                    help: "make a keyring for rehearsals, and name it with --keys",
                    exit: .configuration))
        }
    }

    private func warnAboutMemory() {
        guard SecretMemory.takeWarning() == .notLocked else { return }
        context.console.report(
            .warning(
                code: "memory.unlocked", message: "secrets could not be locked into memory",
                help: "raise 'ulimit -l', so that they never reach swap"))
    }
}

/// Runs something, with the words for what it throws.
func worded<Value: ~Copyable, Trouble: Error>(
    _ words: (Trouble) -> Failure, _ body: () throws(Trouble) -> Value
) throws(Failure) -> Value {
    do throws(Trouble) {
        return try body()
    } catch {
        throw words(error)
    }
}
