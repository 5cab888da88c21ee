package import LinuxIO
package import SecretMemory

/// Where the PIN of a token comes from: the file or credential that its URI names, else the
/// terminal of the process. Never an argument, a variable or the URI itself: others can read those.
///
/// A PIN file is checked as a key file is: `SecretFile`.
package struct PINSources: Sendable {
    /// In bytes; PINs are short, and some services put a user's name before them.
    package static let limit = 256

    package let credentials: FilePath?
    package let owners: TrustedOwners
    /// What the terminal shows for a token; `nil` where nobody is to be asked (`--no-input`).
    package let prompt: (@Sendable (TokenName) -> String)?

    package init(
        credentials: FilePath? = Environment.path("CREDENTIALS_DIRECTORY"),
        owners: TrustedOwners, prompt: (@Sendable (TokenName) -> String)?
    ) {
        self.credentials = credentials
        self.owners = owners
        self.prompt = prompt
    }

    /// The PIN as bytes, one LF or CRLF at its end dropped; `nil` where there is no source.
    package func pin(
        _ source: PINSource?, of token: TokenName
    ) throws(SigningKeyError) -> PIN? {
        guard let source else {
            guard let prompt,
                let typed = try Terminal.secret(prompt(token), limit: Self.limit, kind: .pin)
            else { return nil }
            return try PIN(typed, identity: nil)
        }
        let path = try path(of: source)
        var read = try SecretFile.checked(
            path, limit: Self.limit, holding: .pin, trusting: owners, credentials: credentials)
        read.bytes.dropLineEnd()
        let identity =
            switch source {
            case .file: PINIdentity(path: path, status: read.status)
            case .credential(let name): PINIdentity(credential: name, size: read.status.size)
            }
        return try PIN(read.bytes, identity: identity)
    }

    private func path(of source: PINSource) throws(SigningKeyError) -> FilePath {
        switch source {
        case .file(let path): return path
        case .credential(let name):
            guard let credentials else { throw .unreachable(.noCredentialsFolderForPIN) }
            return credentials.appending(FilePath(name))
        }
    }
}

/// A PIN in guarded memory, with what is known of where it came from.
package struct PIN: ~Copyable, Sendable {
    package let bytes: SecretBytes
    /// `nil` for one that a person has typed.
    package let identity: PINIdentity?

    /// - Throws: `badPIN` for an empty one and one with a zero byte.
    package init(
        _ bytes: consuming SecretBytes, identity: PINIdentity?
    ) throws(SigningKeyError) {
        guard !bytes.isEmpty else { throw .badPIN(.empty) }
        let hasZero = bytes.withSpan { span in span.indices.contains { span[$0] == 0 } }
        guard !hasZero else { throw .badPIN(.zeroByte) }
        self.bytes = bytes
        self.identity = identity
        #if DEBUG
            StopPoint.secretRead.reached()
        #endif
    }
}

/// By what a changed PIN file is told from the one whose PIN was refused; never the PIN.
package struct PINIdentity: Hashable, Sendable {
    package let source: PINSource
    package let device: UInt64
    package let inode: UInt64
    package let size: Int
    package let modified: FileTime
    package let changed: FileTime

    /// A credential is a new file, in a folder that may be new, too, at each start of its service, so
    /// that only its name and size tell one from another.
    package init(credential name: String, size: Int) {
        source = .credential(name)
        self.size = size
        (device, inode) = (0, 0)
        modified = FileTime(seconds: 0)
        changed = modified
    }

    package init(path: FilePath, status: FileStatus) {
        source = .file(path)
        device = status.device
        inode = status.inode
        size = status.size
        modified = status.modified
        changed = status.changed
    }
}
