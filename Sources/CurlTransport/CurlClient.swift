import CCurl
package import HTTPTransport
import LinuxIO
import Synchronization

/// Sends requests by libcurl.
///
/// TLS 1.2 or newer with the server's certificate and name checked; plain http only to this host
/// and only with leave. No redirect is followed, no proxy of the environment is used, no `.netrc`
/// read and no cookie kept. Connections are used again. May be called from any thread.
package final class CurlClient: HTTPClient {
    package let settings: CurlSettings
    private let idle = Mutex<[CurlTransfer]>([])

    package init(_ settings: CurlSettings) {
        self.settings = settings
    }

    package func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse {
        try check(request)
        let transfer = try transfer()
        defer { idle.withLock { $0.append(transfer) } }
        try transfer.prepare(request, settings)
        return try transfer.perform()
    }

    package func race(
        _ requests: [HTTPRequest], patienceNanoseconds: UInt64
    ) -> [Result<HTTPResponse, HTTPFailure>] {
        let race = CurlRace(settings)
        for request in requests {
            do throws(HTTPFailure) {
                try check(request)
                try race.add(request, try CurlTransfer())
            } catch {
                race.add(error)
            }
        }
        return race.run(patienceNanoseconds: patienceNanoseconds)
    }

    private func transfer() throws(HTTPFailure) -> CurlTransfer {
        if let idle = idle.withLock({ $0.popLast() }) { return idle }
        return try CurlTransfer()
    }

    private func check(_ request: HTTPRequest) throws(HTTPFailure) {
        if !request.url.isSecure, !(settings.allowsPlainHTTP && request.url.isLoopback) {
            throw HTTPFailure(
                .plainHTTP(toThisHost: request.url.isLoopback), mayHaveArrived: false)
        }
        for field in request.fields where !field.isValid {
            throw HTTPFailure(.invalidField(field.name), mayHaveArrived: false)
        }
    }
}
