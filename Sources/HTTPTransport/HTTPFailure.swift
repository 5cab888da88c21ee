/// Why there is no answer.
package struct HTTPFailure: Error, Hashable, Sendable {
    package let reason: Reason
    /// Whether anything of the request may have reached the server: if not, it did not happen; if
    /// so, only asking again can tell whether it did.
    package let mayHaveArrived: Bool

    package init(_ reason: Reason, mayHaveArrived: Bool) {
        self.reason = reason
        self.mayHaveArrived = mayHaveArrived
    }

    package enum Reason: Hashable, Sendable {
        /// No address for the name.
        case unresolved
        /// Nothing listens there, or no way leads there.
        case unreachable
        /// The server's certificate is not for this name.
        case certificateName
        /// The certificate or its chain does not hold; the number of OpenSSL's verification error.
        case certificate(Int)
        /// No TLS came about: too old a version, or no TLS at all.
        case tls
        /// The file of `--ca` cannot be used.
        case authorityFile
        /// Not within the time that was given.
        case timedOut
        /// The connection ended before the answer did.
        case broken
        /// What came is no HTTP.
        case malformed
        /// The body has more bytes than the limit.
        case tooLarge(limit: Int)
        /// The header has more bytes than the limit.
        case headerTooLarge(limit: Int)
        /// The compressed body cannot be read.
        case encoding
        /// Plain http to another host than this one, or to this one without leave.
        case plainHTTP(toThisHost: Bool)
        /// A field that cannot be sent.
        case invalidField(String)
        /// libcurl cannot be used, or failed in another way; its number.
        case library(Int)
    }
}
