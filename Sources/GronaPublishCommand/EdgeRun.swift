import CommandLineKit
import CurlTransport
import GronaCommand
import GronaFormats
import HTTPTransport
import LinuxIO
import PublishProtocol
import Publishing
import StrictJSON

/// The addresses of `--verify-url`, from before the publish until all of them show it.
struct EdgeRun {
    static let urls = Option(
        "verify-url",
        ValueReader<HTTPURL>.parsing(
            "URL", expected: "an address such as https://cdn.example/v1/config"
        ) { HTTPURL($0) }, repeats: true,
        help: "an address that has to show it to devices before this ends with success; http: on"
            + " this host alone")
    static let wait = Option(
        "wait", ValueReader<DurationSeconds>.duration(), builtIn: "90s",
        help: "how long the addresses of --verify-url may take")
    private static let builtInWait = DurationSeconds(90)
    /// Of one answer; less than the wait, so that a slow edge is asked again.
    private static let answerMilliseconds = 5_000

    private let context: CommandContext
    private let client: EdgeClient
    private var edges: EdgeWatches
    private let waiting: DurationSeconds

    /// Nil where no address is named, or nothing will be published.
    ///
    /// - Throws: where an address can never be asked, before anything is published.
    init?(_ context: CommandContext) throws(Failure) {
        let urls = context.call.all(Self.urls)
        guard !urls.isEmpty else { return nil }
        for url in urls where !url.isLoopback {
            guard url.isSecure else {
                throw Failure(
                    Diagnostic(
                        code: "edge.address",
                        message: "--verify-url \(url): plain http is taken to this host alone",
                        help: "use https", exit: .usage))
            }
            guard !context.isRehearsal else { throw CommandContext.real(url.description) }
        }
        guard !context.isDryRun else { return nil }
        self.context = context
        edges = EdgeWatches(urls)
        waiting = context.call[Self.wait] ?? Self.builtInWait
        var curl = CurlSettings(
            agent: "\(context.console.program)/\(GronaProgram.version)", allowsPlainHTTP: true,
            totalMilliseconds: Self.answerMilliseconds)
        let system = CurlClient(curl)
        curl.authorities = try context.settings().value(StoreSettings.authorities).map {
            FilePath(bytes: $0.bytes)
        }
        client = EdgeClient(own: CurlClient(curl), system: curl.authorities == nil ? nil : system)
    }

    /// Learns what the addresses show now.
    mutating func begin() { edges.begin(client) }

    /// Waits until all of them show the document.
    mutating func wait(for published: DocumentFacts, _ judge: DocumentJudge) {
        edges.wait(
            for: published, client, start: Self.milliseconds,
            limit: UInt64(clamping: waiting.seconds).multipliedReportingOverflow(by: 1_000)
                .partialValue,
            clock: { Self.milliseconds },
            sleep: { SystemClock.sleep(nanoseconds: $0 * 1_000_000) },
            judge: { judge.judge($0).facts })
    }

    private static var milliseconds: UInt64 { SystemClock.monotonicNanoseconds() / 1_000_000 }

    /// Why this does not end with success; nil where every address shows it.
    var failure: Failure? {
        let late = edges.watches.filter { !$0.isDone }
        guard let first = late.first else { return nil }
        return Failure(diagnostic(first), others: late.dropFirst().map(diagnostic))
    }

    private func diagnostic(_ watch: EdgeWatch) -> Diagnostic {
        Diagnostic(
            code: "edge.stale",
            message: "after \(waiting) \(words(watch)); the store serves it",
            file: watch.url.description,
            help: help(watch) + ", then run the same command again", exit: .tryAgain)
    }

    private func help(_ watch: EdgeWatch) -> String {
        switch watch.state {
        case .failed(let failure):
            RemoteStoreWording.noAnswer(failure, .reading, "").help ?? "look at the address"
        case .other(_, nil): "look whether devices are given this address"
        case .other: "find out who else publishes there"
        case .notAsked, .old, .new:
            "the edge's cache, or an entity tag that does not change with the bytes: clear it there"
        }
    }

    private func words(_ watch: EdgeWatch) -> String {
        let age = watch.age.map { ", of age \($0) s" } ?? ""
        return switch watch.state {
        case .notAsked: "nothing was asked"
        case .old: "this still shows the old config" + age
        case .new: "this shows the new config"
        case .other(let status, nil): "this answers \(status), and nothing of ours" + age
        case .other(_, let version?):
            "this shows another content under version \(version)" + age
        case .failed(let failure):
            "this gives no answer: " + RemoteStoreWording.noAnswer(failure, .reading, "").message
        }
    }

    /// A line for each address that shows it.
    var lines: [String] {
        zip(edges.watches, edges.visible).compactMap { watch, time in
            time.map { "visible at \(watch.url) after \(Self.seconds($0)) s" }
        }
    }

    var json: JSONValue {
        .array(
            zip(edges.watches, edges.visible).map { watch, time in
                .object([
                    ("url", .string(watch.url.description)), ("visible", .boolean(watch.isDone)),
                    ("milliseconds", time.map { .integer(Int64(clamping: $0)) } ?? .null),
                    ("age", watch.age.map { .integer($0) } ?? .null),
                ])
            })
    }

    /// For the answer: each address, and the code of what is missing.
    var members: [(String, JSONValue)] {
        [("visible", json)] + (failure.map { [("code", .string($0.reason.code))] } ?? [])
    }

    static func seconds(_ milliseconds: UInt64) -> String {
        let tenths = milliseconds / 100
        return "\(tenths / 10).\(tenths % 10)"
    }
}

/// Believes the certificates of `--ca`, and those of the system: an edge that everybody reaches may
/// have one of those where the store has its own.
private struct EdgeClient: HTTPClient {
    let own: CurlClient
    /// Nil where there are no others.
    let system: CurlClient?

    func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse {
        do throws(HTTPFailure) { return try own.send(request) } catch {
            guard let system, case .certificate = error.reason else { throw error }
            do throws(HTTPFailure) { return try system.send(request) } catch let other {
                if case .certificate = other.reason { throw error }
                throw other
            }
        }
    }

    func race(
        _ requests: [HTTPRequest], patienceNanoseconds: UInt64
    ) -> [Result<HTTPResponse, HTTPFailure>] {
        own.race(requests, patienceNanoseconds: patienceNanoseconds)
    }
}
