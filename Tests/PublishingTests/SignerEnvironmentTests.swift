import GronaFormats
import LinuxIO
import Publishing
import TestSupport
import Testing

@Suite struct SignerEnvironmentTests {
    @Test(arguments: [
        "AWS_SECRET_ACCESS_KEY=x", "AWS_PROFILE=x", "aws_session_token=x", "GRONA_TOKEN_FILE=/t",
        "GRONA_LEDGER_TOKEN_FILE=/t", "GRONA_CA=/c", "GRONA_STORE=s3://b", "GRONA_LEDGER=s3://b",
        "CREDENTIALS_DIRECTORY=/run/credentials/x", "SSL_CERT_FILE=/c", "https_proxy=http://u:p@h",
        "HTTP_PROXY=x", "NETRC=x", "GRONA_HTTP_TIMEOUT=1s",
    ])
    func `What is the network's stays with the publisher`(_ entry: String) {
        let all = ["PATH=/bin", entry, "HOME=/root"].map { Array($0.utf8) }
        #expect(
            SignerEnvironment.entries(of: all)
                == ["PATH=/bin", "HOME=/root"].map { Array($0.utf8) })
    }

    @Test(arguments: [
        "PATH=/bin", "HOME=/root", "LANG=C.UTF-8", "LC_ALL=C", "TZ=UTC", "XDG_STATE_HOME=/s",
        "SSH_AUTH_SOCK=/a", "GRONA_KEYS=/k", "GRONA_STATE=/s", "GRONA_CAMPAIGNS=/c",
        "GRONA_REHEARSAL=1", "GRONA_PASSPHRASE_FILE=/p", "GRONA_TRUST_UID=7",
        "SOFTHSM2_CONF=/s", "PKCS11_PROVIDER_DEBUG=1", "P11_KIT_SERVER_ADDRESS=unix:x",
        "TPM2_PKCS11_STORE=/t", "STATE_DIRECTORY=/s", "AWSOME=1", "EMPTY=", "NOSIGN",
    ])
    func `What the signer needs reaches it`(_ entry: String) {
        #expect(SignerEnvironment.entries(of: [Array(entry.utf8)]) == [Array(entry.utf8)])
    }
}
