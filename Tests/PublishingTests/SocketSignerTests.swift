import Foundation
import GronaFormats
import LinuxIO
import PublishProtocol
import Publishing
import TestSupport
import Testing

@Suite("A signer behind sockets")
struct SocketSignerTests {
    private let shop: Shop

    init() throws {
        shop = try Shop()
        _ = try shop.publisher().push(try shop.envelope(2))
    }

    private var folder: FilePath { FilePath(shop.folder.path("")) }

    /// What listens at the socket for bundles, started for each connection.
    private func service(_ script: String) throws -> SocketService {
        try SocketService(folder.appending("bundle"), ["/bin/sh", "-c", script])
    }

    /// Answers with these bytes, once the request is there.
    private func answering(_ line: [UInt8]) throws -> SocketService {
        let file = try shop.folder.write("answer", line + [0x0A], permissions: 0o644)
        return try service("cat > /dev/null; cat \(file)")
    }

    private func ask(seconds: Int64 = 20) throws -> PublishReport {
        try shop.publisher().releaseBundle(
            .signer(
                SignerCommand(sockets: folder, timeout: DurationSeconds(seconds)),
                lifetime: DurationSeconds(3_600), keepsOffers: false),
            release: try shop.judge(), policy: .undeclared(shop.workspace), isDryRun: false)
    }

    private func answer(_ envelope: [UInt8], id: String = "1") -> [UInt8] {
        Array("{\"id\":\"\(id)\",\"envelope\":".utf8) + envelope
            + Array(",\"audit\":\"\(String(repeating: "a", count: 64))\"}".utf8)
    }

    private func bundle(_ version: Int64 = 2, lifetime: Int64 = 3_600) throws -> [UInt8] {
        try shop.envelope(
            shop.payload(
                version, hasOffer: false, issuedAt: Shop.now.seconds, lifetime: lifetime))
    }

    @Test("Its bundle is released, with the head of its log on record")
    func released() throws {
        let bytes = try bundle()
        let service = try answering(answer(bytes))
        let report = try ask()
        #expect(report.verdict == .released(try #require(report.document?.facts)))
        #expect(report.document?.bytes == bytes)
        let ledger = try String(
            contentsOfFile: shop.folder.path("ledger/ledger.ndjson"), encoding: .utf8)
        #expect(ledger.contains("\"audit\":\"aaaa"))
        _ = service
    }

    @Test("It is believed no more than a program: another document is a lie")
    func lies() throws {
        for bytes in [try bundle(1), try bundle(lifetime: 3_601)] {
            let service = try answering(answer(bytes))
            let report = try ask()
            guard case .signer(.differs)? = report.failure else {
                Issue.record("\(report.verdict)")
                continue
            }
            _ = service
        }
        let stranger = try TestKey(shop.key.kid)
        let payload = shop.payload(
            2, hasOffer: false, issuedAt: Shop.now.seconds, lifetime: 3_600)
        let service = try answering(answer(try shop.envelope(payload, by: stranger)))
        #expect(try ask().failure == .signer(.lied(code: "signature.invalid")))
        #expect(try shop.store().bundles(of: shop.workspace).isEmpty)
        _ = service
    }

    @Test("Its refusal is told in its words; what is no answer is none")
    func refusals() throws {
        let refusal = #"{"id":"1","error":{"code":"key.state","message":"no key"}}"#
        let bytes = try bundle()
        let table: [([UInt8], SignerError)] = [
            (
                Array(refusal.utf8),
                .refused(code: "key.state", message: "no key", help: nil, exit: .exited(65))
            ), (Array("hello".utf8), .malformed("json.syntax")),
            (answer(bytes, id: "2"), .malformed("signer.malformed")),
        ]
        for (line, error) in table {
            let service = try answering(line)
            #expect(try ask().failure == .signer(error))
            _ = service
        }
    }

    @Test("One that hangs up, hangs or says too much gives nothing")
    func silent() throws {
        let socket = folder.appending("bundle")
        let table: [(String, SignerError)] = [
            ("cat > /dev/null", .hungUp(socket)), ("true", .hungUp(socket)),
            ("sleep 20", .notRun(.timedOut(socket))),
            ("cat; sleep 20", .notRun(.timedOut(socket))),
            ("cat /dev/zero", .notRun(.outputTooLarge(socket, limit: 2 << 20))),
        ]
        for (script, error) in table {
            let service = try service(script)
            #expect(try ask(seconds: 2).failure == .signer(error), "\(script)")
            _ = service
        }
    }

    @Test("Where nobody listens, nothing is asked")
    func absent() throws {
        #expect(
            try ask().failure == .signer(.notReached(folder.appending("bundle"), .notFound)))
    }
}
