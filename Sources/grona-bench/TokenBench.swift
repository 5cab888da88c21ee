import ES256
import GronaFormats
import Libcrypto
import LinuxIO
import PKCS11Keys
import SigningKeys

/// Signatures with a key on a token, as the signer makes them: each is verified.
enum TokenBench {
    /// For each line of stdin it works for 200 ms and answers with the nanoseconds of one signature.
    ///
    /// - Parameter file: the public half, 91 bytes; the folder for refused PINs is beside it.
    static func run(signer text: String, publicKeyFile file: String) throws {
        let file = FilePath(file)
        let owners = try TrustedOwners(user: UserIdentity.current().userID)
        let keys = PKCS11Keys(
            owners: owners, pins: PINSources(owners: owners, prompt: nil), timeout: 30,
            refused: RefusedPINMemory(state: file.parent, retries: false))
        guard let kid = KeyID("bench") else { return }
        let key = try KeyOpener([keys]).open(
            SignerURI(text), kid: kid,
            expecting: P256PublicKey(spki: readFile(file, limit: 1024)))
        while readLine() != nil {
            let start = SystemClock.monotonicNanoseconds()
            var elapsed: UInt64 = 0
            var times: UInt64 = 0
            while elapsed < 200_000_000 {
                _ = try key.sign(SHA256.digest([UInt8(truncatingIfNeeded: times)]))
                times += 1
                elapsed = SystemClock.monotonicNanoseconds() - start
            }
            try StandardOutput.write(Array("\(elapsed / times)\n".utf8))
        }
        Modules.ofProcess.shutDown()
    }
}
