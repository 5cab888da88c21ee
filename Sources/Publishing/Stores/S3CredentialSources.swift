package import HTTPTransport
package import LinuxIO

/// Why there are no credentials for a store.
package enum CredentialError: Error, Sendable, Equatable {
    /// No source has any.
    case missing
    /// The variables that hold one half of a pair, without the other.
    case halfInEnvironment
    case file(SecretFileError)
    /// The shared credentials file has no such profile, or half of one.
    case noProfile(FilePath, String)
    /// A credential that cannot be sent, in a file or in the environment.
    case malformed(FilePath?)
    /// A file for a token, with nothing in it.
    case empty(FilePath)
}

/// Where the keys of an object store come from, as in AWS's own programs.
///
/// 1. `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and, where it is set, `AWS_SESSION_TOKEN`;
/// 2. the profile `AWS_PROFILE` (else `default`) of the file `AWS_SHARED_CREDENTIALS_FILE`, else of
/// `~/.aws/credentials`. The file is checked as one that holds a secret.
package struct S3CredentialSources: Sendable {
    private static let limit = 65_536

    private let variable: @Sendable (String) -> [UInt8]?
    private let owners: TrustedOwners

    package init(
        owners: TrustedOwners,
        variable: @escaping @Sendable (String) -> [UInt8]? = { Environment.bytes($0) }
    ) {
        self.owners = owners
        self.variable = variable
    }

    package func credential() throws(CredentialError) -> S3Credential {
        let key = value("AWS_ACCESS_KEY_ID")
        let secret = value("AWS_SECRET_ACCESS_KEY")
        if let key, let secret {
            return try Self.checked(key, secret, value("AWS_SESSION_TOKEN"), nil)
        }
        guard key == nil, secret == nil else { throw .halfInEnvironment }
        let profile = value("AWS_PROFILE").map { String(decoding: $0, as: UTF8.self) } ?? "default"
        if let path = value("AWS_SHARED_CREDENTIALS_FILE") {
            return try read(FilePath(bytes: path), profile)
        }
        guard let home = value("HOME") else { throw .missing }
        let path = FilePath(bytes: home).appending(".aws/credentials")
        do {
            return try read(path, profile)
        } catch .file(.system(let error)) where error.number == .notFound {
            throw .missing
        }
    }

    private func value(_ name: String) -> [UInt8]? {
        variable(name).flatMap { $0.isEmpty ? nil : $0 }
    }

    private func read(
        _ path: FilePath, _ profile: String
    ) throws(CredentialError) -> S3Credential {
        let text: WipedBytes
        do throws(SecretFileError) {
            text = try SecretFile(at: path, trusting: owners).contents(limit: Self.limit)
        } catch {
            throw .file(error)
        }
        var bytes = text.bytes()
        defer { for index in bytes.indices { bytes[index] = 0 } }
        let values = Self.profile(profile, in: bytes)
        guard let key = values["aws_access_key_id"], let secret = values["aws_secret_access_key"]
        else { throw .noProfile(path, profile) }
        return try Self.checked(key, secret, values["aws_session_token"], path)
    }

    /// The values of a section `[profile]`; lines are `name = value`, comments begin with `#` or
    /// `;`.
    static func profile(_ profile: String, in bytes: [UInt8]) -> [String: [UInt8]] {
        var values: [String: [UInt8]] = [:]
        var isHere = false
        for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let line = trimmed(line)
            guard let first = line.first, first != 0x23, first != 0x3B else { continue }
            if first == 0x5B {
                isHere =
                    line.last == 0x5D
                    && trimmed(line.dropFirst().dropLast()).elementsEqual(profile.utf8)
            } else if isHere, let sign = line.firstIndex(of: 0x3D) {
                let name = String(decoding: trimmed(line[..<sign]), as: UTF8.self)
                let value = trimmed(line[(sign + 1)...])
                if !value.isEmpty { values[name] = Array(value) }
            }
        }
        return values
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes
        while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        return bytes
    }

    private static func checked(
        _ key: [UInt8], _ secret: [UInt8], _ token: [UInt8]?, _ path: FilePath?
    ) throws(CredentialError) -> S3Credential {
        for value in [key, secret, token].compactMap(\.self) {
            guard value.count <= 4_096, value.allSatisfy({ (0x21...0x7E).contains($0) }) else {
                throw .malformed(path)
            }
        }
        // It stands between a slash and a comma in the header.
        guard !key.contains(where: { $0 == 0x2F || $0 == 0x2C }) else { throw .malformed(path) }
        return S3Credential(
            accessKey: String(decoding: key, as: UTF8.self),
            secretKey: WipedBytes(copying: secret.span),
            sessionToken: token.map { WipedBytes(copying: $0.span) })
    }
}

/// A bearer token in a file or in a credential of systemd.
package struct TokenSource: Sendable {
    private static let limit = 8_192

    private let owners: TrustedOwners
    private let credentials: FilePath?

    package init(
        owners: TrustedOwners,
        credentials: FilePath? = Environment.path("CREDENTIALS_DIRECTORY")
    ) {
        self.owners = owners
        self.credentials = credentials
    }

    /// The token of a file that was named, else of the credential of that name; nil where neither
    /// is there.
    package func token(
        file: FilePath?, credential name: String
    ) throws(CredentialError) -> WipedBytes? {
        let path: FilePath
        if let file {
            path = file
        } else if let credentials {
            path = credentials.appending(name)
        } else {
            return nil
        }
        let token: WipedBytes
        do throws(SecretFileError) {
            token = try SecretFile(at: path, trusting: owners, credentials: credentials)
                .contents(limit: Self.limit)
        } catch {
            if file == nil, case .system(let error) = error, error.number == .notFound {
                return nil
            }
            throw .file(error)
        }
        // RFC 6750 2.1, b64token.
        let others = Array("-._~+/=".utf8)
        guard token.count > 0 else { throw .empty(path) }
        guard
            token.allSatisfy({
                (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0)
                    || others.contains($0)
            })
        else { throw .malformed(path) }
        return token
    }
}
