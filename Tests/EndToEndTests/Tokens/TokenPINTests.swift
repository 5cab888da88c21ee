import Foundation
import LinuxIO
import StrictJSON
import Synchronization
import TestSupport
import Testing

@Suite("tokens: PINs")
struct TokenPINTests {
    private let token: MisbehavingToken
    private let setting: TokenSetting

    init() throws {
        token = try MisbehavingToken()
        try token.makeKey(TokenSetting.config, id: "01a2")
        setting = try TokenSetting(token.access)
        try setting.addKey("import", token.access.signer(TokenSetting.config))
        try token.forgetCalls()
    }

    /// The quickest of three: the machine may be busy.
    private func seconds(_ run: () throws -> Void) rethrows -> Double {
        var best = Double.infinity
        for _ in 1...3 {
            let start = SystemClock.monotonicNanoseconds()
            try run()
            best = min(best, Double(SystemClock.monotonicNanoseconds() - start) / 1e9)
        }
        return best
    }

    @Test("a timer that runs each minute for an hour with a wrong PIN makes one login attempt")
    func timer() throws {
        try token.setPIN(inFile: TokenSetting.wrongPIN)
        for run in 0..<60 {
            expectRefusal(
                try setting.config(1), 77, run == 0 ? "key.pin-wrong" : "key.pin-remembered")
        }
        #expect(try token.answers("C_Login") == [0xA0])
        // Another PIN in the file is tried.
        try token.setPIN(inFile: token.access.pin)
        let late = try setting.config(1)
        #expect(late.isSuccess, "\(late)")
        #expect(try token.answers("C_Login") == [0xA0, 0])
        // And what was forgiven is forgotten.
        let last = try setting.config(2)
        #expect(last.isSuccess, "\(last)")
    }

