import CCurl
import HTTPTransport
import LinuxIO

/// An easy handle of libcurl with all that it points to while a request runs.
///
/// Used by one thread at a time.
@safe final class CurlTransfer: @unchecked Sendable {
    /// Whether libcurl is ready; made so by the first request.
    private static let isReady = grona_curl_start() == CURLE_OK

    let handle: UnsafeMutableRawPointer
    private var lines: UnsafeMutablePointer<curl_slist>?
    private var answer = CurlAnswer()
    private(set) var body = CurlBody([])
    private var firstError = CURLE_OK

    init() throws(HTTPFailure) {
        guard Self.isReady, let handle = unsafe curl_easy_init() else {
            throw HTTPFailure(.library(Int(CURLE_FAILED_INIT.rawValue)), mayHaveArrived: false)
        }
        unsafe self.handle = unsafe handle
    }

    deinit {
        unsafe curl_easy_cleanup(handle)
        unsafe curl_slist_free_all(lines)
    }

    // MARK: Preparing

    /// - Parameter holdsLastByte: on a connection of its own, with the last byte of the body sent
    ///   when `releaseLastByte` allows it.
    func prepare(
        _ request: HTTPRequest, _ settings: CurlSettings, holdsLastByte: Bool = false
    ) throws(HTTPFailure) {
        unsafe curl_easy_reset(handle)
        unsafe curl_slist_free_all(lines)
        unsafe lines = nil
        firstError = CURLE_OK
        answer = CurlAnswer(bodyLimit: settings.bodyLimit, headerLimit: settings.headerLimit)
        body = CurlBody(request.body)
        text(CURLOPT_URL, request.url.description)
        connection(settings, isPlain: !request.url.isSecure)
        method(request, holdsLastByte: holdsLastByte)
        if request.takesGzip { text(CURLOPT_ACCEPT_ENCODING, "gzip") }
        for field in request.fields { line("\(field.name): \(field.value)") }
        credential(request.credential)
        unsafe note(grona_curl_set_headers(handle, lines))
        receiver()
        guard firstError == CURLE_OK else {
            throw HTTPFailure(.library(Int(firstError.rawValue)), mayHaveArrived: false)
        }
    }

