/// Where a private key is, as a keyring's `signer` member says it.
package enum SignerURI: Hashable, Sendable {
    /// A file below the keyring's folder: one or more names joined by `/`.
    case file(path: String)
    /// A file in `$CREDENTIALS_DIRECTORY`.
    case credential(name: String)
    /// A key of a token (RFC 7512).
    case pkcs11(PKCS11URI)
    /// The absolute path of a program, which gets no arguments.
    case exec(String)

    package var scheme: SignerScheme {
        switch self {
        case .file: .file
        case .credential: .credential
        case .pkcs11: .pkcs11
        case .exec: .exec
        }
    }

    package var text: String {
        switch self {
        case .file(let rest), .credential(let rest), .exec(let rest):
            "\(scheme.rawValue):\(rest)"
        case .pkcs11(let uri): "\(scheme.rawValue):\(uri.text)"
        }
    }

    /// What may be shown to people and in JSON: nothing that speaks of a PIN.
    package var shown: String { Self.shown(text) }

    /// The same for the signer of a keyring that need not be a URI.
    package static func shown(_ text: String) -> String {
        let bytes = Array(text.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return text }
        // However it is spelled: what follows may have been meant for a token.
        let scheme = bytes[..<colon].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
        let wanted = Array("pkcs11".utf8)
        guard scheme.indices.contains(where: { scheme[$0...].starts(with: wanted) })
        else { return text }
        return String(decoding: bytes[...colon], as: UTF8.self)
            + PKCS11URIParts.redacted(String(decoding: bytes[(colon + 1)...], as: UTF8.self))
    }

    package init(_ text: String) throws(SignerURIError) {
        let bytes = Array(text.utf8)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { throw .noScheme }
        let name = String(decoding: bytes[..<colon], as: UTF8.self)
        let rest = bytes[(colon + 1)...]
        guard
            let scheme = SignerScheme.allCases.first(where: {
                $0.rawValue.utf8.elementsEqual(name.utf8)
            })
        else { throw .unknownScheme(name) }
        guard !rest.isEmpty else { throw .empty(scheme) }
        // Control characters would forge lines in logs and NUL ends a path for the kernel.
        guard rest.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw .controlCharacter }
        let remainder = String(decoding: rest, as: UTF8.self)
        // A keyring is an I-JSON text, which has none (RFC 7493 2.1).
        guard !remainder.unicodeScalars.contains(where: \.properties.isNoncharacterCodePoint)
        else { throw .noncharacter }
        switch scheme {
        case .file:
            try Self.checkPath(rest)
            self = .file(path: remainder)
        case .credential:
            guard !rest.contains(UInt8(ascii: "/")), !Self.isDots(rest)
            else { throw .badCredentialName }
            self = .credential(name: remainder)
        case .pkcs11:
            do throws(PKCS11URIError) {
                self = .pkcs11(try PKCS11URI(remainder))
            } catch {
                throw .pkcs11(error)
            }
        case .exec:
            guard rest.first == UInt8(ascii: "/") else { throw .relativeProgram }
            self = .exec(remainder)
        }
    }

    /// A key file stays below its keyring's folder, whoever wrote the keyring.
    private static func checkPath(_ path: ArraySlice<UInt8>) throws(SignerURIError) {
        guard path.first != UInt8(ascii: "/") else { throw .absolutePath }
        let names = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for name in names {
            guard !name.isEmpty else { throw .emptyPathComponent }
            guard !isDots(name) else { throw .dotPathComponent }
            guard name.first != UInt8(ascii: ".") else { throw .hiddenPathComponent }
        }
    }

    private static func isDots(_ name: ArraySlice<UInt8>) -> Bool {
        name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8)
    }
}

/// Why a text is no signer URI.
package enum SignerURIError: Error, Hashable, Sendable {
    case noScheme
    case unknownScheme(String)
    case empty(SignerScheme)
    case controlCharacter
    case noncharacter
    /// A `file:` path that starts with `/`.
    case absolutePath
    /// Two slashes in a row, or one at the end.
    case emptyPathComponent
    /// A component `.` or `..`.
    case dotPathComponent
    /// A component that begins with a dot, such as `.gitignore`: such files are tools' own.
    case hiddenPathComponent
    /// An `exec:` program that does not start with `/`.
    case relativeProgram
    /// A credential's name with a slash, `.` or `..`.
    case badCredentialName
    case pkcs11(PKCS11URIError)
}
