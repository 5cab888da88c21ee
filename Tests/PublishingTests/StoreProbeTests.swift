import CurlTransport
import GronaFormats
import HTTPTransport
import LinuxIO
import ProjectFiles
import Publishing
import Synchronization
import TestSupport
import Testing

/// What a probe says of servers that swap, and of those that do something else.
@Suite struct StoreProbeTests {
    private func objects(_ server: StoreServer) -> ConditionalObjects {
        let client = CurlClient(
            CurlSettings(agent: "test", allowsPlainHTTP: true, totalMilliseconds: 10_000))
        return ConditionalObjects(
            client: client, access: .http(.none),
            fields: [
                HTTPField("Content-Type", "application/jose+json"),
                HTTPField("Cache-Control", "public, max-age=60, must-revalidate"),
            ])
    }

    private func probe(
        _ fault: String, hasClaims: Bool = true, options: [String] = []
    ) throws -> ProbeReport {
        let server = try StoreServer(["--fault", fault] + options)
        let place = try HTTPPlace(
            server.http + "/{workspace}/config",
            claims: hasClaims ? server.http + "/{workspace}/{version}" : nil)
        let store = HTTPStore(place, objects: objects(server))
        var probe = StoreProbe(store.objects, url: { store.url($0) })
        return try probe.run()
    }

    private func failures(_ report: ProbeReport) -> Set<ProbeReport.Name> {
        Set(report.checks.filter { $0.outcome == .fails }.map(\.name))
    }

    @Test func `A store that swaps holds every question`() throws {
        let report = try probe("")
        #expect(Set(report.checks.map(\.name)) == Set(ProbeReport.Name.allCases))
        #expect(report.checks.allSatisfy { $0.outcome == .holds }, "\(report.checks)")
        #expect(report.isTrusted)
        #expect(!report.wantsBareTags && !report.hasWeakTags && !report.isVersioned)
    }

    @Test func `An endpoint without a place for claims is asked what it can be asked`() throws {
        let report = try probe("", hasClaims: false)
        #expect(report.isTrusted)
        #expect(report[.createOnly] == .holds)
        #expect(report[.createRace] == .skipped)
        #expect(report[.missingTag] == .skipped)
        #expect(report[.replaceRace] == .holds)
    }

    @Test(
        arguments: [
            ("ignore-conditions", [.createOnly, .wrongTag]), ("create-wins", [.createOnly]),
            ("create-on-match", [.missingTag]), ("check-then-write", [.createRace, .replaceRace]),
            ("always-weak", [.rightTag]), ("no-tag", [.rightTag]),
        ] as [(String, Set<ProbeReport.Name>)])
    func `A store that does not swap is found out`(
        _ fault: String, _ expected: Set<ProbeReport.Name>
    ) throws {
        let report = try probe(fault)
        #expect(!report.isTrusted)
        #expect(failures(report) == expected, "\(report.checks)")
    }

    @Test func `A check before the write is found out without a place for claims`() throws {
        let report = try probe("check-then-write", hasClaims: false)
        #expect(failures(report) == [.replaceRace])
        #expect(report.checks.first { $0.name == .replaceRace }?.winners ?? 0 > 1)
    }

    @Test func `Habits that can be met are noted`() throws {
        let bare = try probe("bare-tag")
        #expect(bare.isTrusted && bare.wantsBareTags)
        let weak = try probe("weak-tag", options: ["--wait", "0.6"])
        #expect(weak.isTrusted && weak.hasWeakTags, "\(weak.checks)")
        let versioned = try probe("versioned")
        #expect(versioned.isTrusted && versioned.isVersioned)
        let forgetful = try probe("forgets-fields")
        #expect(forgetful.isTrusted)
        #expect(failures(forgetful) == [.contentType, .cacheControl])
    }

