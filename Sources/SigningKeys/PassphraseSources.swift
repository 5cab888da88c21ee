package import GronaFormats
package import LinuxIO
package import SecretMemory

/// Where the passphrase of a key comes from: the first source that is there.
///
/// 1. the file of `--passphrase-file`, 2. the file that `GRONA_PASSPHRASE_FILE` names, 3. a systemd
/// credential: `<kid>.passphrase`, else `passphrase`, 4. the terminal of the process. Never an
/// argument and never a variable itself: others can read both. A source that is there and cannot be
/// used is an error; the next one is not tried.
package struct PassphraseSources: Sendable {
    /// In bytes.
    package static let limit = 1024

    package let optionFile: FilePath?
    package let environmentFile: FilePath?
    package let credentials: FilePath?
    package let owners: TrustedOwners
    /// What the terminal shows for a key; `nil` where nobody is to be asked (`--no-input`).
    package let prompt: (@Sendable (KeyID) -> String)?

    package init(
        optionFile: FilePath?,
        environmentFile: FilePath? = Environment.path("GRONA_PASSPHRASE_FILE"),
        credentials: FilePath? = Environment.path("CREDENTIALS_DIRECTORY"),
        owners: TrustedOwners, prompt: (@Sendable (KeyID) -> String)?
    ) {
        self.optionFile = optionFile
        self.environmentFile = environmentFile
        self.credentials = credentials
        self.owners = owners
        self.prompt = prompt
    }

    /// The passphrase as bytes, one LF or CRLF at its end dropped; `nil` where no source is there.
    package func passphrase(for kid: KeyID) throws(SigningKeyError) -> SecretBytes? {
        var secret = try storedPassphrase(for: kid)
        if secret == nil { secret = try ask(for: kid) }
        #if DEBUG
            StopPoint.secretRead.reached()
        #endif
        return secret
    }

    /// The passphrase out of a file or a credential, for when nobody is to be asked.
    package func storedPassphrase(for kid: KeyID) throws(SigningKeyError) -> SecretBytes? {
        if let file = optionFile ?? environmentFile { return try read(file) }
        guard let credentials else { return nil }
        for name in ["\(kid.text).passphrase", "passphrase"] {
            do {
                return try read(credentials.appending(FilePath(name)))
            } catch .secretFile(.system(let error), _) where error.number == .notFound {
                continue
            }
        }
        return nil
    }

    private func read(_ path: FilePath) throws(SigningKeyError) -> SecretBytes {
        var text = try SecretFile.contents(
            of: path, limit: Self.limit, holding: .passphrase, trusting: owners,
            credentials: credentials)
        text.dropLineEnd()
        return text
    }

    private func ask(for kid: KeyID) throws(SigningKeyError) -> SecretBytes? {
        guard let prompt else { return nil }
        return try Terminal.secret(prompt(kid), limit: Self.limit, kind: .passphrase)
    }
}
