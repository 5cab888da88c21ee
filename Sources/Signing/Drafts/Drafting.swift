package import GronaFormats
import Libcrypto
package import ProjectFiles
import StrictJSON
import Transitions

/// What every draft is made with: the keyring, the policy, the signer's memory and the time.
package struct Drafting: Sendable {
    package let keyring: Keyring
    package let policy: WorkspacePolicy
    package let policyFault: ProjectFileError?
    package let history: SignerHistory
    package let now: UnixTime

    package init(
        keyring: Keyring, policy: WorkspacePolicy, policyFault: ProjectFileError? = nil,
        history: SignerHistory, now: UnixTime
    ) {
        self.policyFault = policyFault
        self.keyring = keyring
        self.policy = policy
        self.history = history
        self.now = now
    }

    var policyNotes: [SigningNote] {
        if policyFault != nil { return [.policyUnreadable(keyring.workspace)] }
        return policy.isDeclared ? [] : [.policyUndeclared(keyring.workspace)]
    }

    /// `settings.demo` shows ungranted offers, so it is for demo workspaces alone; a kill is not
    /// held up by it (signed-configuration: Demo mode).
    private func demoNotes(
        _ root: JSONElement, _ role: TransitionRole
    ) throws(SigningError) -> [SigningNote] {
        guard policy.environment != .demo, root["settings"]?["demo"]?.boolean == true else {
            return []
        }
        guard role == .kill else { throw .demoOutsideDemo(keyring.workspace) }
        return [.demoOutsideDemo(keyring.workspace)]
    }

    /// The key that signs: the current one of its use, which `asked` may name but not replace.
    package func signingKey(
        _ use: KeyUse, asked: KeyID? = nil
    ) throws(SigningError) -> KeyRecord {
        if let asked {
            guard let key = keyring.key(asked) else { throw .keyring(.unknownKey(asked)) }
            guard key.use == use else { throw .keyring(.otherUse(asked, key.use)) }
            guard key.state == .current else { throw .keyring(.cannotSign(asked, key.state)) }
            return key
        }
        guard let key = keyring.current(use) else {
            throw .keyring(.noCurrentKey(keyring.workspace, use))
        }
        return key
    }

    /// The number that was asked for, or the one after the highest that is known.
    func numbered(
        _ asked: ConfigVersion?, above known: ConfigVersion...
    ) throws(SigningError) -> ConfigVersion {
        if let asked { return asked }
        let highest = known.reduce(history.highest) { max($0, $1.number) }
        guard let next = ConfigVersion(highest + 1) else { throw .version(.noneLeft) }
        return next
    }

    /// Checks a payload against its transition, its rows and the memory, and makes the draft.
    func draft(
        _ transition: Transition?, role: TransitionRole, payload: [UInt8], edit: PayloadEdit,
        key: KeyRecord, source: DraftSource? = nil, served: DraftSource? = nil,
        changes: SignedChanges = SignedChanges(), knownVersion: Int64 = 0,
        allowedJump: Int64? = nil, isAboveAll: Bool = false, notes: [SigningNote] = []
    ) throws(SigningError) -> Draft {
        // A kill waits for nobody's typing error.
        if let policyFault, role != .kill { throw .policy(policyFault) }
        let root = try PayloadCheck.check(payload, workspace: keyring.workspace, now: now)
        if let violations = transition?.violations(in: root), !violations.isEmpty {
            throw .transition(violations)
        }
        let demo = try demoNotes(root, role)
        var draft = Draft(
            role: role, workspace: keyring.workspace, version: edit.version,
            issuedAt: edit.issuedAt, expiresAt: edit.expiresAt, payload: payload,
            digest: SHA256.digest(payload).hex, key: key, source: source, served: served,
            changes: changes, switches: SwitchPositions(root), knownVersion: knownVersion,
            allowedJump: allowedJump,
            notes: policyNotes + demo + notes, isAboveAll: isAboveAll)
        for act in try MemoryRule.records(of: draft, history: history, states: keyring.states) {
            guard case .adoption(let adoption) = act else { continue }
            draft.notes.append(.adoptedByKill(adoption.version, digest: adoption.digest))
        }
        return draft
    }
}

extension Keyring {
    package var states: [KeyID: KeyState] {
        Dictionary(keys.map { ($0.kid, $0.state) }, uniquingKeysWith: { first, _ in first })
    }

    /// Every config key, whatever its state: what a source may have been signed by.
    package var configKeys: [KeyRecord] { keys.filter { $0.use == .config } }
}
