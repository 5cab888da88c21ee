import CommandLineKit
import StrictJSON
import Testing

@Suite("Diagnostics")
struct DiagnosticTests {
    private func text(
        _ diagnostic: Diagnostic, json: Bool = false, color: Console.ColorChoice = .never
    ) -> String {
        let errors = MemoryStream()
        let console = Console(
            program: "grona-sign", output: MemoryStream(), errors: errors, environment: .init([:]))
        console.preferences.json = json
        console.preferences.color = color
        console.report(diagnostic)
        return errors.text
    }

    static let whole = Diagnostic(
        code: "payload.lifetime", message: "401 days is over the limit of 400 days",
        file: "campaigns/acme-market/workspace.json", line: 7, column: 17,
        pointer: "/lifetimes/config", help: "lower it", exit: .refused)

    @Test("An error has program, code, place, message and help")
    func wholeText() {
        #expect(
            text(Self.whole) == """
                grona-sign: error[payload.lifetime]: campaigns/acme-market/workspace.json:7:17 \
                /lifetimes/config: 401 days is over the limit of 400 days
                grona-sign: help: lower it

                """)
    }

    @Test("What is not known is left out")
    func partialText() {
        #expect(
            text(.usage("x", "odd")) == "grona-sign: error[usage.x]: odd\n")
        #expect(
            text(.warning(code: "w", message: "m", file: "f", line: 3))
                == "grona-sign: warning[w]: f:3: m\n")
        #expect(
            text(.warning(code: "w", message: "m", file: "f", column: 3, pointer: ""))
                == "grona-sign: warning[w]: f: m\n")
        #expect(
            text(Diagnostic(.note, code: "n", message: "m", pointer: "/p", exit: .success))
                == "grona-sign: note[n]: /p: m\n")
    }

    @Test("As JSON it is one line with the members that are known")
    func json() throws {
        #expect(
            text(Self.whole, json: true) == """
                {"error":{"code":"payload.lifetime","column":17,\
                "file":"campaigns/acme-market/workspace.json","help":"lower it","line":7,\
                "message":"401 days is over the limit of 400 days","pointer":"/lifetimes/config"}}

                """)
        #expect(
            text(.warning(code: "w", message: "m"), json: true)
                == "{\"warning\":{\"code\":\"w\",\"message\":\"m\"}}\n")
    }

    @Test("A failure with further findings: each in text, one line in JSON")
    func others() {
        let plain = Sample.run("fail")
        #expect(plain.status == .refused)
        #expect(plain.output.isEmpty, "what was written before the failure is dropped")
        #expect(
            plain.errors == """
                bakery: error[oven.cold]: oven.json:7:17 /heat: too cold: \\u{1b}[31m\\u{202e}\\u{a}
                bakery: help: wait
                bakery: warning[oven.old]: it is old

                """)
        let json = Sample.run("fail", "--json")
        #expect(json.status == .refused)
        #expect(json.output.isEmpty)
        #expect(json.errors.split(separator: "\n").count == 1)
        #expect(json.errors.contains(#""others":[{"code":"oven.old","message":"it is old"}]"#))
    }

    @Test(
        "No place of a document reaches the terminal as a control",
        arguments: [
            ("\u{1B}]0;x\u{07}", #"\u{1b}]0;x\u{7}"#), ("a\nb", #"a\u{a}b"#),
            ("\u{7F}\u{9B}", #"\u{7f}\u{9b}"#), ("\u{202E}x\u{2069}", #"\u{202e}x\u{2069}"#),
            ("\u{61C}\u{200E}\u{200F}", #"\u{61c}\u{200e}\u{200f}"#),
            ("\u{2028}\u{2029}\u{85}", #"\u{2028}\u{2029}\u{85}"#), ("\r", #"\u{d}"#),
            ("ümläut 日本 👩‍🍳", "ümläut 日本 👩‍🍳"), ("\u{200D}", "\u{200D}"),
        ])
    func escapes(_ text: String, _ shown: String) {
        #expect(DisplayText.escaped(text) == shown)
        var diagnostic = Self.whole
        diagnostic.message = text
        diagnostic.file = text
        diagnostic.pointer = text
        diagnostic.help = text
        let lines = self.text(diagnostic)
        #expect(
            lines == """
                grona-sign: error[payload.lifetime]: \(shown):7:17 \(shown): \(shown)
                grona-sign: help: \(shown)

                """)
        let json = self.text(diagnostic, json: true)
        #expect(!json.dropLast().unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
        let read = try? JSONDocument.parse(Array(json.utf8)).root["error"]?["message"]?.utf8
        #expect(read == Array(text.utf8), "the same text")
    }

    @Test("Colours only where they are wanted")
    func colours() {
        #expect(text(Self.whole, color: .always).contains("\u{1B}[31m"))
        #expect(!text(Self.whole, color: .never).contains("\u{1B}"))
        #expect(!text(Self.whole, color: .auto).contains("\u{1B}"), "no terminal")
    }

    @Test("Every status has its number and its words")
    func statuses() {
        #expect(
            ExitStatus.allCases.map(\.rawValue) == [
                0, 1, 64, 65, 66, 69, 70, 73, 74, 75, 76, 77, 78,
            ])
        #expect(Set(ExitStatus.allCases.map(\.meaning)).count == ExitStatus.allCases.count)
    }
}
