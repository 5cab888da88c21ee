import Foundation
import GronaFormats
import HTTPTransport
import Libcrypto
import LinuxIO
import ProjectFiles
import PublishProtocol
import Publishing
import Synchronization
import TestSupport
import Testing

/// A ledger that many hosts share, in a store.
@Suite struct StoreLedgerTests {
    private let server = MemoryServer()
    private let folder: TemporaryFolder
    private let workspace: WorkspaceName

    init() throws {
        folder = try TemporaryFolder()
        workspace = try #require(WorkspaceName("acme-market"))
    }

    private func ledger(_ host: String) throws -> StoreLedger {
        let place = try RemoteLedgerPlace("https://ledger.example/x/{name}")
        return StoreLedger(
            place, objects: server.objects(),
            memory: StateFolder(FilePath(folder.path(host))).store(place.name))
    }

    private func facts(_ version: Int64, _ content: String) -> DocumentFacts {
        let digest = Self.digest(Array(content.utf8))
        return DocumentFacts(version: version, payload: digest, envelope: digest)
    }

    private static func digest(_ bytes: [UInt8]) -> ContentDigest {
        guard let digest = ContentDigest(hex: SHA256.digest(bytes).hex) else {
            preconditionFailure("a digest has 64 digits")
        }
        return digest
    }

    private func entry(_ record: LedgerRecord, user: String = "tester") -> LedgerEntry {
        LedgerEntry(workspace: workspace, record: record, time: UnixTime(1), user: user)
    }

    private var records: [String] {
        server.state.withLock { $0.objects.keys.filter { $0.contains("/ledger/") }.sorted() }
    }

