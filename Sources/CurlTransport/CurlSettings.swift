package import LinuxIO

/// What holds for every request of a client.
package struct CurlSettings: Sendable {
    /// The certificates that are trusted instead of the system's, as PEM.
    package var authorities: FilePath?
    /// Takes plain http, to this host alone.
    package var allowsPlainHTTP: Bool
    /// How long until there is a connection, TLS included.
    package var connectMilliseconds: Int
    /// How long until there is a whole answer.
    package var totalMilliseconds: Int
    /// Of an answer's body, also when it was compressed; in bytes.
    package var bodyLimit: Int
    /// Of an answer's header, in bytes.
    package var headerLimit: Int
    /// What the program calls itself (RFC 9110 10.1.5).
    package var agent: String

    package init(
        agent: String, authorities: FilePath? = nil, allowsPlainHTTP: Bool = false,
        connectMilliseconds: Int = 5_000, totalMilliseconds: Int = 20_000,
        bodyLimit: Int = 1 << 20, headerLimit: Int = 64 << 10
    ) {
        self.agent = agent
        self.authorities = authorities
        self.allowsPlainHTTP = allowsPlainHTTP
        self.connectMilliseconds = connectMilliseconds
        self.totalMilliseconds = totalMilliseconds
        self.bodyLimit = bodyLimit
        self.headerLimit = headerLimit
    }
}