    @Test("programs that start together make one login attempt with a wrong PIN")
    func together() throws {
        try token.behave(["tries 10", "slow C_Login 300"])
        try token.setPIN(inFile: TokenSetting.wrongPIN)
        let answers = Mutex<[String]>([])
        let setting = UncheckedSetting(setting)
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            let answer = try? setting.value.config(1)
            answers.withLock { $0.append(answer?.errors ?? "none") }
        }
        let told = answers.withLock { $0 }
        #expect(told.count { $0.contains("key.pin-wrong") } == 1, "\(told)")
        #expect(told.count { $0.contains("key.pin-remembered") } == 3, "\(told)")
        #expect(try token.answers("C_Login") == [0xA0])
    }

    /// Its runs are independent of each other.
    private struct UncheckedSetting: @unchecked Sendable {
        let value: TokenSetting

        init(_ value: TokenSetting) {
            self.value = value
        }
    }

    @Test("a new file with a wrong PIN is tried once more, and the last try is left alone")
    func lastTry() throws {
        for expected in ["key.pin-wrong", "key.pin-wrong", "key.pin-last-try", "key.pin-last-try"] {
            try token.setPIN(inFile: TokenSetting.wrongPIN)
            expectRefusal(try setting.config(1), 77, expected)
        }
        #expect(try token.calls("C_Login") == 2)
        try token.setPIN(inFile: token.access.pin)
        expectRefusal(try setting.config(1), 77, "key.pin-last-try")
        #expect(try setting.config(1, ["--retry-pin"]).isSuccess)
        let last = try setting.config(2)
        #expect(last.isSuccess, "\(last)")
    }

    @Test("--retry-pin tries a remembered PIN once")
    func retry() throws {
        try token.behave(["tries 10"])
        try token.setPIN(inFile: TokenSetting.wrongPIN)
        expectRefusal(try setting.config(1), 77, "key.pin-wrong")
        expectRefusal(try setting.config(1, ["--retry-pin"]), 77, "key.pin-wrong")
        expectRefusal(try setting.config(1), 77, "key.pin-remembered")
        #expect(try token.calls("C_Login") == 2)
    }

    @Test(
        "a token that says how it stands is not asked",
        arguments: [
            ("flags locked", "key.pin-locked"), ("flags final-try", "key.pin-last-try"),
            ("flags to-be-changed", "key.pin-unusable"), ("flags no-pin", "key.pin-unusable"),
        ])
    func flags(control: String, code: String) throws {
        try token.behave([control])
        let time = try seconds { expectRefusal(try setting.config(1), 77, code) }
        #expect(time < 1, "\(time)")
        #expect(try token.calls("C_Login") == 0)
    }

    @Test("a token that tells nothing before it locks")
    func quiet() throws {
        try token.behave(["quiet-tries"])
        try token.setWrongTries(3)
        expectRefusal(try setting.config(1), 77, "key.pin-locked")
        #expect(try token.answers("C_Login") == [0xA4])
    }

    @Test(
        "each code of a login has its own end, within a second",
        arguments: [
            ("0xa0", "key.pin-wrong"), ("0xa4", "key.pin-locked"), ("0xa2", "key.pin-wrong"),
            ("0xa1", "key.pin-wrong"), ("0x104", "key.pin-unusable"), ("0x102", "key.pin-unusable"),
        ])
    func codes(answer: String, code: String) throws {
        try token.behave(["fail C_Login 1 0 \(answer)"])
        let time = try seconds { expectRefusal(try setting.config(1, ["--retry-pin"]), 77, code) }
        #expect(time < 1, "\(time)")
    }

    @Test("a PIN that is wanted, and nobody to ask: 77 within a second, without a login")
    func needed() throws {
        let other = try TokenSetting(token.access)
        let signer = token.access.signer(TokenSetting.config, pinSource: "")
        let time = try seconds {
            expectRefusal(try other.add("import", signer), 77, "key.pin-needed")
            expectRefusal(try other.add("import", signer, ["--no-input"]), 77, "key.pin-needed")
        }
        #expect(time < 2, "\(time)")
        #expect(try token.calls("C_Login") == 0)
    }

    @Test("a PIN typed on the terminal is not shown", arguments: [true, false])
    func terminal(isRight: Bool) throws {
        let other = try TokenSetting(token.access)
        let signer = token.access.signer(TokenSetting.config, pinSource: "")
        let pin = isRight ? token.access.pin : TokenSetting.wrongPIN
        // The prompt has to be there before the PIN is typed: a terminal echoes until then.
        let script = """
            import os, pty, sys, time
            pid, fd = pty.fork()
            if pid == 0:
                os.execv(sys.argv[2], sys.argv[2:])
            seen = b""
            while b": " not in seen:
                seen += os.read(fd, 1000)
            os.write(fd, sys.argv[1].encode() + b"\\n")
            try:
                while True:
                    more = os.read(fd, 1000)
                    if not more:
                        break
                    seen += more
            except OSError:
                pass
            sys.stdout.write(seen.decode())
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
            """
        let answer = try other.run(
            [
                "-c", script, pin, other.sign.program, "keys", "import", "--workspace",
                "acme-market", "--use", "config", "--kid", TokenSetting.config, "--signer", signer,
            ], program: "/usr/bin/python3")
        #expect(answer.exit == .exited(isRight ? 0 : 77), "\(answer.output)\(answer.errors)")
        #expect(answer.output.contains("PIN"))
        #expect(answer.output.contains("type the right one") == !isRight, "\(answer.output)")
        #expect(try token.answers("C_Login") == [isRight ? 0 : 0xA0])
    }

    @Test(
        "what a PIN file may hold",
        arguments: [
            ("", nil), ("\n", nil), ("\r\n", nil), ("\n\n", "key.pin-wrong"),
            (" ", "key.pin-wrong"),
        ])
    func lineEnds(end: String, code: String?) throws {
        try token.folder.write("pin", token.access.pin + end, permissions: 0o600)
        let answer = try setting.config(1)
        if let code { expectRefusal(answer, 77, code) } else { #expect(answer.isSuccess) }
    }

    @Test(
        "an empty PIN and one with a zero byte are none", arguments: ["", "\n", "\0\n", "a\0b\n"])
    func noPIN(text: String) throws {
        try token.folder.write("pin", text, permissions: 0o600)
        expectRefusal(try setting.config(1), 77, "key.pin-unusable")
        #expect(try token.calls("C_Login") == 0)
    }

    @Test("a PIN file that others may read is not used", arguments: [0o644, 0o640, 0o602])
    func openFile(mode: UInt32) throws {
        try token.folder.write("pin", token.access.pin + "\n", permissions: mode)
        expectRefusal(try setting.config(1), 77, "key.unsafe-file")
        #expect(try token.calls("C_Login") == 0)
    }

    @Test("a PIN as a systemd credential")
    func credential() throws {
        let other = try TokenSetting(token.access)
        try token.folder.folder("credentials", permissions: 0o700)
        try token.folder.write("credentials/hsm", token.access.pin + "\n", permissions: 0o400)
        let words = [
            "keys", "import", "--workspace", "acme-market", "--use", "config", "--kid",
            TokenSetting.config, "--signer",
            token.access.signer(TokenSetting.config, pinSource: "credential:hsm"),
        ]
        let folder = ["CREDENTIALS_DIRECTORY": token.folder.file("credentials").description]
        #expect(try other.run(words, environment: folder).isSuccess)
        let without = try TokenSetting(token.access)
        #expect(try without.run(words).exit == .exited(69))
    }

    @Test(
        "a PIN in the URI is refused, and not repeated",
        arguments: ["pin-value=", "pin-value=%73", "PIN-VALUE="])
    func pinValue(attribute: String) throws {
        let other = try TokenSetting(token.access)
        for more in [[], ["--json"], ["-v"]] {
            let answer = try other.add(
                "import",
                token.access.signer(
                    TokenSetting.config, query: [attribute + TokenSetting.wrongPIN]), more)
            #expect(!answer.isSuccess)
            #expect(answer.errors.contains("key.signer"), "\(answer.errors)")
            #expect(!answer.errors.contains("mellon"), "\(answer.errors)")
        }
        #expect(try token.calls("C_Login") == 0)
    }

    @Test("two keys on one token are one login; a wrong PIN is one attempt for both")
    func twoKeys() throws {
        try token.makeKey(TokenSetting.grant, id: "01a4")
        try setting.addKey(
            "import", token.access.signer(TokenSetting.grant), use: "grant",
            kid: TokenSetting.grant)
        try token.forgetCalls()
        let words = ["keys", "check", "--workspace", "acme-market"]
        #expect(try setting.run(words).isSuccess)
        #expect(try token.answers("C_Login") == [0])
        try token.setPIN(inFile: TokenSetting.wrongPIN)
        let served = setting.sign.path("served.json")
        try token.setPIN(inFile: token.access.pin)
        #expect(try setting.config(1, ["-o", served]).isSuccess)
        try token.forgetCalls()
        try token.setPIN(inFile: TokenSetting.wrongPIN)
        // A batch meets the same key line after line.
        let requests = try setting.requests(served, from: 2, count: 5).joined()
        let answer = try setting.run(["renew", "--batch"], input: Array(requests.utf8))
        #expect(try TokenSetting.answers(answer.output).count == 5)
        #expect(try token.answers("C_Login") == [0xA0])
    }
}
