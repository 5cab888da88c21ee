/// What a signer that this program starts is told by its environment: everything but what is the
/// network's.
///
/// The keys, tokens and addresses of stores are the publisher's alone, and so is the folder of
/// credentials that systemd gave this program (systemd.exec(5), `LoadCredential=`): a signer that is
/// to have credentials is named by file, or runs in a unit of its own (`--signer unix:DIR`).
package enum SignerEnvironment {
    private static let names: Set<String> = [
        "ALL_PROXY", "CREDENTIALS_DIRECTORY", "CURL_CA_BUNDLE", "CURL_HOME", "FTP_PROXY",
        "GRONA_ALLOW_HTTP", "GRONA_BUNDLES_URL", "GRONA_CA", "GRONA_CLAIMS_URL",
        "GRONA_HTTP_TIMEOUT", "GRONA_LEDGER", "GRONA_LEDGER_TOKEN_FILE", "GRONA_SIGNER",
        "GRONA_STORE", "GRONA_TOKEN_FILE", "HTTPS_PROXY", "HTTP_PROXY", "NETRC", "NO_PROXY",
        "SSL_CERT_DIR", "SSL_CERT_FILE",
    ]

    /// The entries that a signer gets, of those of this process.
    package static func entries(of all: [[UInt8]]) -> [[UInt8]] {
        all.filter { entry in
            let name = String(decoding: entry.prefix { $0 != 0x3D }, as: UTF8.self).uppercased()
            return !name.utf8.starts(with: "AWS_".utf8) && !names.contains(name)
        }
    }
}
