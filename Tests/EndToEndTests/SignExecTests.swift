import Foundation
import LibcryptoSigning
import LinuxIO
import StrictJSON
import TestSupport
import Testing

/// `grona-sign` with a key behind a program, which the test helper plays.
@Suite("grona-sign with exec: keys")
struct SignExecTests {
    private let setting: SignSetting
    private let key: TestKey

    init() throws {
        setting = try SignSetting(makesKeys: false)
        key = try TestKey()
        try setting.folder.write(
            "key.pem", try key.privateKey.pkcs8PEM().copied(), permissions: 0o600)
        try play("")
        let made = try add("config", key.kid)
        try #require(made.isSuccess, "\(made.errors)")
    }

    private var program: String { setting.path("kms") }

    /// Puts the program in place that behaves in this way.
    private func play(_ mode: String) throws {
        try setting.folder.write(
            "kms",
            "#!/bin/sh\nexec \(try Program.helper()) sign-lines \(setting.path("key.pem")) \(mode)\n",
            permissions: 0o755)
    }

    private func add(
        _ use: String, _ kid: String, verb: String = "import", signer: String? = nil
    ) throws -> Program.Answer {
        try setting.run([
            "keys", verb, "--workspace", "acme-market", "--use", use, "--kid", kid, "--signer",
            "exec:\(signer ?? program)",
        ])
    }

    private func config(_ more: [String] = []) throws -> Program.Answer {
        try setting.run(["config", setting.campaigns, "--version", "1"] + more)
    }

    private func log() throws -> [String] {
        try String(contentsOfFile: setting.path("key.pem.log"), encoding: .utf8)
            .split(separator: "\n").map(String.init)
    }

