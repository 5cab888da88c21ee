package import CommandLineKit
package import GronaFormats
package import LinuxIO

/// How stores that are reached over a network are spoken to.
package enum StoreOptions {
    package static let tokenFile = Option(
        "token-file", ValueReader<FilePath>.file(), environment: ["GRONA_TOKEN_FILE"],
        builtIn: "the credential store-token of systemd",
        help: "the file with the bearer token of an https store")
    package static let ledgerTokenFile = Option(
        "ledger-token-file", ValueReader<FilePath>.file(),
        environment: ["GRONA_LEDGER_TOKEN_FILE"],
        builtIn: "the credential ledger-token of systemd",
        help: "the file with the bearer token of an https ledger")
    package static let authorities = Option(
        "ca", ValueReader<FilePath>.file(), environment: ["GRONA_CA"],
        builtIn: "those of the system",
        help: "the certificates (PEM) by which servers are believed, instead of the system's")
    package static let allowHTTP = Flag(
        "allow-http", help: "let a store on this host (loopback) be reached without TLS")
    package static let claimsURL = Option(
        "claims-url", ValueReader<String>.text("URL"), environment: ["GRONA_CLAIMS_URL"],
        help: "where an https store keeps claims, with {workspace} and {version}")
    package static let bundlesURL = Option(
        "bundles-url", ValueReader<String>.text("URL"), environment: ["GRONA_BUNDLES_URL"],
        help: "where an https store keeps bundles, with {workspace} and {bundle}")
    package static let maxAge = Option(
        "max-age", ValueReader<Int64>.decimal("SECONDS", in: 0...300), builtIn: "60",
        help: "how long caches may keep what is published: so long one can hide a kill")
    package static let httpTimeout = Option(
        "http-timeout", ValueReader<DurationSeconds>.duration(),
        environment: ["GRONA_HTTP_TIMEOUT"], builtIn: "20s",
        help: "how long to wait for the answer to one request")

    /// For every command that opens a store.
    package static let all: [any OptionDeclaration] = [
        tokenFile, ledgerTokenFile, authorities, allowHTTP, claimsURL, bundlesURL, httpTimeout,
    ]
    /// For those that write to one.
    package static let writing: [any OptionDeclaration] = all + [maxAge]
}

/// The same as settings. What decides whom to believe, or what is shown to whom, is never taken
/// from a file that came with a checkout.
package enum StoreSettings {
    package static let tokenFile = Setting(
        StoreOptions.tokenFile, kind: .path, isTakenFromFile: false)
    package static let ledgerTokenFile = Setting(
        StoreOptions.ledgerTokenFile, kind: .path, isTakenFromFile: false)
    package static let authorities = Setting(
        StoreOptions.authorities, kind: .path, isTakenFromFile: false)
    package static let allowHTTP = Setting(
        StoreOptions.allowHTTP, environment: ["GRONA_ALLOW_HTTP"], isTakenFromFile: false)
    package static let claimsURL = Setting(
        StoreOptions.claimsURL, kind: .text, isTakenFromFile: true)
    package static let bundlesURL = Setting(
        StoreOptions.bundlesURL, kind: .text, isTakenFromFile: true)
    package static let maxAge = Setting(
        StoreOptions.maxAge, kind: .text, isTakenFromFile: true,
        builtIn: { _ in SettingValue("60", .builtIn(nil)) })
    package static let httpTimeout = Setting(
        StoreOptions.httpTimeout, kind: .text, isTakenFromFile: true,
        builtIn: { _ in SettingValue("20s", .builtIn(nil)) })

    package static let all = [
        tokenFile, ledgerTokenFile, authorities, allowHTTP, claimsURL, bundlesURL, maxAge,
        httpTimeout,
    ]
}
