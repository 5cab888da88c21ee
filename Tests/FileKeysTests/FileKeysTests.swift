import ES256
import FileKeys
import Foundation
import GronaFormats
import Libcrypto
import LibcryptoSigning
import LinuxIO
import SecretMemory
import SigningKeys
import TestSupport
import Testing

@Suite struct FileKeysTests {
    private let folder: TestFolder
    private let kid: KeyID
    private let owners: TrustedOwners

    init() throws {
        folder = try TestFolder()
        kid = try #require(KeyID("acme-market-2026-10"))
        owners = try TrustedOwners(user: geteuid())
    }

    /// A back end over the test's folder, with the passphrase file and credentials given by name.
    private func keys(passphraseFile: String? = nil, credentials: String? = nil) -> FileKeys {
        let credentials = credentials.map { folder.file($0) }
        let passphrases = PassphraseSources(
            optionFile: passphraseFile.map { folder.file($0) },
            environmentFile: nil, credentials: credentials, owners: owners, prompt: nil)
        return FileKeys(
            folder: folder.path, credentials: credentials, owners: owners,
            passphrases: passphrases)
    }

    private func refusal(_ uri: String, _ keys: FileKeys) -> SigningKeyError? {
        do {
            _ = try keys.open(SignerURI(uri), kid: kid, expecting: nil)
            return nil
        } catch {
            return error as? SigningKeyError
        }
    }

    private func path(_ name: String) -> LinuxIO.FilePath { folder.file(name) }

    private func secretFile(_ error: SigningKeyError?) -> SecretFileError? {
        guard case .secretFile(let error, .key) = error else { return nil }
        return error
    }

    @Test("a key file opens and signs")
    func opens() throws {
        let key = try P256PrivateKey.generate()
        try folder.write("key.pem", try key.pkcs8PEM().copied(), permissions: 0o600)
        let opened = try keys().open(SignerURI("file:key.pem"), kid: kid, expecting: nil)
        #expect(opened.publicKey == key.publicKey)
        let digest = SHA256.digest([1])
        #expect(key.publicKey.isValidSignature(try opened.sign(digest), for: digest))
    }

    @Test("a key that jose made opens with jose's thumbprint")
    func jose() throws {
        let jwk = try Tool.output(["jose", "jwk", "gen", "-i", #"{"alg":"ES256"}"#])
        let thumbprint = try Tool.output(["jose", "jwk", "thp", "-i", "-"], input: jwk)
        let object = try #require(
            try JSONSerialization.jsonObject(with: Data(jwk)) as? [String: Any])
        let text = try #require(object["d"] as? String)
            .replacing("-", with: "+").replacing("_", with: "/")
        let scalar = try #require(Data(base64Encoded: text + "="))
        let key = try P256PrivateKey(scalar: Array(scalar).span)
        #expect(key.publicKey.thumbprint == String(decoding: thumbprint, as: UTF8.self))
        #expect(key.publicKey.x == object["x"] as? String)
        try folder.write("key.pem", try key.pkcs8PEM().copied(), permissions: 0o600)
        #expect(
            try keys().open(SignerURI("file:key.pem"), kid: kid, expecting: nil).publicKey
                == key.publicKey)
    }

    @Test("a missing file, and a folder on the way that is none, are the system's words")
    func missing() throws {
        try folder.write("file", [], permissions: 0o600)
        for uri in ["file:no.pem", "file:no/key.pem", "file:file/key.pem"] {
            guard case .system = secretFile(refusal(uri, keys())) else {
                Issue.record("\(uri): \(String(describing: refusal(uri, keys())))")
                continue
            }
        }
    }

    @Test(
        "any access for group or others is refused",
        arguments: [0o640, 0o604, 0o620, 0o602, 0o610, 0o601, 0o644, 0o660, 0o777])
    func permissions(mode: UInt32) throws {
        let text = try P256PrivateKey.generate().pkcs8PEM().copied()
        try folder.write("key.pem", text, permissions: mode)
        guard
            case .openToOthers(path("key.pem"), let status) = secretFile(
                refusal("file:key.pem", keys()))
        else {
            Issue.record("\(String(describing: refusal("file:key.pem", keys())))")
            return
        }
        #expect(status.permissions == mode)
        try folder.write("key.pem", text, permissions: mode & 0o700)
        #expect(refusal("file:key.pem", keys()) == nil)
    }

