import ES256
import FileKeys
import GronaFormats
import Libcrypto
import LibcryptoSigning
import LinuxIO
import SigningKeys
import TestSupport
import Testing

/// What a back end may answer in place of its signature over the digest.
enum Lie: CaseIterable {
    case nothing, zeros, ones, otherKey, otherDigest, tooShort, tooLong, swapped, der, failure
}

private struct LyingKey: SigningKey {
    let key: TestKey
    let lie: Lie

    var publicKey: P256PublicKey { key.publicKey }

    func sign(_ digest: SHA256Digest) throws(SigningKeyError) -> [UInt8] {
        let signature = try FileKey(key.privateKey).sign(digest)
        switch lie {
        case .nothing: return []
        case .zeros: return [UInt8](repeating: 0, count: 64)
        case .ones: return [UInt8](repeating: 0xFF, count: 64)
        case .otherKey:
            guard let other = try? TestKey() else { throw .outOfSecretMemory }
            return try FileKey(other.privateKey).sign(digest)
        case .otherDigest: return try FileKey(key.privateKey).sign(SHA256.digest([]))
        case .tooShort: return Array(signature.dropLast())
        case .tooLong: return signature + [0]
        case .swapped: return Array(signature[32...] + signature[..<32])
        case .der: return ECDSASignature.derFromRaw(signature) ?? []
        case .failure: throw .notAllowed(.wrongPassphrase(at: "key.pem"))
        }
    }
}

private struct BackEnd: KeyBackEnd {
    let schemes: Set<SignerScheme>
    let key: any SigningKey

    func open(
        _ signer: SignerURI, kid: KeyID, expecting expected: P256PublicKey?
    ) throws(SigningKeyError) -> any SigningKey { key }
    func generate(_ signer: SignerURI, kid: KeyID) throws(SigningKeyError) -> any SigningKey {
        throw .cannotGenerate(signer.scheme)
    }
}

@Suite struct SelfVerifyingSignerTests {
    private let digest = SHA256.digest(Array("signing input".utf8))

    @Test("a signature that holds is given out, and a probe passes")
    func good() throws {
        let key = try TestKey()
        let signer = try SelfVerifyingSigner(
            FileKey(key.privateKey), expecting: key.publicKey)
        let signature = try signer.sign(digest)
        #expect(key.publicKey.isValidSignature(signature, for: digest))
        try signer.probe([UInt8](repeating: 7, count: 32))
    }

    @Test("a key that is not the recorded one never signs")
    func mismatch() throws {
        let (key, other) = (try TestKey(), try TestKey())
        #expect(
            throws: SigningKeyError.keyMismatch(
                expected: other.publicKey.thumbprint, found: key.publicKey.thumbprint)
        ) {
            _ = try SelfVerifyingSigner(FileKey(key.privateKey), expecting: other.publicKey)
        }
    }

    @Test(
        "whatever else a back end answers is a fault and is kept back",
        arguments: Lie.allCases.filter { $0 != .failure })
    func lies(lie: Lie) throws {
        let key = try TestKey()
        let signer = try SelfVerifyingSigner(
            LyingKey(key: key, lie: lie), expecting: key.publicKey)
        #expect(throws: SigningKeyError.badSignature) { _ = try signer.sign(digest) }
        #expect(throws: SigningKeyError.badSignature) {
            try signer.probe([UInt8](repeating: 7, count: 32))
        }
    }

    @Test("a back end's own error comes through")
    func failure() throws {
        let key = try TestKey()
        let signer = try SelfVerifyingSigner(
            LyingKey(key: key, lie: .failure), expecting: key.publicKey)
        #expect(throws: SigningKeyError.notAllowed(.wrongPassphrase(at: "key.pem"))) {
            _ = try signer.sign(digest)
        }
    }

    @Test("the opener takes the back end of the scheme and no other")
    func opener() throws {
        let key = try TestKey()
        let kid = try #require(KeyID(key.kid))
        let opener = KeyOpener([
            BackEnd(schemes: [.file, .credential], key: FileKey(key.privateKey))
        ])
        let signer = try opener.open(
            .file(path: "a"), kid: kid, expecting: key.publicKey)
        #expect(signer.publicKey == key.publicKey)
        #expect(try opener.open(new: .credential(name: "a"), kid: kid).publicKey == key.publicKey)
        for foreign in [try SignerURI("pkcs11:token=a?module-path=/m.so"), .exec("/bin/false")] {
            #expect(throws: SigningKeyError.unsupportedScheme(foreign.scheme)) {
                _ = try opener.open(foreign, kid: kid, expecting: key.publicKey)
            }
            #expect(throws: SigningKeyError.unsupportedScheme(foreign.scheme)) {
                _ = try opener.generate(foreign, kid: kid)
            }
        }
        let other = try TestKey().publicKey
        #expect(throws: SigningKeyError.self) {
            _ = try opener.open(.file(path: "a"), kid: kid, expecting: other)
        }
    }
}
