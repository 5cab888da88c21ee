import Foundation
import LinuxIO
import TestSupport
import Testing

/// `grona-sign` where the system locks no memory: a real limit, for a user who has no right to
/// pass it.
@Suite("grona-sign, memory that cannot be locked")
struct MemoryLockTests {
    private let setting: SignSetting
    private let program: String
    private let user: UInt32?

    init() throws {
        setting = try SignSetting(makesKeys: false)
        // A copy where any user may run it.
        program = setting.path("grona-sign")
        try FileManager.default.copyItem(atPath: setting.program, toPath: program)
        user = Program.isRoot ? Program.nobody : nil
        guard let user else { return }
        for place in [
            setting.folder.path.description, setting.campaigns, setting.path("campaigns"),
        ] {
            try FileManager.default.setAttributes(
                [.ownerAccountID: NSNumber(value: user)], ofItemAtPath: place)
        }
    }

    private func run(_ words: [String], locking bytes: Int?) throws -> Program.Answer {
        let limit = bytes.map { ["prlimit", "--memlock=\($0):\($0)"] } ?? []
        return try Program.run(
            limit + [program] + words, environment: setting.environment(), asUser: user)
    }

    private func generate(_ use: String, _ kid: String, locking bytes: Int?) throws
        -> Program.Answer
    {
        try run(
            [
                "keys", "generate", "--workspace", "acme-market", "--use", use, "--kid", kid,
                "--signer", "file:\(kid).pem",
            ], locking: bytes)
    }

    private func warnings(_ answer: Program.Answer) -> Int {
        answer.errors.split(separator: "\n").count { $0.contains("warning[memory.unlocked]") }
    }

    @Test(
        "it works, and says once that secrets may reach swap",
        arguments: [(0, 1), (65_536, 1), (4 << 20, 0)])
    func limits(bytes: Int, expected: Int) throws {
        let made = try generate("config", "c1", locking: bytes)
        #expect(made.isSuccess, "\(made.errors)")
        let signed = try run(
            ["config", setting.campaigns, "--version", "1", "-o", setting.path("one.json")],
            locking: bytes)
        #expect(signed.isSuccess, "\(signed.errors)")
        #expect(warnings(signed) == expected, "\(signed.errors)")
        let strict = try run(
            ["config", setting.campaigns, "--version", "1", "--strict", "--dry-run"],
            locking: bytes)
        #expect(!strict.errors.contains("error[memory.unlocked]"), "\(strict.errors)")
    }

    @Test("a batch says it once")
    func batch() throws {
        #expect(try generate("config", "c1", locking: nil).isSuccess)
        let one = setting.path("one.json")
        #expect(
            try run(["config", setting.campaigns, "--version", "1", "-o", one], locking: nil)
                .isSuccess)
        let envelope = try String(contentsOfFile: one, encoding: .utf8)
        let requests = (2...5).map { #"{"id":\#($0),"envelope":\#(envelope),"version":\#($0)}"# }
        let limit = ["prlimit", "--memlock=0:0", program, "renew", "--batch"]
        let answer = try Program.run(
            limit, input: Array(requests.joined(separator: "\n").utf8),
            environment: setting.environment(), asUser: user)
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(answer.output.split(separator: "\n").count == 4)
        #expect(warnings(answer) == 1, "\(answer.errors)")
    }

    @Test("a command that opens two keys says it once")
    func twoKeys() throws {
        for (use, kid) in [("config", "c1"), ("grant", "g1")] {
            #expect(try generate(use, kid, locking: nil).isSuccess)
        }
        let words = ["keys", "check", "--workspace", "acme-market"]
        let answer = try run(words, locking: 0)
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(warnings(answer) == 1, "\(answer.errors)")
        #expect(warnings(try run(words, locking: 4 << 20)) == 0)
    }
}
