import HTTPTransport
import Publishing

/// Stands between this program and the network, and lets only so many requests a second by.
struct PacedClient: HTTPClient {
    let inner: any HTTPClient
    let pace: Pace

    func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse {
        pace.wait()
        return try inner.send(request)
    }

    func race(
        _ requests: [HTTPRequest], patienceNanoseconds: UInt64
    ) -> [Result<HTTPResponse, HTTPFailure>] {
        for _ in requests { pace.wait() }
        return inner.race(requests, patienceNanoseconds: patienceNanoseconds)
    }
}
