import CommandLineKit
import StrictJSON
import Testing

@Suite("Console")
struct ConsoleTests {
    @Test("A full disk and a closed pipe end with 74 and say so", arguments: [28, 32] as [Int32])
    func outputErrors(_ number: Int32) {
        for arguments in [
            ["bake", "flour"], ["help"], ["--version"], ["invite", "a", "--owner=b", "--json"],
        ] {
            let result = Sample.run(
                bytes: arguments.map { Array($0.utf8) }, output: MemoryStream(error: number))
            #expect(result.status == .inputOutput)
            #expect(
                result.errors.contains(number == 32 ? "output.closed" : "output.failed"),
                "\(result.errors)")
        }
    }

    @Test("Nothing written is no error, whatever the stream is")
    func nothingWritten() {
        let result = Sample.run(bytes: [], output: MemoryStream(error: 32))
        #expect(result.status == .usage)
    }

    @Test("JSON is one line, and safe for a terminal wherever it goes")
    func json() throws {
        let line = ["invite", "--json", "b\u{202E}\u{9B}", "ä", "--owner", "x"]
        let plain = Sample.run(bytes: line.map { Array($0.utf8) })
        #expect(plain.output == "{\"guests\":[\"b\\u202e\\u009b\",\"ä\"]}\n")
        let terminal = Sample.run(bytes: line.map { Array($0.utf8) }, terminal: true)
        #expect(terminal.output == "{\"guests\":[\"b\\u202e\\u009b\",\"ä\"]}\n")
        let value = try JSONDocument.parse(Array(plain.output.utf8)).root
        #expect(
            value.canonical()
                == Array("{\"guests\":[\"b\u{202E}\u{9B}\",\"ä\"]}".utf8))
    }

    @Test("With --json everything on standard error is one JSON object a line")
    func jsonErrors() throws {
        let errors = MemoryStream()
        let console = Console(
            program: "p", output: MemoryStream(), errors: errors, environment: .init([:]))
        console.preferences.json = true
        console.note("a note")
        console.announce("rehearsal")
        console.report(.warning(code: "w", message: "a warning"))
        console.report(
            Failure(Diagnostic(code: "e", message: "an error", exit: .refused), others: []))
        let lines = errors.text.split(separator: "\n")
        let names = try lines.map { line in
            try JSONDocument.parse(Array(line.utf8)).root.members.map(\.name)
        }
        #expect(names == [["note"], ["note"], ["warning"], ["error"]])
    }

    @Test("-q silences notes, not warnings; -v adds details")
    func quietAndVerbose() {
        func said(_ change: (inout Console.Preferences) -> Void) -> String {
            let errors = MemoryStream()
            let console = Console(
                program: "p", output: MemoryStream(), errors: errors, environment: .init([:]))
            change(&console.preferences)
            console.note("note")
            console.detail("detail")
            console.announce("rehearsal")
            console.report(.warning(code: "w", message: "warning"))
            console.report(Diagnostic(.note, code: "n", message: "told", exit: .success))
            return errors.text
        }
        #expect(
            said { _ in }
                == "p: note\np: rehearsal\np: warning[w]: warning\np: note[n]: told\n")
        #expect(said { $0.quiet = true } == "p: rehearsal\np: warning[w]: warning\n")
        #expect(said { $0.verbose = true }.contains("p: detail\n"))
    }

    @Test(
        "Colours follow --color, then NO_COLOR, then the terminal",
        arguments: [
            (Console.ColorChoice.auto, [:], true, true), (.auto, [:], false, false),
            (.auto, ["NO_COLOR": "1"], true, false), (.auto, ["NO_COLOR": ""], true, true),
            (.auto, ["TERM": "dumb"], true, false), (.always, ["NO_COLOR": "1"], false, true),
            (.never, [:], true, false),
        ])
    func color(
        _ choice: Console.ColorChoice, _ environment: [String: String], _ terminal: Bool,
        _ isOn: Bool
    ) {
        let console = Console(
            program: "p", output: MemoryStream(isTerminal: terminal),
            errors: MemoryStream(isTerminal: terminal), environment: .init(environment))
        console.preferences.color = choice
        #expect(console.style.isOn == isOn)
        #expect(console.errorStyle.isOn == isOn)
    }

    @Test("A long text is written before the command ends, JSON only at its end")
    func buffering() throws {
        let output = MemoryStream()
        let console = Console(
            program: "p", output: output, errors: MemoryStream(), environment: .init([:]))
        console.write(String(repeating: "x", count: 1_000))
        #expect(output.text.isEmpty)
        console.write(String(repeating: "x", count: 1 << 20))
        #expect(output.text.utf8.count == 1_000 + 1 << 20 || output.text.utf8.count > 1 << 20)
        try console.flush()
        console.preferences.json = true
        let before = output.text.utf8.count
        console.write(String(repeating: "y", count: 1 << 21))
        #expect(output.text.utf8.count == before)
        try console.flush()
        #expect(output.text.utf8.count == before + 1 << 21 || output.text.utf8.count > before)
    }
}
