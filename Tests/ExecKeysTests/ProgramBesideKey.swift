import ExecKeys
import Foundation
import GronaFormats
import Libcrypto
import LibcryptoSigning
import LinuxIO
import SecretMemory
import SigningKeys
import TestSupport

/// A key, and a program that answers for it in one way or another.
final class ProgramBesideKey: Sendable {
    let folder: TestFolder
    let key: TestKey
    let program: FilePath
    let keys: ExecKeys

    /// - Parameter mode: a mode of the test helper's `sign-lines`.
    init(_ mode: String = "", seconds: Int64 = 20) throws {
        folder = try TestFolder()
        key = try TestKey()
        let pem = try key.privateKey.pkcs8PEM()
        try folder.write("key.pem", pem.copied(), permissions: 0o600)
        program = try folder.write(
            "kms",
            "#!/bin/sh\nexec \(try Program.helper()) sign-lines \(folder.file("key.pem")) \(mode)\n",
            permissions: 0o755)
        keys = ExecKeys(owners: try TrustedOwners.current(), timeout: DurationSeconds(seconds))
    }

    deinit { keys.shutDown() }

    var uri: SignerURI { .exec(program.description) }

    func open(_ kid: String = "acme-market-2026-10") throws -> any SigningKey {
        guard let kid = KeyID(kid) else { throw CocoaError(.coderInvalidValue) }
        return try keys.open(uri, kid: kid, expecting: nil)
    }

    /// The same as the rest of the program gets it: what it signs is verified.
    func signer(_ kid: String = "acme-market-2026-10") throws -> SelfVerifyingSigner {
        guard let kid = KeyID(kid) else { throw CocoaError(.coderInvalidValue) }
        return try KeyOpener([keys]).open(uri, kid: kid, expecting: key.publicKey)
    }

    /// What the program wrote down about its starts and ends.
    func log() -> [String] {
        let text = try? String(
            contentsOfFile: folder.file("key.pem.log").description, encoding: .utf8)
        return (text ?? "").split(separator: "\n").map(String.init)
    }

    static func digest(_ number: Int) -> SHA256Digest {
        SHA256.digest(Array("signing input \(number)".utf8))
    }

    /// What goes wrong with a program's key, nil when nothing does.
    static func problem(_ body: () throws -> Void) -> SigningKeyError? {
        do {
            try body()
            return nil
        } catch {
            return error as? SigningKeyError
        }
    }
}

extension SigningKeyError {
    /// What is wrong with the program, nil for what is wrong with anything else.
    var program: ExecSignerError.Problem? {
        guard case .program(let error) = self else { return nil }
        return error.problem
    }
}
