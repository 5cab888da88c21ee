import LinuxIO
import SigningKeys
import TestSupport
import Testing

/// What programs answer in place of a signature.
@Suite struct ExecAnswerTests {
    static let faults: [(String, ExecSignerError.AnswerFault)] = [
        ("garbage", .notJSON(code: "json.syntax")), ("empty", .notJSON(code: "json.truncated")),
        ("latin", .notJSON(code: "json.utf8")),
        ("duplicate", .notJSON(code: "json.duplicate-name")),
        ("nested", .notJSON(code: "json.too-deep")), ("array", .members(expected: "signature")),
        ("extra", .members(expected: "signature")), ("both", .members(expected: "signature")),
        ("number", .notString("signature")), ("padded", .signature), ("raw-short", .signature),
        ("der-trailing", .signature), ("der-long-form", .signature), ("two", .unasked),
        ("long", .tooLong(limit: 16_384)), ("endless", .tooLong(limit: 16_384)),
        ("refuses-oddly", .members(expected: "error")),
        ("refuses-text", .members(expected: "error")), ("refuses-number", .notString("code")),
    ]

    @Test("a wrong answer is refused, and the program is not asked again", arguments: faults)
    func wrong(mode: String, fault: ExecSignerError.AnswerFault) throws {
        let beside = try ProgramBesideKey(mode)
        let key = try beside.open()
        for _ in 0..<2 {
            let problem = ProgramBesideKey.problem {
                _ = try key.sign(ProgramBesideKey.digest(1))
            }
            #expect(problem?.program == .answer(fault))
        }
        #expect(beside.log().filter { $0.hasPrefix("start") }.count == 1)
    }

    @Test(
        "a wrong public half is refused when the key is opened",
        arguments: [
            ("public-pem", ExecSignerError.AnswerFault.publicKey),
            ("public-unpadded", .publicKey), ("public-number", .notString("public")),
            ("public-signature", .members(expected: "public")),
        ])
    func publicHalf(mode: String, fault: ExecSignerError.AnswerFault) throws {
        let beside = try ProgramBesideKey(mode)
        let problem = ProgramBesideKey.problem { _ = try beside.open() }
        #expect(problem?.program == .answer(fault))
    }

    @Test("a line ahead of the first question is not taken for an answer")
    func early() throws {
        let beside = try ProgramBesideKey("early")
        let problem = ProgramBesideKey.problem { _ = try beside.open() }
        let faults: [ExecSignerError.Problem?] = [
            .answer(.unasked), .answer(.members(expected: "public")),
        ]
        #expect(faults.contains(problem?.program))
    }

    @Test("a line that comes when nothing was asked ends the conversation")
    func later() throws {
        let beside = try ProgramBesideKey("later")
        let key = try beside.open()
        _ = try key.sign(ProgramBesideKey.digest(1))
        SystemClock.sleep(nanoseconds: 300_000_000)
        let problem = ProgramBesideKey.problem { _ = try key.sign(ProgramBesideKey.digest(2)) }
        #expect(problem?.program == .answer(.unasked))
    }

    @Test("a refusal is told, shortened, and the other keys of the program go on")
    func refusal() throws {
        let beside = try ProgramBesideKey("refuses")
        let (good, bad) = (try beside.signer("good"), try beside.signer("bad"))
        for _ in 0..<2 {
            _ = try good.sign(ProgramBesideKey.digest(1))
            let problem = ProgramBesideKey.problem { _ = try bad.sign(ProgramBesideKey.digest(1)) }
            guard case .refused(let code, let message) = problem?.program else {
                Issue.record("\(String(describing: problem))")
                return
            }
            #expect(code == "unavailable")
            #expect(message.hasPrefix("locked \u{1B}[2J") && message.hasSuffix("x…"))
            #expect(message.unicodeScalars.count == 501)
        }
        #expect(beside.log().count == 1)
    }
}
