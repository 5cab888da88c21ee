import CCurl
import HTTPTransport

/// What libcurl's numbers mean here.
enum CurlFailure {
    /// CURLE_TOO_LARGE, which libcurl has since 8.6.
    private static let tooLarge: UInt32 = 100

    /// Whether a code may stand for a line of a header that libcurl has no room for (100 KiB): older
    /// versions call that a lack of memory.
    static func isLongLine(_ code: CURLcode) -> Bool {
        code == CURLE_OUT_OF_MEMORY || code.rawValue == tooLarge
    }

    /// - Parameter verified: OpenSSL's number for what is wrong with the certificate.
    static func reason(_ code: CURLcode, verified: Int, limit: Int) -> HTTPFailure.Reason {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: .unresolved
        case CURLE_COULDNT_CONNECT: .unreachable
        case CURLE_OPERATION_TIMEDOUT: .timedOut
        case CURLE_PEER_FAILED_VERIFICATION:
            // The name is looked at before OpenSSL's verdict, which is 1 until then; OpenSSL has
            // numbers for names too, 62 and 64.
            [0, 1, 62, 64].contains(verified) ? .certificateName : .certificate(verified)
        case CURLE_SSL_CACERT_BADFILE: .authorityFile
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED: .tls
        case CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_PARTIAL_FILE,
            CURLE_SEND_FAIL_REWIND:
            .broken
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL: .malformed
        case CURLE_FILESIZE_EXCEEDED: .tooLarge(limit: limit)
        case CURLE_BAD_CONTENT_ENCODING: .encoding
        default: .library(Int(code.rawValue))
        }
    }
}
