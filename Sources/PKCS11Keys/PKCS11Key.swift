package import ES256
package import Libcrypto
import LinuxIO
package import SigningKeys

/// A private key on a token that is logged in.
package final class PKCS11Key: SigningKey {
    package let publicKey: P256PublicKey
    private let module: Module
    private let key: KeyState
    private let timeout: UInt64
    private let refused: RefusedPINMemory

    init(
        _ key: KeyState, of module: Module, publicKey: P256PublicKey, timeout: UInt64,
        refused: RefusedPINMemory
    ) {
        self.refused = refused
        self.key = key
        self.module = module
        self.publicKey = publicKey
        self.timeout = timeout
    }

    /// - Returns: 64 bytes; what they are worth is for verification to say.
    package func sign(_ digest: SHA256Digest) throws(SigningKeyError) -> [UInt8] {
        let bytes = digest.bytes
        let (key, name) = (key, key.token.name)
        do throws(TokenError) {
            let signature = try module.run(within: timeout, for: name) {
                driver, deadline throws(TokenProblem) in
                try driver.sign(bytes, with: key, until: deadline)
            }
            if let problem = Self.fault(of: signature) {
                throw TokenError(problem, module: module.path, token: name)
            }
            return signature
        } catch {
            if case .wrongPIN = error.problem { rememberRefusal() }
            throw .token(error)
        }
    }

    /// A PIN that has succeeded was changed under us: later runs are not to try it.
    private func rememberRefusal() {
        let token = key.token
        let refusal = try? module.run(within: timeout) { _, _ throws(TokenProblem) in
            token.refusal?.identity
        }
        if let identity = refusal ?? nil {
            try? refused.remember(identity, at: token.name, .refused, now: SystemClock.unixTime())
        }
    }

    /// What a signature has that is not 64 bytes; DER is told apart, since modules have given it.
    static func fault(of signature: [UInt8]) -> TokenProblem? {
        guard signature.count != ECDSASignature.rawByteCount else { return nil }
        return ECDSASignature.rawFromDER(signature) == nil
            ? .signatureLength(signature.count) : .derSignature
    }
}
