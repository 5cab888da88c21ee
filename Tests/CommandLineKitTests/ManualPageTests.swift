import CommandLineKit
import Testing

@Suite("Manual pages")
struct ManualPageTests {
    static let paths = [[], ["bake"], ["sell"], ["keys"], ["keys", "show"]]

    @Test("mandoc finds nothing to complain about", arguments: paths)
    func lint(_ path: [String]) throws {
        let page = Sample.run(bytes: (["man"] + path).map { Array($0.utf8) })
        #expect(page.status == .success)
        let result = try Tool.run(["mandoc", "-T", "lint"], input: page.output)
        #expect(result.output.isEmpty, "\(result.output)")
        #expect(result.status == 0)
    }

    @Test("The pages have not changed unnoticed", arguments: paths)
    func golden(_ path: [String]) throws {
        let page = Sample.run(bytes: (["man"] + path).map { Array($0.utf8) })
        try Golden.expect(page.output, "man-\((["bakery"] + path).joined(separator: "-")).1")
    }

    @Test(
        "A sentence begins with a capital letter, unless it begins with a name",
        arguments: [
            ("bake bread", "Bake bread"), ("min_sdk may rise", "min_sdk may rise"),
            ("grona.json is read", "grona.json is read"), ("-o is taken", "-o is taken"),
            ("re-issue it", "Re-issue it"), ("", ""),
        ])
    func capitals(_ text: String, _ expected: String) {
        #expect(DisplayText.capitalized(text) == expected)
    }

    @Test("The page of the program has every command, option, status, variable, file and example")
    func complete() throws {
        let shown = try Tool.run(
            ["mandoc", "-T", "ascii", "-O", "width=200"],
            input: Sample.run("man").output
        ).output.replacing(/.\u{8}/, with: "")
        for text in [
            "bake and sell bread", "keys show", "--version N", "-o, --output FILE", "--no-input",
            "BAKERY_STORE", "bakery.json", "EXIT STATUS", "78", "128+n", "bakery bake flour",
            "openssl(1)", "show a key's \"bow\"".replacing("show", with: "Show"),
        ] {
            #expect(shown.contains(text), "\(text)")
        }
    }

    @Test("Text that the formatter would read as its own is escaped")
    func escapes() throws {
        let program = Program(
            name: "odd", version: "1", manualDate: "November 30, 2026",
            summary: "a \\fBbold\\fR .Sh — “quoted” text",
            discussion: [".Sh is no macro here. 'Nor this."],
            commands: [])
        let output = MemoryStream()
        let console = Console(
            program: "odd", output: output, errors: MemoryStream(), environment: .init([:]))
        #expect(program.run(arguments: [Array("man".utf8)], console: console) == .success)
        let lint = try Tool.run(["mandoc", "-T", "lint"], input: output.text)
        #expect(lint.output.isEmpty, "\(lint.output)")
        let shown = try Tool.run(["mandoc", "-T", "utf8"], input: output.text).output
            .replacing(/.\u{8}/, with: "")
        #expect(shown.contains("a \\fBbold\\fR .Sh — “quoted” text"))
        #expect(shown.contains(".Sh is no macro here."))
        #expect(shown.contains("'Nor this."))
    }
}
