package import HTTPTransport
package import PublishProtocol

/// Waits until one address shows a new config to devices: a value that takes answers and says what
/// to ask next.
///
/// Before the publish it is asked for the entity tag of what it shows. After it, as an SDK does, it
/// is asked under the condition that this is not there any more (`If-None-Match`,
/// signed-configuration: Refresh), and has to answer 200 with the new content: an edge whose tag
/// does not change with the bytes answers 304 for ever, and every device keeps the old copy.
package struct EdgeWatch: Sendable {
    package let url: HTTPURL
    /// The tag of what it showed before; nil where it showed nothing, or gave none.
    package private(set) var oldTag: HTTPEntityTag?
    /// The bytes that bore it.
    private var oldBody: [UInt8] = []
    /// What it showed last.
    package private(set) var state: State = .notAsked
    /// Seconds that the last answer had spent in caches.
    package private(set) var age: Int64?

    package enum State: Sendable, Equatable {
        case notAsked
        /// 304, or the content that it showed before.
        case old
        /// The content that was published, or one above it.
        case new
        /// Something else, or nothing: the status, and the number of a document of ours.
        case other(status: Int, version: Int64?)
        case failed(HTTPFailure)
    }

    package init(_ url: HTTPURL) {
        self.url = url
    }

    package var isDone: Bool { state == .new }

    /// What is sent: with compression, and with the condition when there is a tag.
    package var request: HTTPRequest {
        var request = HTTPRequest(.get, url)
        request.takesGzip = true
        request.fields = [HTTPField("Accept", "application/jose+json, application/json")]
        if let oldTag { request.fields.append(HTTPField("If-None-Match", oldTag.text)) }
        return request
    }

    /// Takes the answer to the first request, before anything is published.
    package mutating func begin(_ answer: Result<HTTPResponse, HTTPFailure>) {
        if case .success(let response) = answer, response.status == 200 {
            oldTag = response.entityTag
            oldBody = response.body
        }
    }

    /// Where what it showed before is what was published, or above it, there is no old copy: it is
    /// asked without a condition. So it is when the same command runs again.
    package mutating func compare(
        with published: DocumentFacts, judge: ([UInt8]) -> DocumentFacts?
    ) {
        guard oldTag != nil, let facts = judge(oldBody), Self.shows(facts, published) else {
            return
        }
        oldTag = nil
    }

    private static func shows(_ facts: DocumentFacts, _ published: DocumentFacts) -> Bool {
        facts.payload == published.payload || facts.version > published.version
    }

    /// Takes an answer after the publish.
    ///
    /// - Parameter judge: which document of ours a body is; nil for none.
    package mutating func take(
        _ answer: Result<HTTPResponse, HTTPFailure>, published: DocumentFacts,
        judge: ([UInt8]) -> DocumentFacts?
    ) {
        switch answer {
        case .failure(let failure):
            state = .failed(failure)
            age = nil
        case .success(let response):
            age = response.age
            if response.status == 304 {
                state = .old
                return
            }
            let facts = response.status == 200 ? judge(response.body) : nil
            guard let facts else {
                state = .other(status: response.status, version: nil)
                return
            }
            if Self.shows(facts, published) {
                state = .new
            } else if facts.version < published.version {
                state = .old
            } else {
                state = .other(status: response.status, version: facts.version)
            }
        }
    }
}

/// Several addresses that are to show one config.
package struct EdgeWatches: Sendable {
    /// Between two questions to an address that does not show it yet, in milliseconds.
    package static let pause: UInt64 = 250

    package private(set) var watches: [EdgeWatch]
    /// Milliseconds after which each showed it; nil where it does not.
    package private(set) var visible: [UInt64?]

    package init(_ urls: [HTTPURL]) {
        watches = urls.map { EdgeWatch($0) }
        visible = urls.map { _ in nil }
    }

    package var isDone: Bool { watches.allSatisfy(\.isDone) }

    /// Asks each for what it shows now.
    package mutating func begin(_ client: any HTTPClient) {
        for index in watches.indices {
            watches[index].begin(Self.send(watches[index].request, client))
        }
    }

    /// Asks each that does not show it yet, until all do or the time is over.
    ///
    /// - Parameters:
    ///   - start: when waiting began, in milliseconds of `clock`.
    ///   - limit: how long to wait after that, in milliseconds.
    package mutating func wait(
        for published: DocumentFacts, _ client: any HTTPClient, start: UInt64, limit: UInt64,
        clock: () -> UInt64, sleep: (UInt64) -> Void, judge: ([UInt8]) -> DocumentFacts?
    ) {
        for index in watches.indices { watches[index].compare(with: published, judge: judge) }
        while true {
            for index in watches.indices where !watches[index].isDone {
                watches[index].take(
                    Self.send(watches[index].request, client), published: published, judge: judge)
                if watches[index].isDone { visible[index] = clock() - start }
            }
            let elapsed = clock() - start
            guard !isDone, elapsed < limit else { return }
            sleep(min(Self.pause, limit - elapsed))
        }
    }

    private static func send(
        _ request: HTTPRequest, _ client: any HTTPClient
    ) -> Result<HTTPResponse, HTTPFailure> {
        do throws(HTTPFailure) { return .success(try client.send(request)) } catch {
            return .failure(error)
        }
    }
}
