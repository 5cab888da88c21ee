import CommandLineKit
import Testing

@Suite("Tables, widths and progress")
struct TableTests {
    @Test(
        "The width of a text is that on a terminal",
        arguments: [
            ("", 0), ("abc", 3), ("日本", 4), ("e\u{301}", 1), ("👩‍🍳", 2), ("ｱ", 1), ("Ａ", 2),
            ("한", 2), ("\u{200B}", 0), ("é", 1),
        ])
    func width(_ text: String, _ columns: Int) {
        #expect(DisplayText.width(text) == columns)
    }

    @Test("Columns are aligned by width, numbers at the right, no blanks at the end")
    func table() {
        var table = Table(["name", "n", "note"], right: [1])
        table.add(["日本", "5", "wide"])
        table.add(["e\u{301}", "1234", ""])
        table.add(["plain\u{1B}", "77", "x"])
        #expect(
            table.text() == """
                name            n  note
                日本            5  wide
                e\u{301}            1234
                plain\\u{1b}    77  x

                """)
    }

    @Test("Without titles there is no line of titles; colours do not move columns")
    func looks() {
        var table = Table(["", ""])
        table.add([.init("ok", .good), .init("a")])
        table.add([.init("failed", .bad), .init("b")])
        #expect(table.text() == "ok      a\nfailed  b\n")
        #expect(
            table.text(style: TextStyle(isOn: true))
                == "\u{1B}[32mok\u{1B}[0m      a\n\u{1B}[31mfailed\u{1B}[0m  b\n")
    }

    private final class Clock: Sendable {
        private let stream = MemoryStream()
        func tick(_ count: Int) { _ = stream.write([UInt8](repeating: 0x78, count: count)) }
        var tenths: UInt64 { UInt64(stream.text.utf8.count) }
    }

    private func progress(terminal: Bool, quiet: Bool = false, total: Int? = 100) -> String {
        let errors = MemoryStream(isTerminal: terminal)
        let console = Console(
            program: "p", output: MemoryStream(), errors: errors, environment: .init([:]))
        console.preferences.quiet = quiet
        let clock = Clock()
        var progress = Progress(console, unit: "grants", total: total) {
            clock.tenths * 100_000_000
        }
        for _ in 0..<9 {
            clock.tick(1)
            progress.advance()
        }
        #expect(errors.text.isEmpty, "nothing in the first second")
        for _ in 0..<11 {
            clock.tick(1)
            progress.advance()
        }
        progress.finish()
        return errors.text
    }

    @Test("Progress shows count, rate and time left after a second, and clears its line")
    func shown() {
        let text = progress(terminal: true)
        #expect(text.contains("10 of 100 grants, 10/s, 9 s left"))
        #expect(text.contains("20 of 100 grants, 10/s, 8 s left"))
        #expect(text.hasSuffix("\r\u{1B}[K"))
        #expect(text.ranges(of: "grants").count == 6, "five times a second at most")
        #expect(progress(terminal: true, total: nil).contains("20 grants, 10/s"))
    }

    @Test("No progress without a terminal, or with -q")
    func silent() {
        #expect(progress(terminal: false).isEmpty)
        #expect(progress(terminal: true, quiet: true).isEmpty)
    }
}