    @Test("a config is signed, and the program is started once a run and ended in order")
    func sign() throws {
        let before = try log().count
        let answer = try config()
        try #require(answer.isSuccess, "\(answer.errors)")
        let pins = setting.path("pins.json")
        #expect(
            try setting.run(["keys", "pins", "--workspace", "acme-market", "-o", pins]).isSuccess)
        try setting.folder.write("one.json", answer.output)
        let verified = try setting.run([
            "verify", setting.path("one.json"), "--pins", pins, "--workspace", "acme-market",
        ])
        #expect(verified.isSuccess, "\(verified.output)\(verified.errors)")
        let runs = try log()[before...].map { $0.prefix { $0 != " " } }
        #expect(runs == ["start", "end", "start", "end"])
    }

    @Test("a batch asks one process for all of its signatures")
    func batch() throws {
        let source = try config()
        try #require(source.isSuccess, "\(source.errors)")
        let before = try log().count
        let requests = (2...101).map {
            #"{"id":\#($0),"envelope":\#(source.output),"version":\#($0)}"#
        }.joined(separator: "\n")
        let answer = try setting.run(["renew", "--batch"], input: Array(requests.utf8))
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(answer.output.split(separator: "\n").count == 100)
        #expect(try log().count == before + 2)
    }

    @Test(
        "each way to fail has its code and status, and nothing is written",
        arguments: [
            ("refuses-oddly", 76, "key.answer"), ("garbage", 76, "key.answer"),
            ("two", 76, "key.answer"), ("exits", 69, "key.unreachable"),
            ("hash-again", 70, "signature.invalid"), ("silent", 69, "key.timeout"),
        ])
    func failures(mode: String, status: Int32, code: String) throws {
        try play(mode)
        let started = SystemClock.monotonicNanoseconds()
        let answer = try config(["--signer-timeout", "1s", "-o", setting.path("out.json")])
        expectRefusal(answer, status, code)
        #expect(SystemClock.monotonicNanoseconds() - started < 10_000_000_000)
        #expect(!setting.exists("out.json"))
        #expect(!answer.errors.contains("\u{1B}"), "\(answer.errors)")
        if mode == "exits" {
            #expect(answer.errors.contains("ended after one answer, with the next request"))
            #expect(answer.errors.contains("help: one process answers all requests of a run"))
            #expect(answer.errors.contains(#"no route to \u{1b}[31mhost | second line"#))
        }
    }

    @Test("what the program says in its refusal is shown and moves no cursor")
    func refusal() throws {
        try play("refuses-all")
        let words = ["keys", "check", "--workspace", "acme-market"]
        let answer = try setting.run(words)
        expectRefusal(answer, 69, "key.refused")
        #expect(answer.errors.contains(#"unavailable: locked \u{1b}[2J\u{202e} xxx"#))
        let error = try setting.error(try setting.run(words + ["--json"]))
        #expect(error["code"]?.string == "key.refused")
        #expect((error["message"]?.string?.utf8.count ?? 0) < 700)
    }

    @Test("a program that others may change, or that is not there, is not started")
    func trust() throws {
        try setting.folder.write("kms", "#!/bin/sh\n", permissions: 0o775)
        expectRefusal(try config(), 78, "unsafe.owner")
        try FileManager.default.removeItem(atPath: program)
        let answer = try config()
        expectRefusal(answer, 69, "key.unreachable")
        #expect(answer.errors.contains("help: install it"), "\(answer.errors)")
    }

    @Test(
        "a signal that ends grona-sign ends the program as well",
        arguments: [SIGTERM, SIGINT, SIGHUP, SIGQUIT])
    func signals(signal: Int32) throws {
        try play("silent")
        let before = try log().count
        var child = try ChildProcess(
            ChildProcess.Command(
                [setting.program, "config", setting.campaigns, "--version", "1"].map {
                    FilePath($0)
                },
                environment: setting.environment().map { [UInt8]("\($0)=\($1)".utf8) }),
            outputLimit: 10_000)
        let soon = SystemClock.deadline(after: 60_000_000_000)
        while try log().count == before, SystemClock.monotonicNanoseconds() < soon {
            SystemClock.sleep(nanoseconds: 10_000_000)
        }
        let started = try #require(try log()[before...].first)
        let program = try #require(Int32(started.split(separator: " ")[1]))
        #expect(kill(program, 0) == 0)
        kill(child.processID, signal)
        let exit = try child.finish(deadline: SystemClock.deadline(after: 60_000_000_000))
        #expect(exit == .signalled(signal))
        // A zombie that nobody has waited for has no command line.
        let words = try? String(contentsOfFile: "/proc/\(program)/cmdline", encoding: .utf8)
        #expect(words ?? "" == "")
    }

    @Test("a device is no program, and nobody is told to close it")
    func device() throws {
        let answer = try add("grant", "g2", signer: "/dev/null")
        expectRefusal(answer, 69, "key.unreachable")
        #expect(answer.errors.contains("chmod +x") && !answer.errors.contains("go-w"))
    }

    @Test("another key behind the program is refused")
    func mismatch() throws {
        let other = try TestKey()
        try setting.folder.write(
            "key.pem", try other.privateKey.pkcs8PEM().copied(), permissions: 0o600)
        expectRefusal(try config(), 78, "key.mismatch")
    }

    @Test("such keys are not made here, take no arguments, and are none for a rehearsal")
    func refused() throws {
        let made = try add("grant", "g2", verb: "generate")
        expectRefusal(made, 64, "key.signer")
        #expect(made.errors.contains("keys import"), "\(made.errors)")
        expectRefusal(try add("grant", "g2", signer: "kms"), 78, "key.signer")
        expectRefusal(try add("grant", "g2", signer: program + " --all"), 69, "key.unreachable")
        let rehearsal = try setting.run(
            ["config", setting.campaigns, "--version", "1"],
            environment: ["GRONA_REHEARSAL": "1"])
        #expect(rehearsal.exit == .exited(78))
        #expect(rehearsal.errors.contains("error[rehearsal.real]"), "\(rehearsal.errors)")
    }
}
