import LinuxIO
import TestSupport
import Testing

@Suite struct SecretFileTests {
    let test: TestFolder
    let owners: TrustedOwners

    init() throws {
        test = try TestFolder()
        owners = try TrustedOwners(user: UserIdentity.current().userID, list: [UInt8]("4711".utf8))
    }

    private func read(
        _ path: FilePath, credentials: FilePath? = nil, room: Int = 100
    ) throws -> [UInt8] {
        let file = try SecretFile(at: path, trusting: owners, credentials: credentials)
        var bytes = [UInt8](repeating: 0, count: room)
        var span = bytes.mutableSpan
        let count = try file.read(into: &span)
        return [UInt8](bytes[..<count])
    }

    @Test(
        "Only the owner may have access",
        arguments: [
            (0o600, true), (0o400, true), (0o700, true), (0o640, false), (0o604, false),
            (0o620, false), (0o602, false), (0o610, false), (0o601, false), (0o644, false),
        ] as [(UInt32, Bool)])
    func permissions(permissions: UInt32, accepted: Bool) throws {
        let path = try test.write("key", "secret", permissions: permissions)
        if accepted {
            #expect(try read(path) == [UInt8]("secret".utf8))
        } else {
            let status = try FileSystem.status(of: path)
            #expect(throws: SecretFileError.openToOthers(path, status)) { try read(path) }
        }
    }

    @Test(.enabled(if: Program.isRoot, "giving files to other users needs root"))
    func `The owner is a trusted one`() throws {
        let path = try test.write("key", "secret", permissions: 0o600)
        #expect(try read(path).count == 6)
        try test.own("key", by: 4711)
        #expect(try read(path).count == 6)
        try test.own("key", by: 4712)
        let status = try FileSystem.status(of: path)
        #expect(status.owner == 4712)
        #expect(throws: SecretFileError.foreignOwner(path, status)) { try read(path) }
    }

    @Test func `A link is refused, however good its target is`() throws {
        try test.write("key", "secret", permissions: 0o600)
        let link = try test.link("link", to: "key")
        #expect(throws: SecretFileError.isLink(link)) { try read(link) }
    }

    @Test func `A folder, a pipe and a device are refused without waiting`() throws {
        let folder = try test.folder("folder", permissions: 0o700)
        #expect(throws: SecretFileError.notRegular(folder, .folder)) { try read(folder) }
        let pipe = try test.pipe("pipe")
        #expect(throws: SecretFileError.notRegular(pipe, .pipe)) { try read(pipe) }
        #expect(throws: SecretFileError.notRegular("/dev/null", .characterDevice)) {
            try read("/dev/null")
        }
    }

    @Test func `What is missing is said by its error number`() throws {
        do {
            _ = try read(test.file("none"))
            Issue.record("it was read")
        } catch SecretFileError.system(let error) {
            #expect(error.number == .notFound)
        }
    }

    @Test func `A file that fits exactly is read, one byte more is too large`() throws {
        let path = try test.write("key", [UInt8](repeating: 1, count: 64), permissions: 0o600)
        #expect(try read(path, room: 64).count == 64)
        #expect(throws: SecretFileError.tooLarge(path, limit: 63)) { try read(path, room: 63) }
        let empty = try test.write("empty", permissions: 0o600)
        #expect(try read(empty, room: 0) == [])
        #expect(throws: SecretFileError.tooLarge(path, limit: 0)) { try read(path, room: 0) }
    }

    @Test(
        "Below the credentials folder the group may read, and nothing more",
        arguments: [
            (0o400, true), (0o440, true), (0o640, true), (0o460, false), (0o450, false),
            (0o444, false), (0o404, false), (0o441, false),
        ] as [(UInt32, Bool)])
    func credentials(permissions: UInt32, accepted: Bool) throws {
        try test.folder("credentials")
        let path = try test.write("credentials/key", "secret", permissions: permissions)
        let credentials = test.file("credentials")
        if accepted {
            #expect(try read(path, credentials: credentials).count == 6)
        } else {
            let status = try FileSystem.status(of: path)
            #expect(throws: SecretFileError.openToOthers(path, status)) {
                try read(path, credentials: credentials)
            }
        }
    }

    @Test func `The same file beside the credentials folder is held to the stricter rule`() throws {
        try test.folder("credentials")
        let path = try test.write("key", "secret", permissions: 0o440)
        let status = try FileSystem.status(of: path)
        for name in ["key", "credentials/../key"] {
            let path = test.file(name)
            #expect(throws: SecretFileError.openToOthers(path, status)) {
                try read(path, credentials: test.file("credentials"))
            }
        }
    }

    @Test func `A link is followed while it stays below the credentials folder`() throws {
        try test.folder("credentials/..data")
        try test.write("credentials/..data/key", "secret", permissions: 0o440)
        try test.write("outside", "secret", permissions: 0o400)
        try test.link("credentials/key", to: "..data/key")
        try test.link("credentials/up", to: "../outside")
        try test.link("credentials/absolute", to: test.file("outside").description)
        let credentials = test.file("credentials")
        #expect(try read(credentials.appending("key"), credentials: credentials).count == 6)
        for name in ["up", "absolute"] {
            let path = credentials.appending(name)
            #expect(throws: SecretFileError.isLink(path)) {
                try read(path, credentials: credentials)
            }
        }
    }

    @Test(.enabled(if: Program.isRoot, "becoming another user needs root"))
    func `Another user reads his own file and not one of a third`() throws {
        let helper = try Program.helper()
        let path = try test.write("key", "secret", permissions: 0o600)
        func answer(_ user: UInt32, _ trusted: String = "") throws -> Program.Answer {
            try test.own("key", by: user)
            return try Program.run(
                ["setpriv", "--reuid", "\(Program.nobody)", "--clear-groups"]
                    + ["--inh-caps", "+dac_override", "--ambient-caps", "+dac_override"]
                    + [helper, "secret", path.description],
                environment: ["PATH": "/usr/sbin:/usr/bin:/bin", "GRONA_TRUST_UID": trusted])
        }
        #expect(try answer(Program.nobody).output == "read 6\n")
        #expect(try answer(0).output == "read 6\n")
        #expect(try answer(4711).errors.contains("foreignOwner"))
        #expect(try answer(4711, "4711").output == "read 6\n")
    }
}
