import HTTPTransport

/// What has come of an answer so far, within its limits.
struct CurlAnswer {
    let bodyLimit: Int
    let headerLimit: Int
    private var fields: [HTTPField] = []
    private var bytes: [UInt8] = []
    private var headerSize = 0
    /// Whether the empty line after the fields is still to come.
    private(set) var isInHeader = true
    /// Why no more was taken.
    private(set) var failure: HTTPFailure.Reason?

    init(bodyLimit: Int = 0, headerLimit: Int = 0) {
        self.bodyLimit = bodyLimit
        self.headerLimit = headerLimit
    }

    /// Takes a line of a header; a status line begins a new answer, as after `100 Continue`.
    mutating func header(_ line: UnsafeRawBufferPointer) -> Bool {
        headerSize += line.count
        guard headerSize <= headerLimit else {
            failure = .headerTooLarge(limit: headerLimit)
            return false
        }
        let text = unsafe Array(line)
        if text.starts(with: "HTTP/".utf8) {
            fields = []
            isInHeader = true
        } else if text.allSatisfy({ $0 == 0x0D || $0 == 0x0A }) {
            // What comes after this and before the next status line is a trailer.
            isInHeader = false
        } else if isInHeader, let colon = text.firstIndex(of: 0x3A), colon > 0 {
            let name = String(decoding: text[..<colon], as: UTF8.self)
            var value = text[(colon + 1)...]
            while let last = value.last, last <= 0x20 { value.removeLast() }
            while let first = value.first, first <= 0x20 { value.removeFirst() }
            fields.append(HTTPField(name, String(decoding: value, as: UTF8.self)))
        }
        return true
    }

    mutating func body(_ more: UnsafeRawBufferPointer) -> Bool {
        guard more.count <= bodyLimit - bytes.count else {
            failure = .tooLarge(limit: bodyLimit)
            return false
        }
        unsafe bytes.append(contentsOf: more)
        return true
    }

    func response(status: Int) -> HTTPResponse {
        HTTPResponse(status: status, fields: fields, body: bytes)
    }
}