    private func connection(_ settings: CurlSettings, isPlain: Bool) {
        text(CURLOPT_PROTOCOLS_STR, isPlain ? "http" : "https")
        text(CURLOPT_REDIR_PROTOCOLS_STR, "https")
        number(CURLOPT_FOLLOWLOCATION, 0)
        number(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        number(CURLOPT_SSL_VERIFYPEER, 1)
        number(CURLOPT_SSL_VERIFYHOST, 2)
        if let authorities = settings.authorities {
            text(CURLOPT_CAINFO, authorities.description)
            text(CURLOPT_CAPATH, nil)
        }
        // An empty text switches off the proxies of the environment.
        text(CURLOPT_PROXY, "")
        text(CURLOPT_NOPROXY, "*")
        number(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
        number(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        number(CURLOPT_PATH_AS_IS, 1)
        number(CURLOPT_NOSIGNAL, 1)
        number(CURLOPT_TCP_KEEPALIVE, 1)
        number(CURLOPT_CONNECTTIMEOUT_MS, settings.connectMilliseconds)
        number(CURLOPT_TIMEOUT_MS, settings.totalMilliseconds)
        unsafe note(
            grona_curl_set_large(
                handle, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(settings.bodyLimit)))
        text(CURLOPT_USERAGENT, settings.agent)
    }

    private func method(_ request: HTTPRequest, holdsLastByte: Bool) {
        switch request.method {
        case .get: number(CURLOPT_HTTPGET, 1)
        case .head: number(CURLOPT_NOBODY, 1)
        case .put:
            // Not CURLOPT_UPLOAD, which asks for `100 Continue` whatever the size, and in signed
            // requests cannot be told not to.
            if holdsLastByte {
                number(CURLOPT_FRESH_CONNECT, 1)
                number(CURLOPT_FORBID_REUSE, 1)
                number(CURLOPT_POST, 1)
                unsafe note(
                    grona_curl_set_large(
                        handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)))
                unsafe note(
                    grona_curl_set_body_source(
                        handle,
                        { bytes, size, count, context in
                            unsafe CurlTransfer.from(context)?.body.give(bytes, size * count)
                                ?? 0
                        }, Unmanaged.passUnretained(self).toOpaque()))
            } else {
                unsafe note(grona_curl_set_body(handle, body.start, curl_off_t(body.count)))
            }
            text(CURLOPT_CUSTOMREQUEST, request.method.rawValue)
        }
    }

    private func credential(_ credential: HTTPCredential) {
        switch credential {
        case .none: break
        case .bearer(let token):
            unsafe token.withCString { unsafe note(grona_curl_set_bearer(handle, $0)) }
        case .s3(let keys, let region):
            text(CURLOPT_AWS_SIGV4, "aws:amz:\(region):s3")
            text(CURLOPT_USERNAME, keys.accessKey)
            unsafe keys.secretKey.withCString {
                unsafe note(grona_curl_set_text(handle, CURLOPT_PASSWORD, $0))
            }
            if let token = keys.sessionToken {
                let line = token.prefixed("x-amz-security-token: ")
                unsafe line.withCString { unsafe append($0) }
            }
        }
    }

    private func receiver() {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe note(
            grona_curl_set_header_reader(
                handle,
                { bytes, size, count, context in
                    let all = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
                    let isTaken = unsafe CurlTransfer.from(context)?.answer.header(all) ?? false
                    return isTaken ? size * count : 0
                }, context))
        unsafe note(
            grona_curl_set_writer(
                handle,
                { bytes, size, count, context in
                    let all = unsafe UnsafeRawBufferPointer(start: bytes, count: size * count)
                    let isTaken = unsafe CurlTransfer.from(context)?.answer.body(all) ?? false
                    return isTaken ? size * count : 0
                }, context))
    }

    private static func from(_ context: UnsafeMutableRawPointer?) -> CurlTransfer? {
        guard let context = unsafe context else { return nil }
        return unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    }

    private func note(_ code: CURLcode) {
        if firstError == CURLE_OK { firstError = code }
    }

    private func number(_ option: CURLoption, _ value: Int) {
        unsafe note(grona_curl_set_number(handle, option, value))
    }

    private func text(_ option: CURLoption, _ value: String?) {
        unsafe note(grona_curl_set_text(handle, option, value))
    }

    private func line(_ text: String) {
        unsafe text.withCString { unsafe append($0) }
    }

    private func append(_ text: UnsafePointer<CChar>) {
        guard let longer = unsafe curl_slist_append(lines, text) else {
            return note(CURLE_OUT_OF_MEMORY)
        }
        unsafe lines = longer
    }

    // MARK: Sending

    func perform() throws(HTTPFailure) -> HTTPResponse {
        try outcome(unsafe curl_easy_perform(handle))
    }

    /// Lets the last byte of the body go.
    func releaseLastByte() {
        guard body.release() else { return }
        _ = unsafe grona_curl_continue(handle)
    }

    /// What came of a transfer that ended with a code.
    func outcome(_ code: CURLcode) throws(HTTPFailure) -> HTTPResponse {
        let sent = unsafe grona_curl_number(handle, CURLINFO_REQUEST_SIZE) > 0
        if code == CURLE_OK {
            let status = unsafe grona_curl_number(handle, CURLINFO_RESPONSE_CODE)
            guard (100...599).contains(status) else {
                throw HTTPFailure(.malformed, mayHaveArrived: sent)
            }
            return answer.response(status: status)
        }
        if let reason = answer.failure { throw HTTPFailure(reason, mayHaveArrived: sent) }
        if sent, answer.isInHeader, CurlFailure.isLongLine(code) {
            throw HTTPFailure(.headerTooLarge(limit: answer.headerLimit), mayHaveArrived: true)
        }
        let verified = unsafe grona_curl_number(handle, CURLINFO_SSL_VERIFYRESULT)
        throw HTTPFailure(
            CurlFailure.reason(code, verified: verified, limit: answer.bodyLimit),
            mayHaveArrived: sent)
    }
}
