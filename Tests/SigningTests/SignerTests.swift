import ES256
import Foundation
import GronaFormats
import JOSE
import Ledger
import Libcrypto
import LinuxIO
import ProjectFiles
import SigningKeys
import StrictJSON
import Synchronization
import TestSupport
import Testing
import Transitions

@testable import Signing

/// A key that does what a test says, and remembers whether it was asked.
private final class StrangeKey: SigningKey {
    let publicKey: P256PublicKey
    let asked = Atomic<Int>(0)
    private let answer: @Sendable (SHA256Digest) throws(SigningKeyError) -> [UInt8]

    init(
        _ publicKey: P256PublicKey,
        _ answer: @escaping @Sendable (SHA256Digest) throws(SigningKeyError) -> [UInt8]
    ) {
        self.publicKey = publicKey
        self.answer = answer
    }

    func sign(_ digest: SHA256Digest) throws(SigningKeyError) -> [UInt8] {
        asked.wrappingAdd(1, ordering: .relaxed)
        return try answer(digest)
    }
}

@Suite("Signer")
struct SignerTests {
    private func hand(_ key: StrangeKey, _ bench: Bench) throws -> KeyInHand {
        let record = try bench.key().record
        return KeyInHand(
            try SelfVerifyingSigner(key, expecting: key.publicKey), record: record)
    }

    private func draft(_ bench: Bench, _ version: Int64 = 1) throws -> Draft {
        try bench.drafting.config(
            try bench.workspace(), after: nil, ConfigRequest(version: ConfigVersion(version)))
    }

    @Test("an envelope has exactly its three header members and a signature of 64 bytes")
    func envelope() throws {
        let bench = try Bench()
        let jws = try FlattenedJWS(parsing: try bench.config(1))
        let header = try #require(Base64URL.decode(jws.protected))
        #expect(
            String(decoding: header, as: UTF8.self)
                == #"{"alg":"ES256","kid":"acme-market-current","typ":"grona-config+jws"}"#)
        #expect(Base64URL.decode(jws.signature)?.count == 64)
        #expect(try bench.config(2).last == UInt8(ascii: "}"))
    }

    @Test("the audit line is there before the key is asked")
    func order() throws {
        let bench = try Bench()
        let current = try #require(bench.keys["current"])
        let log = bench.log
        let key = StrangeKey(current.publicKey) { digest throws(SigningKeyError) in
            #expect((try? log.tip().lines) == 2)
            guard let signature = try? current.sign(digest) else { throw .badSignature }
            return signature
        }
        var desk = try bench.desk()
        _ = try desk.sign(try draft(bench), with: try hand(key, bench), now: bench.now)
        #expect(key.asked.load(ordering: .relaxed) == 1)
    }

    @Test("where the log cannot be written, no key is asked")
    func fault() throws {
        let bench = try Bench()
        let current = try #require(bench.keys["current"])
        let key = StrangeKey(current.publicKey) { _ throws(SigningKeyError) in throw .badSignature }
        let draft = try draft(bench)
        // A folder where the log should be.
        var desk = try bench.desk()
        try bench.folder.folder("state/audit.ndjson")
        let refused = try refusal {
            try desk.sign(draft, with: try hand(key, bench), now: bench.now)
        }
        guard case .memory(.log) = refused else {
            Issue.record("\(String(describing: refused))")
            return
        }
        #expect(key.asked.load(ordering: .relaxed) == 0)
    }

    @Test("a full disk under the log leaves no signature")
    func fullDisk() throws {
        let bench = try Bench()
        guard let small = try SmallFileSystem(bench.folder) else { return }
        let current = try #require(bench.keys["current"])
        let key = StrangeKey(current.publicKey) { _ throws(SigningKeyError) in throw .badSignature }
        let log = HashChainLog(at: small.path.appending("audit.ndjson"))
        let filler = try OpenFile(small.path.appending("filler"), [.write, .create])
        while (try? filler.writeAll([UInt8](repeating: 0, count: 4_096))) != nil {}
        var desk = try bench.desk()
        desk.memory = try SignerMemory(
            log, writer: .init(user: "t", workspace: Bench.name, isRehearsal: false))
        let refused = try refusal {
            try desk.sign(try draft(bench), with: try hand(key, bench), now: bench.now)
        }
        guard case .memory(.log) = refused else {
            Issue.record("\(String(describing: refused))")
            return
        }
        #expect(key.asked.load(ordering: .relaxed) == 0)
    }

