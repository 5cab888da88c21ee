import Foundation
import HTTPTransport
import LinuxIO
import Publishing
import TestSupport
import Testing

/// Where the credentials of stores come from.
@Suite struct CredentialTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func credential(_ variables: [String: String]) throws -> S3Credential {
        try S3CredentialSources(
            owners: TrustedOwners.current(), variable: { variables[$0].map { Array($0.utf8) } }
        ).credential()
    }

    private func text(_ secret: WipedBytes?) -> String? {
        secret.map { String(decoding: $0.bytes(), as: UTF8.self) }
    }

    @Test func `The environment comes first, with its session token`() throws {
        let found = try credential([
            "AWS_ACCESS_KEY_ID": "AK", "AWS_SECRET_ACCESS_KEY": "sk/+",
            "AWS_SESSION_TOKEN": "tok==", "AWS_SHARED_CREDENTIALS_FILE": "/no/such",
        ])
        #expect(found.accessKey == "AK")
        #expect(text(found.secretKey) == "sk/+")
        #expect(text(found.sessionToken) == "tok==")
        #expect(!"\(found)".contains("sk/+"))
    }

    @Test func `Else a profile of the shared file`() throws {
        let file = try folder.write(
            "credentials",
            Array(
                """
                # comment
                [default]
                aws_access_key_id = A1
                aws_secret_access_key=s1
                [ other ]
                aws_access_key_id = A2
                aws_secret_access_key = s2
                aws_session_token = t2
                [half]
                aws_access_key_id = A3

                """.utf8))
        let base = ["AWS_SHARED_CREDENTIALS_FILE": file]
        #expect(try credential(base).accessKey == "A1")
        #expect(try credential(base).sessionToken == nil)
        let other = try credential(base.merging(["AWS_PROFILE": "other"]) { $1 })
        #expect(other.accessKey == "A2")
        #expect(text(other.sessionToken) == "t2")
        for name in ["half", "none"] {
            #expect(throws: CredentialError.noProfile(FilePath(file), name)) {
                try credential(base.merging(["AWS_PROFILE": name]) { $1 })
            }
        }
        try FileManager.default.createDirectory(
            atPath: folder.path(".aws"), withIntermediateDirectories: false)
        try FileManager.default.copyItem(atPath: file, toPath: folder.path(".aws/credentials"))
        #expect(try credential(["HOME": folder.path]).accessKey == "A1")
    }

    @Test func `Without any, or with one half, there are none`() throws {
        #expect(throws: CredentialError.missing) { try credential([:]) }
        #expect(throws: CredentialError.missing) { try credential(["HOME": folder.path]) }
        #expect(throws: CredentialError.halfInEnvironment) {
            try credential(["AWS_ACCESS_KEY_ID": "A"])
        }
        #expect(throws: CredentialError.malformed(nil)) {
            try credential(["AWS_ACCESS_KEY_ID": "A/B", "AWS_SECRET_ACCESS_KEY": "x"])
        }
        #expect(throws: CredentialError.malformed(nil)) {
            try credential(["AWS_ACCESS_KEY_ID": "A", "AWS_SECRET_ACCESS_KEY": "x\ny"])
        }
    }

    @Test func `A file that others may read is refused`() throws {
        let file = try folder.write("open", Array("[default]\n".utf8), permissions: 0o640)
        #expect(throws: CredentialError.self) {
            try credential(["AWS_SHARED_CREDENTIALS_FILE": file])
        }
        let token = try folder.write("token", Array("abc\n".utf8), permissions: 0o604)
        let source = TokenSource(owners: try TrustedOwners.current(), credentials: nil)
        #expect(throws: CredentialError.self) {
            try source.token(file: FilePath(token), credential: "store-token")
        }
    }

    @Test func `A token is one word, from a file or a credential`() throws {
        let owners = try TrustedOwners.current()
        let file = FilePath(try folder.write("token", Array("abc.DEF-1~+/=\r\n".utf8)))
        let source = TokenSource(owners: owners, credentials: nil)
        #expect(text(try source.token(file: file, credential: "x")) == "abc.DEF-1~+/=")
        #expect(try source.token(file: nil, credential: "x") == nil)
        let system = TokenSource(owners: owners, credentials: FilePath(folder.path))
        #expect(text(try system.token(file: nil, credential: "token")) == "abc.DEF-1~+/=")
        #expect(try system.token(file: nil, credential: "other") == nil)
        for empty in ["", "\n", "\r\n"] {
            let path = FilePath(try folder.write("empty", Array(empty.utf8)))
            #expect(throws: CredentialError.empty(path)) {
                try source.token(file: path, credential: "x")
            }
        }
        for bad in ["a b", "a\nb", "é", "a\u{0}b", "a\n\n"] {
            let path = FilePath(try folder.write("bad", Array(bad.utf8)))
            #expect(throws: CredentialError.malformed(path)) {
                try source.token(file: path, credential: "x")
            }
        }
    }
}