    @Test("a link, a folder, a pipe and a device are no key file")
    func kinds() throws {
        let text = try P256PrivateKey.generate().pkcs8PEM().copied()
        try folder.write("key.pem", text, permissions: 0o600)
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("link.pem").description, withDestinationPath: "key.pem")
        try FileManager.default.createDirectory(
            atPath: folder.file("sub").description, withIntermediateDirectories: false)
        #expect(unsafe mkfifo(folder.file("pipe").description, 0o600) == 0)
        #expect(secretFile(refusal("file:link.pem", keys())) == .isLink(path("link.pem")))
        #expect(secretFile(refusal("file:sub", keys())) == .notRegular(path("sub"), .folder))
        #expect(secretFile(refusal("file:pipe", keys())) == .notRegular(path("pipe"), .pipe))
        #expect(refusal("file:key.pem", keys()) == nil)
    }

    @Test("a file over 64 KiB is not read")
    func tooLarge() throws {
        try folder.write("big", [UInt8](repeating: 0x0A, count: 64 * 1024 + 1), permissions: 0o600)
        try folder.write("limit", [UInt8](repeating: 0x0A, count: 64 * 1024), permissions: 0o600)
        #expect(
            secretFile(refusal("file:big", keys())) == .tooLarge(path("big"), limit: 64 * 1024))
        #expect(refusal("file:limit", keys()) == .malformed(.notPEM, at: path("limit")))
    }

    @Test("what is in the file and is no key is said with the file")
    func malformed() throws {
        try folder.write("empty", [], permissions: 0o600)
        #expect(refusal("file:empty", keys()) == .malformed(.notPEM, at: path("empty")))
        try folder.write(
            "rsa", try Tool.openssl("genrsa", "-traditional", "2048"), permissions: 0o600)
        #expect(
            refusal("file:rsa", keys())
                == .malformed(.otherBlock(.rsaPrivateKey), at: path("rsa")))
    }

    @Test("an encrypted key takes its passphrase from the file, less one LF or CRLF")
    func passphraseFile() throws {
        let key = try P256PrivateKey.generate()
        let text = try key.encryptedPKCS8PEM(passphrase: try .of("horse"), iterations: 1).copied()
        try folder.write("key.pem", text, permissions: 0o600)
        for (content, isRight) in [
            ("horse", true), ("horse\n", true), ("horse\n\n", false), ("horse\r\n", true),
            ("horse\r", false), ("horse\r\r\n", false), ("horse\n\r", false),
            ("Horse", false), ("", false), ("\n", false),
        ] {
            try folder.write("passphrase", Array(content.utf8), permissions: 0o600)
            let expected: SigningKeyError? =
                isRight ? nil : .notAllowed(.wrongPassphrase(at: path("key.pem")))
            #expect(refusal("file:key.pem", keys(passphraseFile: "passphrase")) == expected)
        }
        #expect(refusal("file:key.pem", keys()) == .passphraseNeeded)
    }

    @Test("a passphrase file is checked as a key file is, and none is asked instead")
    func badPassphraseFile() throws {
        let key = try P256PrivateKey.generate()
        let text = try key.encryptedPKCS8PEM(passphrase: try .of("horse"), iterations: 1).copied()
        try folder.write("key.pem", text, permissions: 0o600)
        try folder.write("passphrase", Array("horse".utf8), permissions: 0o644)
        guard
            case .secretFile(.openToOthers, .passphrase) = refusal(
                "file:key.pem", keys(passphraseFile: "passphrase"))
        else {
            Issue.record("accepted")
            return
        }
        guard
            case .secretFile(.system, .passphrase) = refusal(
                "file:key.pem", keys(passphraseFile: "no"))
        else {
            Issue.record("accepted")
            return
        }
        try folder.write("long", [UInt8](repeating: 0x61, count: 1025), permissions: 0o600)
        #expect(
            refusal("file:key.pem", keys(passphraseFile: "long"))
                == .secretFile(.tooLarge(path("long"), limit: 1024), holding: .passphrase))
    }

    @Test("a plain key asks for no passphrase, however bad its source is")
    func plain() throws {
        try folder.write(
            "key.pem", try P256PrivateKey.generate().pkcs8PEM().copied(), permissions: 0o600)
        #expect(refusal("file:key.pem", keys(passphraseFile: "no")) == nil)
    }

    @Test("credentials open by name, group-readable and by links that stay below")
    func credentials() throws {
        let key = try P256PrivateKey.generate()
        let text = try key.encryptedPKCS8PEM(passphrase: try .of("horse"), iterations: 1).copied()
        let below = folder.file("credentials").description
        try FileManager.default.createDirectory(
            atPath: below, withIntermediateDirectories: false)
        try folder.write("credentials/key", text, permissions: 0o440)
        try folder.write("outside", text, permissions: 0o600)
        try FileManager.default.createSymbolicLink(
            atPath: "\(below)/inner", withDestinationPath: "key")
        try FileManager.default.createSymbolicLink(
            atPath: "\(below)/outer", withDestinationPath: "../outside")
        let keys = keys(credentials: "credentials")
        #expect(refusal("credential:key", keys) == .passphraseNeeded)
        // The passphrase is a credential too: one of the key's own, else the common one.
        try folder.write("credentials/passphrase", Array("horse\n".utf8), permissions: 0o440)
        #expect(refusal("credential:key", keys) == nil)
        #expect(refusal("credential:inner", keys) == nil)
        #expect(secretFile(refusal("credential:outer", keys)) != nil)
        try folder.write(
            "credentials/\(kid.text).passphrase", Array("cow".utf8), permissions: 0o440)
        #expect(
            refusal("credential:key", keys)
                == .notAllowed(.wrongPassphrase(at: path("credentials/key"))))
        try folder.write("credentials/key", text, permissions: 0o444)
        guard case .openToOthers = secretFile(refusal("credential:key", keys)) else {
            Issue.record("accepted")
            return
        }
        #expect(refusal("credential:key", self.keys()) == .unreachable(.noCredentialsFolder))
    }

    @Test("other schemes are not this back end's")
    func schemes() {
        #expect(keys().schemes == [.file, .credential])
        #expect(refusal("pkcs11:token=a?module-path=/m.so", keys()) == .unsupportedScheme(.pkcs11))
        #expect(refusal("exec:/bin/true", keys()) == .unsupportedScheme(.exec))
    }

    @Test("a generated key is a 0600 file that OpenSSL and we read")
    func generate() throws {
        let key = try keys().generate(SignerURI("file:new.pem"), kid: kid)
        let status = try FileManager.default.attributesOfItem(
            atPath: folder.file("new.pem").description)
        #expect(status[.posixPermissions] as? Int == 0o600)
        let spki = try Tool.openssl(
            "pkey", "-in", folder.file("new.pem").description, "-pubout", "-outform", "DER")
        #expect(spki == key.publicKey.spki)
        #expect(
            try keys().open(SignerURI("file:new.pem"), kid: kid, expecting: nil).publicKey
                == key.publicKey)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path.description) == [
                "new.pem"
            ])
    }

    @Test("a key is generated encrypted where a passphrase is stored")
    func generateEncrypted() throws {
        try folder.write("passphrase", Array("horse\n".utf8), permissions: 0o600)
        let keys = keys(passphraseFile: "passphrase")
        let key = try keys.generate(SignerURI("file:new.pem"), kid: kid)
        #expect(
            String(decoding: try readFile(folder.file("new.pem"), limit: 1 << 16), as: UTF8.self)
                .hasPrefix(
                    "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"))
        #expect(refusal("file:new.pem", self.keys()) == .passphraseNeeded)
        #expect(
            try keys.open(SignerURI("file:new.pem"), kid: kid, expecting: nil).publicKey
                == key.publicKey)
    }

    @Test("a key never takes the place of anything, nor makes a folder")
    func neverOverwrites() throws {
        try folder.write("there", Array("x".utf8), permissions: 0o600)
        try FileManager.default.createSymbolicLink(
            atPath: folder.file("dangling").description, withDestinationPath: "nowhere")
        for name in ["there", "dangling", "no/key.pem"] {
            let uri = try SignerURI("file:\(name)")
            #expect(throws: SigningKeyError.self) { _ = try keys().generate(uri, kid: kid) }
        }
        #expect(try readFile(folder.file("there"), limit: 1 << 16) == Array("x".utf8))
        #expect(!FileManager.default.fileExists(atPath: folder.file("nowhere").description))
        #expect(!FileManager.default.fileExists(atPath: folder.file("no").description))
        #expect(throws: SigningKeyError.cannotGenerate(.credential)) {
            _ = try keys(credentials: ".").generate(SignerURI("credential:new"), kid: kid)
        }
    }

    @Test(
        "a key of another owner is refused, unless that owner is trusted",
        .enabled(if: geteuid() == 0, "gives a file to another user, which needs root"))
    func foreignOwner() throws {
        let text = try P256PrivateKey.generate().pkcs8PEM().copied()
        try folder.write("key.pem", text, permissions: 0o600)
        #expect(unsafe chown(folder.file("key.pem").description, 65534, 65534) == 0)
        guard case .foreignOwner(_, let status) = secretFile(refusal("file:key.pem", keys()))
        else {
            Issue.record("accepted")
            return
        }
        #expect(status.owner == 65534)
        let trusting = FileKeys(
            folder: folder.path, credentials: nil,
            owners: try TrustedOwners(user: 0, list: Array("65534".utf8)),
            passphrases: PassphraseSources(
                optionFile: nil, environmentFile: nil, credentials: nil, owners: owners,
                prompt: nil))
        #expect(refusal("file:key.pem", trusting) == nil)
    }
}
