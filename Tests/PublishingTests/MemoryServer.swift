import HTTPTransport
import Libcrypto
import Publishing
import Synchronization

/// Objects in memory behind the port for HTTP, with answers that a test may put in between.
final class MemoryServer: HTTPClient {
    typealias Answer = Result<HTTPResponse, HTTPFailure>

    struct State {
        var objects: [String: [UInt8]] = [:]
        var requests: [HTTPRequest] = []
        /// Whether `If-Match` is read without quotation marks alone.
        var wantsBareTags = false
        /// How many reads are still told a weak tag.
        var weakReads = 0
        /// Asked before a request is carried out.
        var before: (@Sendable (HTTPRequest) -> Answer?)?
        /// Asked after it was.
        var after: (@Sendable (HTTPRequest, HTTPResponse) -> Answer?)?
    }

    let state = Mutex(State())
    let waits = Mutex<[UInt64]>([])

    func objects(
        wantsBareTags: Bool = false, comparesItself: Bool = false
    ) -> ConditionalObjects {
        ConditionalObjects(
            client: self, access: .http(.none),
            fields: [HTTPField("Content-Type", "application/jose+json")],
            wantsBareTags: wantsBareTags, comparesItself: comparesItself,
            sleep: { wait in self.waits.withLock { $0.append(wait) } })
    }

    static func tag(_ bytes: [UInt8]) -> String { String(SHA256.digest(bytes).hex.prefix(16)) }

    func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse {
        let (before, after) = state.withLock {
            $0.requests.append(request)
            return ($0.before, $0.after)
        }
        if let answer = before?(request) { return try answer.get() }
        let response = state.withLock { Self.carryOut(request, &$0) }
        if let answer = after?(request, response) { return try answer.get() }
        return response
    }

    func race(
        _ requests: [HTTPRequest], patienceNanoseconds: UInt64
    ) -> [Result<HTTPResponse, HTTPFailure>] {
        requests.map { request in
            do throws(HTTPFailure) { return .success(try send(request)) } catch {
                return .failure(error)
            }
        }
    }

    private static func carryOut(_ request: HTTPRequest, _ state: inout State) -> HTTPResponse {
        let path = request.url.path
        let there = state.objects[path]
        guard request.method == .put else {
            guard let there else { return HTTPResponse(status: 404) }
            let isWeak = state.weakReads > 0
            if isWeak { state.weakReads -= 1 }
            return HTTPResponse(
                status: 200,
                fields: [HTTPField("ETag", (isWeak ? "W/" : "") + "\"\(tag(there))\"")],
                body: request.method == .head ? [] : there)
        }
        func sent(_ name: String) -> String? { request.fields.first { $0.name == name }?.value }
        if sent("If-None-Match") == "*", there != nil { return HTTPResponse(status: 412) }
        if let match = sent("If-Match") {
            guard let there else { return HTTPResponse(status: 412) }
            let wanted = state.wantsBareTags ? tag(there) : "\"\(tag(there))\""
            guard match == wanted else { return HTTPResponse(status: 412) }
        }
        state.objects[path] = request.body
        return HTTPResponse(status: 200)
    }
}
