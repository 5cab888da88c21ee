/// Sends requests; a test puts another one in its place.
package protocol HTTPClient: Sendable {
    /// Sends a request once, and gives the whole answer. Redirects are answers, never followed.
    func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse

    /// Sends requests at the same time, each on a connection of its own: of every body all but the
    /// last byte is sent first, and the last bytes go out together, at the latest `patience` after
    /// the first of them waited. So every server that looks at a condition when it has the header
    /// has looked before any body is whole.
    func race(
        _ requests: [HTTPRequest], patienceNanoseconds: UInt64
    ) -> [Result<HTTPResponse, HTTPFailure>]
}
