import SigningKeys
import Testing

@Suite struct SignerURITests {
    @Test(
        "each scheme is read and written",
        arguments: [
            ("file:acme-market-2026-10.pem", SignerURI.file(path: "acme-market-2026-10.pem")),
            ("file:next/a b.pem", .file(path: "next/a b.pem")),
            ("file:a:b", .file(path: "a:b")),
            ("file:%2e%2e", .file(path: "%2e%2e")),
            ("credential:acme.pem", .credential(name: "acme.pem")),
            ("exec:/usr/libexec/grona-kms", .exec("/usr/libexec/grona-kms")),
        ])
    func read(text: String, uri: SignerURI) throws {
        #expect(try SignerURI(text) == uri)
        #expect(uri.text == text)
    }

    @Test(
        "what leads out of the keyring's folder, or nowhere, is refused",
        arguments: [
            ("", SignerURIError.noScheme), ("key.pem", .noScheme), ("/etc/key.pem", .noScheme),
            (":key.pem", .unknownScheme("")), ("File:key.pem", .unknownScheme("File")),
            ("http://host/key", .unknownScheme("http")), ("file :k", .unknownScheme("file ")),
            ("file:", .empty(.file)), ("credential:", .empty(.credential)),
            ("pkcs11:", .empty(.pkcs11)), ("exec:", .empty(.exec)),
            ("file:/etc/key.pem", .absolutePath), ("file://host/key.pem", .absolutePath),
            ("file:../key.pem", .dotPathComponent), ("file:a/../../key.pem", .dotPathComponent),
            ("file:a/..", .dotPathComponent), ("file:..", .dotPathComponent),
            ("file:./key.pem", .dotPathComponent), ("file:.gitignore", .hiddenPathComponent),
            ("file:a/.key.pem", .hiddenPathComponent), ("file:...", .hiddenPathComponent),
            ("file:a\u{FFFE}", .noncharacter), ("credential:\u{1FFFF}", .noncharacter),
            ("file:.", .dotPathComponent),
            ("file:a//key.pem", .emptyPathComponent), ("file:a/", .emptyPathComponent),
            ("credential:a/b", .badCredentialName), ("credential:..", .badCredentialName),
            ("credential:/a", .badCredentialName),
            ("file:a\u{0}b", .controlCharacter), ("file:a\nb", .controlCharacter),
            ("exec:/bin/x\u{7F}", .controlCharacter), ("exec:grona-kms", .relativeProgram),
            ("exec:./kms", .relativeProgram), ("exec:~/kms", .relativeProgram),
        ])
    func refused(text: String, error: SignerURIError) {
        #expect(throws: error) { _ = try SignerURI(text) }
    }
}