    /// A server whose every nth answer to a write is followed by another host's write.
    private func disturbed(
        _ server: MemoryServer, every: Int, until last: Int = .max
    ) throws -> (StoreProbe, String) {
        let place = try HTTPPlace("https://h/{workspace}/config")
        let store = HTTPStore(place, objects: server.objects())
        let path = "/grona-probe/config"
        let writes = Mutex(0)
        server.state.withLock { state in
            state.after = { request, _ in
                let count = writes.withLock { count in
                    if request.method == .put { count += 1 }
                    return count
                }
                if request.method == .put, count % every == 0, count < last {
                    server.state.withLock { $0.objects[path] = Array("foreign \(count)".utf8) }
                }
                return nil
            }
        }
        let probe = StoreProbe(
            store.objects, lasting: store.url(.config(try #require(WorkspaceName("grona-probe")))),
            sleep: { _ in }, fresh: { nil })
        return (probe, path)
    }

    @Test func `Another host that probes at the same moment condemns no store`() throws {
        var (probe, _) = try disturbed(MemoryServer(), every: 2, until: 12)
        #expect(try probe.run().isTrusted)
        var (endless, _) = try disturbed(MemoryServer(), every: 2)
        #expect(throws: StoreProbe.Failure.disturbed) { try endless.run() }
    }

    @Test(arguments: [429, 500, 502, 503])
    func `A store that is busy is asked later, not left unknown`(_ status: Int) throws {
        let server = MemoryServer()
        server.state.withLock { state in
            state.before = { request in
                request.method == .put ? .success(.init(status: status)) : nil
            }
        }
        var (probe, _) = try busy(server)
        #expect(throws: StoreProbe.Failure.store(.busy(status: status))) { try probe.run() }
    }

    private func busy(_ server: MemoryServer) throws -> (StoreProbe, HTTPStore) {
        let store = HTTPStore(
            try HTTPPlace("https://h/{workspace}/config"), objects: server.objects())
        return (
            StoreProbe(
                store.objects,
                lasting: store.url(.config(try #require(WorkspaceName("grona-probe")))),
                sleep: { _ in }, fresh: { nil }), store
        )
    }

    @Test func `A store that is busy now and then is found to swap`() throws {
        let server = MemoryServer()
        let writes = Mutex(0)
        server.state.withLock { state in
            state.before = { request in
                guard request.method == .put else { return nil }
                let count = writes.withLock { count in
                    count += 1
                    return count
                }
                return count < 12 && count % 2 == 1 ? .success(.init(status: 503)) : nil
            }
        }
        var (probe, _) = try busy(server)
        let report = try probe.run()
        #expect(report.isTrusted, "\(report.checks)")
    }

    @Test(arguments: [403, 404, 405])
    func `A store that refuses the scratch workspace stays unknown`(_ status: Int) throws {
        let server = try StoreServer([
            "--fault", "status", "--on", "PUT:", "--status", "\(status)",
        ])
        let place = try HTTPPlace(server.http + "/{workspace}/config")
        let store = HTTPStore(place, objects: objects(server))
        var probe = StoreProbe(store.objects, url: { store.url($0) })
        #expect(throws: StoreProbe.Failure.unprobed(.init(status: status))) { try probe.run() }
    }

    @Test func `A folder holds them under the kernel's lock`() throws {
        let shop = try Shop()
        let report = try FolderProbe.run(try shop.store())
        #expect(report.isTrusted)
        #expect(report[.createOnly] == .holds && report[.replaceRace] == .skipped)
        #expect(try shop.store().workspaces().isEmpty)
    }

    @Test func `What was found is remembered with who answers for it`() throws {
        let folder = try TemporaryFolder()
        let memory = ProbeMemory(StateFolder(FilePath(folder.path)).store("s"))
        #expect(try memory.read(store: "s") == nil)
        var record = ProbeRecord(
            store: "s", time: UnixTime(7), report: try probe("ignore-conditions"))
        record.singlePublisher = .init(user: "tester", time: UnixTime(8))
        try memory.write(record)
        #expect(try memory.read(store: "s") == record)
        #expect(try memory.read(store: "other") == nil)
    }
}
