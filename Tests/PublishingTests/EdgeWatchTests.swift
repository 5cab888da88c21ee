import HTTPTransport
import PublishProtocol
import Publishing
import Synchronization
import Testing

/// Edges that are to show devices a new config.
@Suite struct EdgeWatchTests {
    private static let old = document(1)
    private static let new = document(2)
    private static let newer = document(3)

    private static func document(_ version: Int64, content: UInt64? = nil) -> DocumentFacts {
        let digest = ContentDigest(number: content ?? UInt64(version))
        return DocumentFacts(version: version, payload: digest, envelope: digest)
    }

    /// Bodies are one byte: the version; 9 is another content of version 2.
    private static func judge(_ body: [UInt8]) -> DocumentFacts? {
        body == [9] ? document(2, content: 99) : body.first.map { document(Int64($0)) }
    }

    private static func response(
        _ status: Int, _ body: [UInt8] = [], tag: String? = nil, age: String? = nil
    ) -> HTTPResponse {
        HTTPResponse(
            status: status,
            fields: (tag.map { [HTTPField("ETag", $0)] } ?? [])
                + (age.map { [HTTPField("Age", $0)] } ?? []), body: body)
    }

    private func watch(_ answer: HTTPResponse? = nil) throws -> EdgeWatch {
        var watch = EdgeWatch(try #require(HTTPURL("https://edge.example/config")))
        watch.begin(.success(answer ?? Self.response(200, [1], tag: #""a""#)))
        return watch
    }

    @Test func `It asks as an SDK does: compressed, and under the condition of the old tag`() throws
    {
        let request = try watch().request
        #expect(request.method == .get)
        #expect(request.takesGzip)
        #expect(request.fields.contains(HTTPField("If-None-Match", #""a""#)))
        let weak = try watch(Self.response(200, [1], tag: #"W/"a""#)).request
        #expect(weak.fields.contains(HTTPField("If-None-Match", #"W/"a""#)))
        let none = try watch(Self.response(404)).request
        #expect(!none.fields.contains { $0.name == "If-None-Match" })
    }

    @Test(
        arguments: [
            (response(200, [2]), .new), (response(200, [3]), .new), (response(200, [1]), .old),
            (response(304), .old), (response(200, [9]), .other(status: 200, version: 2)),
            (response(200, []), .other(status: 200, version: nil)),
            (response(404, [2]), .other(status: 404, version: nil)),
            (response(503), .other(status: 503, version: nil)),
        ] as [(HTTPResponse, EdgeWatch.State)])
    func `An answer says what it shows`(_ answer: HTTPResponse, _ state: EdgeWatch.State) throws {
        var watch = try watch()
        watch.take(.success(answer), published: Self.new, judge: Self.judge)
        #expect(watch.state == state)
        #expect(watch.isDone == (state == .new))
    }

    @Test(arguments: [([2], false), ([3], false), ([1], true), ([9], true), ([], true)])
    func `Where the new config was shown before, there is no old tag to ask under`(
        _ body: [UInt8], _ isConditional: Bool
    ) throws {
        var watch = try watch(Self.response(200, body, tag: #""a""#))
        watch.compare(with: Self.new, judge: Self.judge)
        #expect(
            watch.request.fields.contains { $0.name == "If-None-Match" } == isConditional)
    }

    @Test func `No answer is no new config, and the age is that of the last answer`() throws {
        var watch = try watch()
        watch.take(
            .success(Self.response(200, [1], age: "41")), published: Self.new, judge: Self.judge)
        #expect(watch.age == 41)
        let failure = HTTPFailure(.timedOut, mayHaveArrived: true)
        watch.take(.failure(failure), published: Self.new, judge: Self.judge)
        #expect(watch.state == .failed(failure))
        #expect(watch.age == nil)
    }

    // MARK: Waiting

    /// Answers each address with its list, the last answer for ever.
    private final class Edges: HTTPClient {
        let answers: Mutex<[String: [HTTPResponse]]>
        let asked = Mutex(0)

        init(_ answers: [String: [HTTPResponse]]) {
            self.answers = Mutex(answers)
        }

        func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse {
            asked.withLock { $0 += 1 }
            let answer = answers.withLock { all -> HTTPResponse? in
                guard var list = all[request.url.description], let first = list.first else {
                    return nil
                }
                if list.count > 1 { list.removeFirst() }
                all[request.url.description] = list
                return first
            }
            guard let answer else { throw HTTPFailure(.unreachable, mayHaveArrived: false) }
            return answer
        }

        func race(
            _ requests: [HTTPRequest], patienceNanoseconds: UInt64
        ) -> [Result<HTTPResponse, HTTPFailure>] { [] }
    }

    private func wait(_ answers: [String: [HTTPResponse]], limit: UInt64 = 2_000) throws
        -> (EdgeWatches, asked: Int)
    {
        let client = Edges(answers)
        let urls = try answers.keys.sorted().map { try #require(HTTPURL($0)) }
        var watches = EdgeWatches(urls)
        watches.begin(client)
        var now: UInt64 = 500
        watches.wait(
            for: Self.new, client, start: 500, limit: limit, clock: { now },
            sleep: { now += $0 }, judge: Self.judge)
        return (watches, client.asked.withLock { $0 })
    }

    @Test func `Each is asked until it shows it, and no further`() throws {
        let old = Self.response(200, [1], tag: #""a""#)
        let (watches, asked) = try wait([
            "https://a.example/c": [old, Self.response(200, [2])],
            "https://b.example/c": [old, Self.response(304), old, Self.response(200, [2])],
        ])
        #expect(watches.isDone)
        #expect(watches.visible == [0, 500])
        #expect(asked == 6)
    }

    @Test func `An edge whose tag does not change is found, and waiting ends`() throws {
        let old = Self.response(200, [1], tag: #""a""#)
        let (watches, asked) = try wait(
            [
                "https://a.example/c": [old, Self.response(200, [2])],
                "https://b.example/c": [old, Self.response(304, age: "7")],
            ], limit: 1_000)
        #expect(!watches.isDone)
        #expect(watches.visible == [0, nil])
        #expect(watches.watches[1].state == .old)
        #expect(watches.watches[1].age == 7)
        #expect(asked == 2 + 1 + 5)
    }

    @Test func `Without time each is asked once`() throws {
        let (watches, asked) = try wait(
            ["https://a.example/c": [Self.response(200, [1]), Self.response(200, [2])]], limit: 0)
        #expect(watches.isDone)
        #expect(asked == 2)
    }
}
