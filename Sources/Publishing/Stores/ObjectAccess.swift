package import HTTPTransport
import Libcrypto

/// How requests to a store are made and show who asks.
package enum ObjectAccess: Sendable {
    /// A bearer token where there is one.
    case http(HTTPCredential)
    case s3(S3Credential, region: String)

    func request(_ method: HTTPMethod, _ url: HTTPURL, _ body: [UInt8] = []) -> HTTPRequest {
        var request = HTTPRequest(method, url)
        request.body = body
        switch self {
        case .http(let credential):
            request.credential = credential
            // No cache on the way answers for the store (RFC 9111 5.2.1.4).
            if method != .put { request.fields.append(HTTPField("Cache-Control", "no-cache")) }
        case .s3(let keys, let region):
            request.credential = .s3(keys, region: region)
            request.fields.append(
                HTTPField("x-amz-content-sha256", SHA256.digest(body).hex))
        }
        return request
    }
}
