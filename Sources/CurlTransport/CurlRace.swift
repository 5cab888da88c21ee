import CCurl
import HTTPTransport
import LinuxIO

/// Several transfers at once, whose last bytes go out together.
final class CurlRace {
    /// How often it is looked who waits, in milliseconds.
    private static let pulse: Int32 = 5

    private let settings: CurlSettings
    private var transfers: [CurlTransfer?] = []
    private var results: [Result<HTTPResponse, HTTPFailure>?] = []

    init(_ settings: CurlSettings) {
        self.settings = settings
    }

    func add(_ request: HTTPRequest, _ transfer: CurlTransfer) throws(HTTPFailure) {
        try transfer.prepare(request, settings, holdsLastByte: true)
        transfers.append(transfer)
        results.append(nil)
    }

    /// A request that could not even be prepared.
    func add(_ failure: HTTPFailure) {
        transfers.append(nil)
        results.append(.failure(failure))
    }

    func run(patienceNanoseconds: UInt64) -> [Result<HTTPResponse, HTTPFailure>] {
        let unusable = HTTPFailure(
            .library(Int(CURLE_FAILED_INIT.rawValue)), mayHaveArrived: false)
        guard let multi = unsafe curl_multi_init() else {
            return results.map { $0 ?? .failure(unusable) }
        }
        for case let transfer? in transfers {
            _ = unsafe curl_multi_add_handle(multi, transfer.handle)
        }
        defer {
            for case let transfer? in transfers {
                _ = unsafe curl_multi_remove_handle(multi, transfer.handle)
            }
            _ = unsafe curl_multi_cleanup(multi)
        }
        // Each transfer has a time-out of its own; this is for what never comes to that.
        let end = SystemClock.deadline(
            after: patienceNanoseconds + UInt64(settings.totalMilliseconds) * 2_000_000)
        var deadline: UInt64?
        var isReleased = false
        while results.contains(where: { $0 == nil }), SystemClock.monotonicNanoseconds() < end {
            var running: Int32 = 0
            guard unsafe curl_multi_perform(multi, &running) == CURLM_OK else { break }
            unsafe collect(multi)
            if !isReleased {
                let open = zip(transfers, results).filter { $0.1 == nil }.compactMap(\.0)
                let waiting = open.filter(\.body.isWaiting)
                if deadline == nil, !waiting.isEmpty {
                    deadline = SystemClock.deadline(after: patienceNanoseconds)
                }
                let isLate = deadline.map { SystemClock.monotonicNanoseconds() >= $0 } ?? false
                if isLate || waiting.count == open.count { isReleased = true }
            }
            // Those that come late find the gate open.
            if isReleased { for case let transfer? in transfers { transfer.releaseLastByte() } }
            _ = unsafe curl_multi_poll(multi, nil, 0, Self.pulse, nil)
        }
        let late = HTTPFailure(.timedOut, mayHaveArrived: true)
        return results.map { $0 ?? .failure(late) }
    }

    /// Takes the answers of the transfers that have ended.
    private func collect(_ multi: UnsafeMutableRawPointer) {
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(multi, &left) {
            var code = CURLE_OK
            guard let handle = unsafe grona_curl_ended(message, &code),
                let index = transfers.firstIndex(where: { unsafe $0?.handle == handle }),
                let transfer = transfers[index]
            else { continue }
            do throws(HTTPFailure) {
                results[index] = .success(try transfer.outcome(code))
            } catch {
                results[index] = .failure(error)
            }
        }
    }
}
