import CommandLineKit
import GronaCommand
import GronaFormats
import Ledger
import LinuxIO
import StrictJSON
import Testing
import Transitions

@Suite("Wording of shared errors")
struct WordingTests {
    @Test("A JSON text that is refused is told with its place")
    func json() throws {
        let error = #expect(throws: JSONError.self) {
            _ = try JSONDocument.parse(Array("{\"a\": [1,\n 007]}".utf8))
        }
        let diagnostic = Diagnostic(try #require(error), file: "f.json", exit: .refused)
        #expect(diagnostic.code == "json.number")
        #expect((diagnostic.line, diagnostic.column) == (2, 2))
        #expect(diagnostic.pointer == "/a/1")
        #expect(diagnostic.message.contains("a leading zero"))
    }

    static let texts = [
        "", "{", "\u{FEFF}{}", "[1,]", "[1 2]", "{\"a\":1,\"a\":2}", "[NaN]", "[+1]", "[1e400]",
        "[1e-999]", "[9007199254740993]", "\"\u{1}\"", "\"\\x\"", "\"\\ud800\"", "\"\\uffff\"",
        "{} {}", "// x", "[1.]", "[tru]", "{\"a\" 1}", "{a:1}", "[1.2.3]",
        String(repeating: "[", count: 40),
    ]

    @Test("Each refusal of JSON has words of its own", arguments: texts)
    func jsonWords(_ text: String) throws {
        let error = #expect(throws: JSONError.self) {
            _ = try JSONDocument.parse(Array(text.utf8))
        }
        let message = JSONWording.message(try #require(error).detail)
        #expect(!message.isEmpty)
        #expect(!message.hasSuffix("."))
    }

    @Test(
        "A log that cannot be added to",
        arguments: [(28, 74), (5, 74), (13, 77), (1, 77), (30, 77), (2, 73)] as [(Int32, Int32)])
    func unwrittenLog(_ number: Int32, _ status: Int32) {
        let error = SystemError(operation: "write", path: "log", errno: number)
        let failure = Failure(LedgerError.unwritten(.system(error)), file: "log")
        #expect(failure.status.rawValue == status)
        #expect(Failure(LedgerError.file(.system(error)), file: "log").status.rawValue != 77)
    }

    @Test(
        "Files that cannot be read",
        arguments: [
            (
                FileError.system(SystemError(operation: "openat", path: "f", errno: 2)),
                "input.missing", 66
            ),
            (
                .system(SystemError(operation: "openat", path: "f", errno: 13)), "input.unreadable",
                66
            ),
            (.system(SystemError(operation: "read", path: "f", errno: 5)), "input.failed", 74),
            (.tooLarge("f", limit: 10), "input.too-large", 65),
            (.notRegular("f", .folder), "input.not-a-file", 66),
            (.isLink("f"), "input.not-a-file", 66), (.locked("f", holder: 7), "lock.held", 75),
        ])
    func reading(_ error: FileError, _ code: String, _ status: Int32) {
        let failure = Failure(reading: error)
        #expect(failure.reason.code == code)
        #expect(failure.status.rawValue == status)
        #expect(failure.reason.file == "f")
    }

    @Test(
        "Outputs that cannot be made",
        arguments: [
            (FileError.exists("f"), "output.exists", 73), (.isLink("f"), "output.not-a-file", 73),
            (.notRegular("f", .characterDevice), "output.not-a-file", 73),
            (
                .system(SystemError(operation: "openat", path: "f", errno: 2)),
                "output.cannot-create", 73
            ),
            (
                .system(SystemError(operation: "openat", path: "f", errno: 13)),
                "output.cannot-create", 73
            ),
            (.system(SystemError(operation: "write", path: "f", errno: 28)), "output.failed", 74),
            (.system(SystemError(operation: "write", path: "f", errno: 5)), "output.failed", 74),
        ])
    func writing(_ error: FileError, _ code: String, _ status: Int32) {
        let failure = Failure(writing: error)
        #expect(failure.reason.code == code)
        #expect(failure.status.rawValue == status)
    }

    @Test("--force is the advice where a file is in the way, and nowhere else")
    func advice() {
        #expect(Failure(writing: .exists("f")).reason.help == "--force replaces it")
        #expect(Failure(writing: .isLink("f")).reason.help == nil)
    }

    @Test("A rule's facts are told")
    func rules() {
        let kid = RuleViolation(.headerUnknownKid, .kid("k", state: .retired))
        #expect(RuleWording.message(kid).contains("retired"))
        let expired = RuleViolation(
            .payloadExpired, .expired(at: UnixTime(1_793_264_400), now: UnixTime(1_793_264_401)))
        #expect(
            RuleWording.message(expired)
                == "expired at 2026-10-29T09:00:00Z, and it is 2026-10-29T09:00:01Z")
        let size = RuleViolation(.envelopeTooLarge, .size(786_433, limit: 786_432))
        #expect(RuleWording.message(size).contains("786433"))
        #expect(RuleWording.message(RuleViolation(.signatureInvalid)).contains("does not hold"))
    }

    @Test("A step that is not legal says what it takes")
    func transitions() {
        let on = TransitionViolation(
            member: "enabled", pointer: "/campaigns/3/enabled", campaign: "weekend-offer",
            reason: .switchedOn)
        let diagnostic = Diagnostic(on)
        #expect(diagnostic.code == "transition.enabled")
        #expect(diagnostic.pointer == "/campaigns/3/enabled")
        #expect(
            diagnostic.help
                == "to keep it off, set 'enabled' to false in its file; --enable weekend-offer says"
                + " that on is meant")
        #expect(diagnostic.exit == .refused)
        #expect(diagnostic.message == "campaign \"weekend-offer\": it was off and is on again")
    }
}
