import LinuxIO
import SecretMemory
import SigningKeys
import TestSupport
import Testing

@Suite("Where PINs come from")
struct PINSourcesTests {
    private let folder: TestFolder
    private let token = TokenName(label: "t", manufacturer: "m", model: "m", serial: "1")

    init() throws {
        folder = try TestFolder()
    }

    private func sources(credentials: FilePath? = nil) throws -> PINSources {
        PINSources(credentials: credentials, owners: try TrustedOwners.current(), prompt: nil)
    }

    private func pin(_ contents: String, mode: UInt32 = 0o600) throws -> String? {
        let path = try folder.write("pin", contents, permissions: mode)
        guard let pin = try sources().pin(.file(path), of: token) else { return nil }
        return pin.bytes.withSpan { span in
            String(decoding: span.indices.map { span[$0] }, as: UTF8.self)
        }
    }

    private func identity(_ source: PINSource) throws -> PINIdentity? {
        guard let pin = try sources(credentials: folder.file(".")).pin(source, of: token)
        else { return nil }
        return pin.identity
    }

    @Test(
        "One line end is dropped and no more",
        arguments: [
            ("1234", "1234"), ("1234\n", "1234"), ("1234\r\n", "1234"), ("1234\n\n", "1234\n"),
            ("1234\r", "1234\r"), (" 12 34 ", " 12 34 "), ("user:pass\n", "user:pass"),
        ])
    func lineEnds(contents: String, text: String) throws {
        #expect(try pin(contents) == text)
    }

    @Test(
        "What can be no PIN",
        arguments: [
            ("", PINFault.empty), ("\n", .empty), ("\r\n", .empty), ("12\u{0}34", .zeroByte),
        ])
    func none(contents: String, fault: PINFault) throws {
        #expect(throws: SigningKeyError.badPIN(fault)) { _ = try pin(contents) }
    }

    @Test("At most 256 bytes")
    func limit() throws {
        let most = String(repeating: "1", count: PINSources.limit)
        #expect(try pin(most) == most)
        let path = folder.file("pin")
        #expect(
            throws: SigningKeyError.secretFile(.tooLarge(path, limit: 256), holding: .pin)
        ) { _ = try pin(most + "1") }
    }

    @Test("A file that others can read, a link and a folder are refused")
    func files() throws {
        #expect(throws: SigningKeyError.self) { _ = try pin("1234", mode: 0o640) }
        #expect(throws: SigningKeyError.self) { _ = try pin("1234", mode: 0o604) }
        #expect(try pin("1234", mode: 0o400) == "1234")
        #expect(throws: SigningKeyError.self) {
            _ = try sources().pin(.file("/etc"), of: token)
        }
        #expect(throws: SigningKeyError.self) {
            _ = try sources().pin(.file(folder.file("absent")), of: token)
        }
    }

    @Test("A credential is looked for in its folder")
    func credentials() throws {
        try folder.write("c", "77\n", permissions: 0o440)
        guard
            let pin = try sources(credentials: folder.file(".")).pin(.credential("c"), of: token)
        else {
            Issue.record("there is one")
            return
        }
        let count = pin.bytes.count
        #expect(count == 2)
        #expect(throws: SigningKeyError.unreachable(.noCredentialsFolderForPIN)) {
            _ = try sources().pin(.credential("c"), of: token)
        }
    }

    @Test("Without a source and without somebody to ask there is none")
    func nobody() throws {
        let isNone = try sources().pin(nil, of: token) == nil
        #expect(isNone)
    }

    @Test("A file's identity changes with its contents and its facts, a credential's with its size")
    func identity() throws {
        let path = try folder.write("pin", "1234", permissions: 0o600)
        let first = try identity(.file(path))
        #expect(try identity(.file(path)) == first)
        SystemClock.sleep(nanoseconds: 20_000_000)
        try folder.write("pin", "4321", permissions: 0o600)
        #expect(try identity(.file(path)) != first)
        let third = try identity(.credential("pin"))
        SystemClock.sleep(nanoseconds: 20_000_000)
        try folder.write("pin", "5678", permissions: 0o600)
        #expect(try identity(.credential("pin")) == third)
        // The folder of a credential is another one for each instance of a unit.
        let elsewhere = try TestFolder()
        try elsewhere.write("pin", "1234", permissions: 0o440)
        let there = try sources(credentials: elsewhere.file(".")).pin(.credential("pin"), of: token)
        guard let there else {
            Issue.record("there is one")
            return
        }
        let identity = there.identity
        #expect(identity == third)
        try folder.write("pin", "56789", permissions: 0o600)
        #expect(try self.identity(.credential("pin")) != third)
    }
}
