package import LinuxIO

/// One request, sent once; what repeats it is above this.
package struct HTTPRequest: Sendable {
    package var method: HTTPMethod
    package var url: HTTPURL
    /// Sent in this order; no name twice, no value empty (both break signed requests in libcurl
    /// before 8.13).
    package var fields: [HTTPField] = []
    package var body: [UInt8] = []
    package var credential: HTTPCredential = .none
    /// Whether the answer may be compressed; the body that is answered is not.
    package var takesGzip = false

    package init(_ method: HTTPMethod, _ url: HTTPURL) {
        self.method = method
        self.url = url
    }
}

package enum HTTPMethod: String, Sendable {
    case get = "GET"
    case head = "HEAD"
    case put = "PUT"
}

/// A header line (RFC 9110 5).
package struct HTTPField: Hashable, Sendable {
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Whether it can be sent: a name of token characters, and a value of visible ASCII and inner
    /// blanks that is not empty.
    package var isValid: Bool {
        let names = Array("!#$%&'*+-.^_`|~".utf8)
        let isName =
            !name.isEmpty
            && name.utf8.allSatisfy {
                (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0)
                    || names.contains($0)
            }
        return isName && !value.isEmpty && value.utf8.first != 0x20 && value.utf8.last != 0x20
            && value.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }
}

/// What shows a server who asks.
package enum HTTPCredential: Sendable {
    case none
    /// RFC 6750 2.1.
    case bearer(WipedBytes)
    /// AWS Signature Version 4 for the service `s3`.
    case s3(S3Credential, region: String)
}

/// The keys of an object store's user.
package struct S3Credential: Sendable {
    package let accessKey: String
    package let secretKey: WipedBytes
    /// Of temporary credentials; sent as `x-amz-security-token`.
    package let sessionToken: WipedBytes?

    package init(accessKey: String, secretKey: WipedBytes, sessionToken: WipedBytes? = nil) {
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.sessionToken = sessionToken
    }
}
