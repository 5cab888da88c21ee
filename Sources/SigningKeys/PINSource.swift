package import LinuxIO

/// Where the PIN of a token is, as `pin-source` says it.
package enum PINSource: Hashable, Sendable {
    /// Absolute.
    case file(FilePath)
    /// A file in `$CREDENTIALS_DIRECTORY`.
    case credential(String)

    /// - Parameter value: `file:/path`, `file:///path` or `credential:NAME`. A program (`|name`), a
    ///   relative path and any other scheme are refused.
    init(_ value: [UInt8]) throws(PKCS11URIError) {
        let (file, credential) = (Array("file:".utf8), Array("credential:".utf8))
        if value.starts(with: file) {
            var path = value[file.count...]
            if path.starts(with: "//".utf8) { path = path.dropFirst(2) }
            guard path.first == UInt8(ascii: "/"), path.count > 1,
                !path.dropFirst().starts(with: "/".utf8)
            else { throw .pinSource }
            self = .file(FilePath(bytes: path))
        } else if value.starts(with: credential) {
            let name = FilePath(bytes: value[credential.count...])
            guard name.isName, let text = String(validating: name.bytes, as: UTF8.self)
            else { throw .pinSource }
            self = .credential(text)
        } else {
            throw .pinSource
        }
    }
}
