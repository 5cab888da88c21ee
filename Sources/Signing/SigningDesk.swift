package import GronaFormats
package import JOSE
import Libcrypto
package import ProjectFiles

/// Everything that a signature of one workspace needs but the key: keyring, policy and memory.
package struct SigningDesk: Sendable {
    package let keyring: KeyringFile
    package let policy: WorkspacePolicy
    /// Why the policy could not be read, where only a kill may go on without it.
    package let policyFault: ProjectFileError?
    package let isStrict: Bool
    package var memory: SignerMemory

    package init(
        keyring: KeyringFile, policy: WorkspacePolicy, policyFault: ProjectFileError? = nil,
        isStrict: Bool, memory: SignerMemory
    ) {
        self.policyFault = policyFault
        self.keyring = keyring
        self.policy = policy
        self.isStrict = isStrict
        self.memory = memory
    }

    package var workspace: WorkspaceName { keyring.keyring.workspace }
    /// SHA-256 of the keyring file in hex.
    package var keyringDigest: String { keyring.digest.hex }

    package func drafting(at now: UnixTime) -> Drafting {
        Drafting(
            keyring: keyring.keyring, policy: policy, policyFault: policyFault,
            history: memory.history, now: now)
    }

    /// What the log has to hold before anything else is recorded.
    package func keyringRecord() throws(SigningError) -> AuditRecord.Act? {
        try KeyringRule.record(
            of: keyringDigest, history: memory.history, isStrict: isStrict)
    }

    /// An envelope as a source: by any config key of the keyring, since the log decides.
    package func source(
        _ envelope: FlattenedJWS, byteCount: Int, role: SourceRole, expiry: SignedSource.Expiry,
        now: UnixTime
    ) throws(SigningError) -> SignedSource {
        try SignedSource(
            envelope, byteCount: byteCount, role: role, keyring: keyring.keyring,
            trusted: keyring.keyring.configKeys, expiry: expiry, now: now)
    }

    package mutating func sign(
        _ drafts: [Draft], with key: KeyInHand, now: UnixTime
    ) throws(SigningError) -> [Result<SignedEnvelope, SigningError>] {
        let signer = Signer(
            keyring: keyring.keyring, keyringDigest: keyringDigest, isStrict: isStrict)
        return try signer.sign(drafts, with: key, memory: &memory, now: now)
    }

    /// Signs one draft; the key has answered and the output is open by now.
    package mutating func sign(
        _ draft: Draft, with key: KeyInHand, now: UnixTime
    ) throws(SigningError) -> SignedEnvelope {
        guard let answer = try sign([draft], with: key, now: now).first else {
            throw .memory(.busy)
        }
        return try answer.get()
    }
}
