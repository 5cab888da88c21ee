import ES256
import ExecKeys
import Foundation
import GronaFormats
import Libcrypto
import LinuxIO
import SigningKeys
import TestSupport
import Testing

@Suite struct ExecKeysTests {
    @Test(
        "right answers are taken in every form that the protocol allows",
        arguments: ["", "der", "blanks", "noisy", "unterminated"])
    func right(mode: String) throws {
        let beside = try ProgramBesideKey(mode)
        let signer = try beside.signer()
        let digest = ProgramBesideKey.digest(1)
        let signature = try signer.sign(digest)
        #expect(beside.key.publicKey.isValidSignature(signature, for: digest))
    }

    @Test("one process answers for all keys and signatures of a run, and is ended in order")
    func oneProcess() throws {
        let beside = try ProgramBesideKey()
        let signers = [try beside.signer("a"), try beside.signer("b")]
        for number in 0..<20 {
            _ = try signers[number % 2].sign(ProgramBesideKey.digest(number))
        }
        #expect(beside.log().count == 1)
        beside.keys.shutDown()
        let log = beside.log()
        try #require(log.count == 2, "\(log)")
        #expect(log[0].hasPrefix("start ") && log[0].hasSuffix(" /"), "\(log)")
        #expect(log[1] == "end")
        // It is over: nothing starts the program again.
        let problem = ProgramBesideKey.problem { _ = try signers[0].sign(.zero) }
        #expect(problem?.program == .ended(.exited(0)))
        #expect(beside.log().count == 2)
    }

    @Test("a DER signature is given out as 64 bytes, 300 times, short integers included")
    func der() throws {
        let beside = try ProgramBesideKey("der")
        let key = try beside.open()
        for number in 0..<300 {
            let digest = ProgramBesideKey.digest(number)
            let signature = try key.sign(digest)
            #expect(signature.count == 64)
            #expect(beside.key.publicKey.isValidSignature(signature, for: digest))
        }
    }

    @Test("2,000 signatures of two threads take seconds")
    func many() throws {
        let beside = try ProgramBesideKey()
        let signer = try beside.signer()
        let wrong = Counter()
        let clock = ContinuousClock()
        let time = clock.measure {
            DispatchQueue.concurrentPerform(iterations: 2) { thread in
                for number in 0..<1000 {
                    let signed = try? signer.sign(ProgramBesideKey.digest(1000 * thread + number))
                    if signed == nil { wrong.add() }
                }
            }
        }
        #expect(wrong.value == 0)
        #expect(time < .seconds(20))
        #expect(beside.log().count == 1)
    }

    @Test("another key than the keyring's never signs")
    func otherKey() throws {
        let beside = try ProgramBesideKey()
        let other = try TestKey().publicKey
        let kid = try #require(KeyID("acme-market-2026-10"))
        #expect(
            throws: SigningKeyError.keyMismatch(
                expected: other.thumbprint, found: beside.key.thumbprint)
        ) {
            _ = try KeyOpener([beside.keys]).open(beside.uri, kid: kid, expecting: other)
        }
    }

    @Test(
        "a signature that does not hold is kept back",
        arguments: ["hash-again", "constant", "raw-zero"])
    func lies(mode: String) throws {
        let beside = try ProgramBesideKey(mode)
        let signer = try beside.signer()
        #expect(throws: SigningKeyError.badSignature) {
            _ = try signer.sign(ProgramBesideKey.digest(1))
        }
        #expect(beside.log().count == 1)
    }

    @Test("a key is made in its key service")
    func generate() throws {
        let beside = try ProgramBesideKey()
        let kid = try #require(KeyID("acme-market-2026-10"))
        #expect(throws: SigningKeyError.cannotGenerate(.exec)) {
            _ = try beside.keys.generate(beside.uri, kid: kid)
        }
        #expect(beside.log().isEmpty)
    }
}
