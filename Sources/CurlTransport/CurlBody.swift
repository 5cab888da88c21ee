import CCurl

/// The body of a request, at an address that stays the same; on demand without its last byte.
@safe final class CurlBody {
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private var given = 0
    private var isReleased = false
    /// Whether all but the last byte is gone.
    private(set) var isWaiting = false

    var count: Int { unsafe bytes.count }
    /// Also for no bytes the address of something, since libcurl takes nil for "ask the callback".
    var start: UnsafeRawPointer? { unsafe UnsafeRawPointer(bytes.baseAddress) }

    init(_ body: [UInt8]) {
        let storage = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, body.count))
        _ = unsafe storage.initialize(from: body)
        unsafe bytes = unsafe UnsafeMutableBufferPointer(rebasing: storage[..<body.count])
    }

    deinit { unsafe bytes.deallocate() }

    /// Copies the next bytes for libcurl; answers how many, or that it has to wait.
    func give(_ target: UnsafeMutablePointer<CChar>?, _ room: Int) -> Int {
        guard let target = unsafe target else { return 0 }
        let end = isReleased ? count : count - 1
        let amount = min(room, end - given)
        guard amount > 0 else {
            guard given < count else { return 0 }
            isWaiting = true
            return grona_curl_read_pause()
        }
        for index in 0..<amount {
            unsafe target[index] = CChar(bitPattern: bytes[given + index])
        }
        given += amount
        return amount
    }

    /// Allows the last byte; true where libcurl waits for it.
    func release() -> Bool {
        isReleased = true
        defer { isWaiting = false }
        return isWaiting
    }
}
