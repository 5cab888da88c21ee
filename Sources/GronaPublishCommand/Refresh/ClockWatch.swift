import HTTPTransport
import LinuxIO
import Synchronization

/// Stands between this program and the network, and notes what time the servers say it is.
final class ClockWatch: HTTPClient {
    /// More than this tell nothing more.
    private static let mostSamples = 1_001

    private let inner: any HTTPClient
    private let offsets: Samples

    /// How far the clocks of servers stand from ours, in seconds; positive where they are ahead.
    final class Samples: Sendable {
        private let values = Mutex<[Int64]>([])

        func add(_ value: Int64) {
            values.withLock { if $0.count < ClockWatch.mostSamples { $0.append(value) } }
        }

        /// Nil where no server said anything.
        var median: Int64? {
            let sorted = values.withLock { $0.sorted() }
            return sorted.isEmpty ? nil : sorted[sorted.count / 2]
        }
    }

    init(_ inner: any HTTPClient, _ offsets: Samples) {
        self.inner = inner
        self.offsets = offsets
    }

    /// A copy from a cache bears the time at which it was made, and how long ago that was (RFC 9110
    /// 6.6.1, RFC 9111 5.1).
    func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse {
        let response = try inner.send(request)
        if let date = response.date {
            let (time, overflowed) = date.addingReportingOverflow(response.age ?? 0)
            let (offset, tooFar) = time.subtractingReportingOverflow(SystemClock.unixTime())
            if !overflowed, !tooFar { offsets.add(offset) }
        }
        return response
    }

    func race(
        _ requests: [HTTPRequest], patienceNanoseconds: UInt64
    ) -> [Result<HTTPResponse, HTTPFailure>] {
        inner.race(requests, patienceNanoseconds: patienceNanoseconds)
    }
}