    @Test func `Hosts see each other's records, in one order`() throws {
        let (one, other) = (try ledger("a"), try ledger("b"))
        #expect(try one.append(entry(.claimed(facts(1, "a"), .absent))) == .written)
        #expect(try other.append(entry(.swapped(facts(1, "a"), .published))) == .written)
        #expect(try one.append(entry(.claimed(facts(2, "b"), .absent))) == .written)
        for host in [one, other, try ledger("c")] {
            let view = try host.view(of: workspace)
            #expect(view.highestServed == 1)
            #expect(view.highestClaim == 2)
            #expect(try host.workspaces() == [workspace])
        }
        #expect(
            records == (1...3).map { "/x/ledger/000000000000000\($0).json" })
    }

    @Test func `A number belongs to the content that came first, whoever asks`() throws {
        #expect(try ledger("a").append(entry(.claimed(facts(1, "a"), .absent))) == .written)
        #expect(try ledger("b").append(entry(.claimed(facts(1, "b"), .absent))) == .conflict)
        #expect(try ledger("b").append(entry(.claimed(facts(1, "a"), .absent))) == .written)
    }

    @Test func `Who loses a record's number looks again before taking the next`() throws {
        let one = try ledger("a")
        _ = try one.append(entry(.observed(facts(1, "a"))))
        // Another host takes the number between the look and the write.
        let other = try ledger("b")
        let hasRun = Mutex(false)
        let rival = entry(.claimed(facts(2, "rival"), .absent), user: "rival")
        server.state.withLock { state in
            state.before = { request in
                guard request.method == .put, request.url.path.hasSuffix("2.json"),
                    !hasRun.withLock({
                        let before = $0
                        $0 = true
                        return before
                    })
                else { return nil }
                _ = try? other.append(rival)
                return nil
            }
        }
        #expect(try one.append(entry(.claimed(facts(2, "ours"), .absent))) == .conflict)
        #expect(records.count == 2)
        #expect(try one.append(entry(.claimed(facts(3, "ours"), .absent))) == .written)
    }

    @Test(arguments: [500, 0])
    func `An append whose answer is lost is found, and not written twice`(_ status: Int) throws {
        let once = Mutex(false)
        server.state.withLock { state in
            state.after = { request, _ in
                guard request.method == .put,
                    !once.withLock({
                        let before = $0
                        $0 = true
                        return before
                    })
                else { return nil }
                return status == 0
                    ? .failure(.init(.timedOut, mayHaveArrived: true))
                    : .success(.init(status: status))
            }
        }
        #expect(try ledger("a").append(entry(.observed(facts(1, "a")))) == .written)
        #expect(records.count == 1)
        #expect(try ledger("b").view(of: workspace).highestServed == 1)
    }

    @Test func `A store that lost or changed a record is found out`() throws {
        let one = try ledger("a")
        for version: Int64 in 1...3 {
            _ = try one.append(entry(.observed(facts(version, "\(version)"))))
        }
        let saved = server.state.withLock(\.objects)
        let last = "/x/ledger/0000000000000003.json"
        server.state.withLock { $0.objects[last] = nil }
        let gone = PublicationLedgerError.wentBack("https://ledger.example/x/{name}", record: 3)
        #expect(throws: gone) { try one.view(of: workspace) }
        #expect(throws: gone) { try one.append(entry(.observed(facts(4, "4")))) }
        server.state.withLock { $0.objects[last] = Array("{}".utf8) }
        #expect(throws: gone) { try one.view(of: workspace) }
        // A host that never saw it finds that the chain is broken.
        #expect(
            throws: PublicationLedgerError.broken("https://ledger.example/x/{name}", record: 3)
        ) { try ledger("b").view(of: workspace) }
        server.state.withLock { $0.objects = saved }
        #expect(try one.view(of: workspace).highestServed == 3)
    }

    @Test(arguments: [1, 2, 3])
    func `A record that is gone is not written anew by a host that never saw it`(
        _ gone: Int
    ) throws {
        let one = try ledger("a")
        for version: Int64 in 1...4 {
            _ = try one.append(entry(.observed(facts(version, "\(version)"))))
        }
        let path = "/x/ledger/000000000000000\(gone).json"
        let record = server.state.withLock { $0.objects.removeValue(forKey: path) }
        let error = PublicationLedgerError.gap(
            "https://ledger.example/x/{name}", record: gone, later: gone + 1)
        #expect(throws: error) { try ledger("b").view(of: workspace) }
        #expect(throws: error) { try ledger("b").append(entry(.observed(facts(9, "9")))) }
        server.state.withLock { $0.objects[path] = record }
        #expect(try ledger("b").append(entry(.observed(facts(5, "5")))) == .written)
        #expect(records.count == 5)
    }

    @Test func `What was served is had from the store where this host has no copy`() throws {
        let envelope = Array("an envelope".utf8)
        let digest = Self.digest(envelope)
        let document = DocumentFacts(version: 1, payload: digest, envelope: digest)
        let one = try ledger("a")
        try one.keep(envelope, as: digest)
        try one.keep(envelope, as: digest)
        _ = try one.append(entry(.observed(document)))
        let other = try ledger("b")
        #expect(
            try other.newestServed(of: workspace) == KeptEnvelope(facts: document, bytes: envelope))
        let name = "/x/envelopes/\(digest.hex).json"
        server.state.withLock { $0.objects[name] = Array("forged".utf8) }
        #expect(
            try other.newestServed(of: workspace) == KeptEnvelope(facts: document, bytes: nil))
    }

    @Test func `A torn line in a host's copy is made good from the store`() throws {
        let one = try ledger("a")
        for version: Int64 in 1...2 {
            _ = try one.append(entry(.observed(facts(version, "\(version)"))))
        }
        let memory = StateFolder(FilePath(folder.path("a"))).store(one.name)
        let handle = try #require(
            FileHandle(forWritingAtPath: memory.folder.appending("shared.ndjson").description))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("{\"event\":".utf8))
        try handle.close()
        #expect(try one.append(entry(.observed(facts(3, "3")))) == .written)
        #expect(try one.view(of: workspace).highestServed == 3)
        #expect(try ledger("b").view(of: workspace).highestServed == 3)
        #expect(records.count == 3)
    }

    // MARK: How much is asked

    private func ask<Value>(_ body: () throws -> Value) rethrows -> (Value, [String]) {
        server.state.withLock { $0.requests = [] }
        let value = try body()
        return (
            value,
            server.state.withLock {
                $0.requests.map { "\($0.method == .put ? "PUT" : "GET") \($0.url.path)" }
            }
        )
    }

    @Test func `A record that follows a look at the end takes a write and a look at it`() throws {
        let one = try ledger("a")
        _ = try one.append(entry(.observed(facts(1, "a"))))
        _ = try one.view(of: workspace)
        let (answer, asked) = try ask { try one.append(entry(.observed(facts(2, "b")))) }
        #expect(answer == .written)
        let second = "/x/ledger/0000000000000002.json"
        #expect(asked == ["PUT \(second)", "GET \(second)"])
        // What was not held against the store in this run is, before anything is added.
        server.state.withLock { $0.objects[second] = nil }
        let gone = PublicationLedgerError.wentBack("https://ledger.example/x/{name}", record: 2)
        #expect(throws: gone) { try ledger("a").append(entry(.observed(facts(3, "c")))) }
        #expect(throws: gone) { try one.view(of: workspace) }
        #expect(throws: gone) { try one.append(entry(.observed(facts(3, "c")))) }
    }

    @Test func `An envelope that is kept takes a write and a look at it, and no look where it is`()
        throws
    {
        let envelope = Array("an envelope".utf8)
        let digest = Self.digest(envelope)
        let name = "/x/envelopes/\(digest.hex).json"
        let one = try ledger("a")
        #expect(try ask { try one.keep(envelope, as: digest) }.1 == ["PUT \(name)", "GET \(name)"])
        #expect(try ask { try one.keep(envelope, as: digest) }.1 == ["PUT \(name)"])
    }

    private func listing(_ status: Int = 200) throws -> StoreLedger {
        server.state.withLock { state in
            state.before = { [server] request in
                guard let query = request.url.query, query.contains("list-type=2") else {
                    return nil
                }
                let prefix = "/ledger-bucket/"
                let after = query.split(separator: "%2F").last?.prefix(21) ?? ""
                let keys = server.state.withLock { $0.objects.keys }
                    .filter { $0.hasPrefix(prefix + "prod/ledger/") && $0.suffix(21) > after }
                    .sorted().prefix(2).map { $0.dropFirst(prefix.utf8.count) }
                let text =
                    "<ListBucketResult><IsTruncated>false</IsTruncated>"
                    + keys.map { "<Contents><Key>\($0)</Key></Contents>" }.joined()
                    + "</ListBucketResult>"
                return .success(HTTPResponse(status: status, body: Array(text.utf8)))
            }
        }
        let place = try RemoteLedgerPlace("s3://ledger-bucket/prod?endpoint=https://s3.example")
        return StoreLedger(
            place, objects: server.objects(),
            memory: StateFolder(FilePath(folder.path("listing"))).store(place.name))
    }

    @Test(arguments: [(200, 3), (403, 10)])
    func `Where there are lists, one of them tells what stands beyond the end`(
        _ status: Int, _ requests: Int
    ) throws {
        let one = try listing(status)
        #expect(try one.append(entry(.observed(facts(1, "a")))) == .written)
        let (view, asked) = try ask { try listing(status).view(of: workspace) }
        #expect(view.highestServed == 1)
        // The last record, the next one, and what is beyond: a list, or seven questions after it.
        #expect(asked.count == requests)
        #expect(asked.contains("GET /ledger-bucket/"))
    }

    @Test func `A record far beyond the end is found by the list`() throws {
        let one = try listing()
        _ = try one.append(entry(.observed(facts(1, "a"))))
        let far = "/ledger-bucket/prod/ledger/0000000000000900.json"
        server.state.withLock { $0.objects[far] = Array("{}".utf8) }
        let gap = PublicationLedgerError.gap(one.name, record: 2, later: 900)
        #expect(throws: gap) { try listing().view(of: workspace) }
        #expect(throws: gap) { try listing().append(entry(.observed(facts(2, "b")))) }
        server.state.withLock { $0.objects[far] = nil }
        #expect(try listing().append(entry(.observed(facts(2, "b")))) == .written)
    }
}
