import ES256
import GronaFormats
import Libcrypto
import SigningKeys

/// A private key that a program has. What it answers is not believed: `SelfVerifyingSigner`
/// compares the public half and verifies each signature.
struct ExecKey: SigningKey {
    let publicKey: P256PublicKey
    private let kid: KeyID
    private let session: ExecSession

    init(kid: KeyID, session: ExecSession) throws(SigningKeyError) {
        self.kid = kid
        self.session = session
        publicKey = try session.ask(.publicKey(kid), ExecAnswer.publicKey)
    }

    func sign(_ digest: SHA256Digest) throws(SigningKeyError) -> [UInt8] {
        try session.ask(.sign(digest, kid), ExecAnswer.signature)
    }
}
