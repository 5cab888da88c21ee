import LinuxIO

/// Tests of tokens that are slow or need what not every machine has.
package enum TokenTests {
    /// Asked for by `scripts/test --tokens`.
    package static let areAsked = Environment.value("GRONA_TEST_TOKENS") != nil

    /// Why tests over the remote token are left out; `nil` where they run.
    package static var remoteMissing: String? {
        areAsked ? P11KitServer.missing : "runs under scripts/test --tokens"
    }

    /// Why tests over the TPM simulator are left out; `nil` where they run.
    package static var tpmMissing: String? {
        areAsked ? SoftwareTPM.missing : "runs under scripts/test --tokens"
    }
}