    @Test("a broken log signs nothing")
    func brokenLog() throws {
        let bench = try Bench()
        try bench.config(1)
        try bench.config(2, [Bench.banner])
        let path = bench.folder.file("state/audit.ndjson")
        let text = String(decoding: try readFile(path, limit: 1 << 20), as: UTF8.self)
        try bench.folder.write(
            "state/audit.ndjson", text.replacing(#""version":1"#, with: #""version":9"#))
        guard case .memory(.log(.broken)) = try refusal({ try bench.desk() }) else {
            Issue.record("a changed log was believed")
            return
        }
    }

    @Test("a key service that lies is caught, and nothing leaves")
    func liar() throws {
        let bench = try Bench()
        let current = try #require(bench.keys["current"])
        let other = try TestKey("other")
        let key = StrangeKey(current.publicKey) { digest throws(SigningKeyError) in
            guard let signature = try? other.sign(digest) else { throw .badSignature }
            return signature
        }
        var desk = try bench.desk()
        let refused = try refusal {
            try desk.sign(try draft(bench), with: try hand(key, bench), now: bench.now)
        }
        #expect(refused == .key(kid("acme-market-current"), .badSignature))
    }

    @Test("a crash between the audit line and the output costs one number, no more")
    func crash() throws {
        var bench = try Bench()
        let first = try bench.config(1)
        let current = try #require(bench.keys["current"])
        let dies = StrangeKey(current.publicKey) { _ throws(SigningKeyError) in
            throw .badSignature
        }
        var request = RenewRequest()
        request.disabling = ["weekend-offer"]
        let draft = try bench.drafting.renew(try bench.source(first), request)
        var desk = try bench.desk()
        #expect(
            try refusal {
                try desk.sign(draft, with: try hand(dies, bench), now: bench.now)
            } != nil)
        bench.now = UnixTime(bench.now.seconds + 5)
        let again = try bench.renew(first, disabling: ["weekend-offer"])
        #expect(try payload(again)["version"]?.integer == 3)
    }

    @Test("a keyring that is new is recorded, and refused where warnings are errors")
    func firstUse() throws {
        let bench = try Bench()
        let digest = try bench.keyring.digest.hex
        var strict = try bench.desk(strict: true)
        #expect(
            try refusal { try strict.sign(try draft(bench), with: try bench.key(), now: bench.now) }
                == .keyring(.firstUse(digest)))
        var desk = try bench.desk()
        let signed = try desk.sign(try draft(bench), with: try bench.key(), now: bench.now)
        #expect(signed.notes == [.keyringFirstUse(digest)])
        strict = try bench.desk(strict: true)
        #expect(
            try strict.sign(
                try draft(bench, 2), with: try bench.key(), now: bench.now
            ).notes == [])
    }

    @Test("a keyring that was changed behind the log's back signs nothing until it is accepted")
    func changed() throws {
        let bench = try Bench()
        try bench.config(1)
        let recorded = try bench.keyring.digest.hex
        try bench.writeKeyring(["retired": .destroyed])
        let found = try bench.keyring.digest.hex
        var desk = try bench.desk()
        #expect(
            try refusal {
                try desk.sign(try draft(bench, 2), with: try bench.key(), now: bench.now)
            } == .keyring(.changed(recorded: recorded, found: found)))
        #expect(try desk.acceptKeyring(now: bench.now))
        #expect(try !desk.acceptKeyring(now: bench.now))
        #expect(
            try refusal {
                try desk.sign(try draft(bench, 2), with: try bench.key(), now: bench.now)
            } == nil)
    }

    @Test("two signers with one memory never sign two payloads for one version")
    func race() throws {
        let bench = try Bench()
        try bench.config(1)
        let taken = Mutex<[Int64: Set<String>]>([:])
        let refusals = Counter()
        DispatchQueue.concurrentPerform(iterations: 8) { worker in
            for round in 0..<10 {
                // Each has read the log before any of the others wrote.
                let campaigns = [
                    Bench.offer, Bench.banner.replacing("home", with: "place-\(worker)-\(round)"),
                ]
                guard var desk = try? bench.desk(), let key = try? bench.key(),
                    let workspace = try? bench.workspace(campaigns),
                    let draft = try? desk.drafting(at: bench.now).config(
                        workspace, after: nil,
                        ConfigRequest(version: ConfigVersion(Int64(2 + round))))
                else {
                    refusals.add()
                    continue
                }
                if (try? desk.sign(draft, with: key, now: bench.now)) != nil {
                    taken.withLock {
                        _ = $0[draft.version.number, default: []].insert(draft.digest)
                    }
                } else {
                    refusals.add()
                }
            }
        }
        let versions = taken.withLock { $0 }
        #expect(versions.count == 10)
        #expect(versions.values.allSatisfy { $0.count == 1 })
        #expect(refusals.value == 70)
    }

    @Test("a group shares its audit head; one that is refused does not hold up the others")
    func group() throws {
        let bench = try Bench()
        let first = try draft(bench, 1)
        let other = try bench.drafting.config(
            try bench.workspace([Bench.banner]), after: nil, ConfigRequest(version: .first))
        let second = try draft(bench, 2)
        var desk = try bench.desk()
        let answers = try desk.sign([first, other, second], with: try bench.key(), now: bench.now)
        #expect(throws: Never.self) { try answers[0].get() }
        #expect(
            try refusal { try answers[1].get() }
                == .version(.reused(.first, next: try number(2))))
        #expect(try answers[0].get().auditHead == answers[2].get().auditHead)
        #expect(try bench.log.tip().lines == 3)
    }

    @Test("the payload has at most 512,000 bytes when it is signed")
    func size() throws {
        let bench = try Bench()
        func payload(_ padding: Int) -> [UInt8] {
            let text = """
                {"campaigns":[],"expires_at":\(bench.now.seconds + 60),\
                "issued_at":\(bench.now.seconds),"min_sdk":"1.0.0","schema":1,\
                "settings":{"x":"\(String(repeating: "a", count: padding))"},\
                "ttl_seconds":900,"version":1,"workspace":"acme-market"}
                """
            return Array(text.utf8)
        }
        let frame = payload(0).count
        #expect(
            try refusal {
                try PayloadCheck.check(
                    payload(512_000 - frame), workspace: Bench.name, now: bench.now)
            } == nil)
        #expect(
            try refusal {
                try PayloadCheck.check(
                    payload(512_001 - frame), workspace: Bench.name, now: bench.now)
            } == .payloadTooLarge(512_001, limit: 512_000))
    }
}
