import CommandLineKit
import GronaCommand
import GronaFormats
import GronaVerification
import LinuxIO
import ProjectFiles
import Publishing

/// What the commands of this program open: the store, the ledger, the keys, the policy.
extension CommandContext {
    /// Who trusts what in a workspace: the pins that were given, or the keyring.
    func judge(_ workspace: WorkspaceName) throws(Failure) -> DocumentJudge {
        if let pins = try pins() { return try pinnedJudge(pins, workspace) }
        return try keyringJudge(workspace)
    }

    /// The same, with the ledger of a store to vouch for what keys signed that are not trusted any
    /// more; where there is none that can be opened, nobody does.
    func judge(
        _ workspace: WorkspaceName, of store: any PublicationStore
    ) throws(Failure) -> DocumentJudge {
        let judge = try judge(workspace)
        guard let ledger = try? LedgerPlace.open(self, of: store) else { return judge }
        return judge.vouched(by: ledger)
    }

    func keyringJudge(_ workspace: WorkspaceName) throws(Failure) -> DocumentJudge {
        let keyring = try keyring(workspace).keyring
        do {
            return try DocumentJudge(keyring: keyring, now: now)
        } catch {
            throw Failure(error)
        }
    }

    func pinnedJudge(
        _ path: FilePath, _ workspace: WorkspaceName
    ) throws(Failure) -> DocumentJudge {
        let pins: PinsOnDisk
        do { pins = try PinsOnDisk.read(path, for: workspace) } catch { throw Failure(error) }
        do {
            return try DocumentJudge(pins: pins.pins, now: now)
        } catch {
            throw Failure(error)
        }
    }

    func keyring(_ workspace: WorkspaceName) throws(Failure) -> KeyringFile {
        let keys = try keys()
        let file: KeyringFile
        do throws(ProjectFileError) {
            file = try KeyringFiles.read(below: keys).usable(workspace, below: keys)
        } catch {
            throw Failure(publicHalves: error)
        }
        try Ownership.warn(about: file.path, on: console)
        return file
    }

    /// The workspace's policy; says so where none is written down.
    func policy(_ workspace: WorkspaceName) throws(Failure) -> WorkspacePolicy {
        let lookup: PolicyLookup
        do {
            lookup = try PolicyLookup.find(workspace, below: try campaigns())
        } catch let error as ProjectFileError {
            throw Failure(error)
        } catch let error as Failure {
            throw error
        } catch {
            return .undeclared(workspace)
        }
        if !lookup.policy.isDeclared {
            console.note(
                "there is no \(lookup.path): the rules of a production workspace hold")
        }
        return lookup.policy
    }

    func publisher(
        _ store: any PublicationStore, _ judge: DocumentJudge, isUrgent: Bool = false
    ) throws(Failure) -> Publisher {
        let user = UserIdentity.current()
        var publisher = Publisher(
            store: store, ledger: try LedgerPlace.open(self, of: store, isUrgent: isUrgent),
            judge: judge,
            user: user.name ?? String(user.userID), isRehearsal: isRehearsal)
        publisher.staged = StagedEnvelopes(StateFolder(try stateFolder()).store(store.name))
        let isStrict = try isStrict()
        let console = console
        let name = store.name
        publisher.onEmptyLedger = { highest in
            console.report(
                .warning(
                    code: "ledger.empty",
                    message: "the ledger knows nothing of this workspace, but version \(highest)"
                        + " stands in the store or beside the ledger: what publishers wrote down"
                        + " is not seen here",
                    file: name,
                    help: "if this store was published to before, name the ledger that was used"
                        + " then (--ledger): from an empty one a store that was set back cannot be"
                        + " told"))
            return isStrict
        }
        return publisher
    }

    /// The workspace of an operand, or of the setting.
    func workspace(_ operand: Operand<WorkspaceName>) throws(Failure) -> WorkspaceName {
        if let named = call[operand] { return named }
        return try requireWorkspace()
    }

    /// The publisher of a production workspace should have no private key at hand.
    func warnOfPrivateKeys(_ policy: WorkspacePolicy) throws(Failure) {
        guard policy.environment == .production else { return }
        let keys = try keys()
        guard let file = try? KeyringFile.read(policy.workspace, below: keys) else { return }
        let readable = PrivateKeys.readable(file)
        guard let first = readable.first else { return }
        let what = readable.count == 1 ? "a private key" : "\(readable.count) private keys"
        try warn(
            .warning(
                code: "key.readable",
                message: "the publisher of a production workspace can open \(what)",
                file: first.description,
                help: "publish as a user, or on a host, that has the public halves alone"))
    }
}
