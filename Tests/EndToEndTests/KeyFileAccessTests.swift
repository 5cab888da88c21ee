import LinuxIO
import TestSupport
import Testing

/// Key files as another user meets them; made by root, so these tests need it.
@Suite(
    "key files and users",
    .enabled(if: Program.isRoot, "runs grona-sign as another user, which needs root"))
struct KeyFileAccessTests {
    private let folder: TestFolder
    private let program: String
    private let key = "keys/acme-market/acme-market-2026-10.pem"

    init() throws {
        folder = try TestFolder()
        // The folder of the build may be closed to others.
        let bytes = try readFile(Program.folder.appending("grona-sign"), limit: 1 << 30)
        program = try folder.write("grona-sign", bytes, permissions: 0o755).description
        try Tool.output(
            [
                program, "keys", "generate", "--workspace", "acme-market", "--use", "config",
                "--kid", "acme-market-2026-10", "--signer", "file:acme-market-2026-10.pem",
                "--keys", folder.file("keys").description, "--state",
                folder.file("state").description,
            ])
        // Everything but the key is the other user's to read and to write.
        try give(["keys", "state"])
    }

    private func give(_ names: [String], to owner: UInt32 = Program.nobody) throws {
        try Tool.output(
            ["chown", "-R", "\(owner):\(owner)"] + names.map { folder.file($0).description })
    }

    private func setKey(owner: UInt32, mode: String) throws {
        try Tool.output(["chown", "\(owner)", folder.file(key).description])
        try Tool.output(["chmod", mode, folder.file(key).description])
    }

    private func check(asUser user: UInt32? = Program.nobody) throws -> Program.Answer {
        try Program.run(
            [
                program, "keys", "check", "--workspace", "acme-market", "--keys",
                folder.file("keys").description, "--state", folder.file("state").description,
            ],
            environment: ["PATH": "/usr/bin:/bin"], asUser: user)
    }

    @Test("the user's own key with mode 0600 or 0400 is taken", arguments: ["600", "400"])
    func own(mode: String) throws {
        try setKey(owner: Program.nobody, mode: mode)
        let answer = try check()
        #expect(answer.isSuccess, "\(answer.errors)")
    }

    @Test("a key of root's is not readable, which is 77 and no fault")
    func unreadable() throws {
        try setKey(owner: 0, mode: "600")
        let answer = try check()
        #expect(answer.exit == .exited(77))
        #expect(answer.errors.contains("error[input.unreadable]"))
        #expect(answer.errors.contains(key))
    }

    @Test(
        "a key that others may read, write or run is refused, whoever has it",
        arguments: ["640", "604", "620", "602", "610", "601", "666"])
    func openToOthers(mode: String) throws {
        for owner in [Program.nobody, 0] {
            try setKey(owner: owner, mode: mode)
            let answer = try check()
            // What root owns may not even be readable.
            #expect(answer.exit == .exited(77), "\(owner)")
            #expect(answer.output.isEmpty || !answer.output.contains("PRIVATE"))
        }
        try setKey(owner: Program.nobody, mode: mode)
        let answer = try check()
        #expect(answer.errors.contains("error[key.unsafe-file]"))
        #expect(answer.errors.contains("chmod 600"))
    }

    @Test("a key of a third user is refused even where root could read it")
    func foreignOwner() throws {
        try give(["keys", "state"], to: 0)
        try setKey(owner: 1234, mode: "600")
        let answer = try check(asUser: nil)
        #expect(answer.exit == .exited(77))
        #expect(answer.errors.contains("error[key.unsafe-file]"))
        #expect(answer.errors.contains("GRONA_TRUST_UID"))
        try setKey(owner: 0, mode: "600")
        let twin = try check(asUser: nil)
        #expect(twin.isSuccess, "\(twin.errors)")
    }
}
