import CommandLineKit
import Testing

@Suite("Help")
struct HelpPageTests {
    @Test(
        "The help has not changed unnoticed",
        arguments: [[], ["bake"], ["sell"], ["keys"], ["keys", "show"]])
    func golden(_ path: [String]) throws {
        let result = Sample.run(bytes: (["help"] + path).map { Array($0.utf8) })
        #expect(result.status == .success)
        #expect(result.errors.isEmpty)
        try Golden.expect(result.output, "help-\((["bakery"] + path).joined(separator: "-")).txt")
    }

    @Test(
        "help, -h and --help say the same, wherever they stand and whatever is wrong besides",
        arguments: [
            ["bake", "-h"], ["bake", "--help"], ["--help", "bake"], ["-h", "bake"],
            ["bake", "flour", "-fh"], ["bake", "--nonsense", "--help"],
            ["bake", "--help", "a", "b"],
        ])
    func spellings(_ line: [String]) {
        let result = Sample.run(bytes: line.map { Array($0.utf8) })
        #expect(result == Sample.run("help", "bake"))
    }

    @Test("After -- and as a value, --help is no request for help")
    func noHelp() {
        #expect(Sample.run("bake", "--", "--help").output.hasPrefix("flour=--help\n"))
        #expect(Sample.run("bake", "flour", "--output=--help").output.contains("output=--help\n"))
    }

    @Test("Help on every level")
    func levels() {
        #expect(Sample.run("--help") == Sample.run("help"))
        #expect(Sample.run("keys", "-h") == Sample.run("help", "keys"))
        #expect(Sample.run("keys", "show", "-h") == Sample.run("help", "keys", "show"))
        #expect(Sample.run("help", "nothing").status == .usage)
        #expect(Sample.run("help", "bakee").errors.contains("did you mean 'bake'?"))
    }

    @Test("No line is wider than the terminal, nor than 100 columns")
    func width() {
        for terminal in [true, false] {
            let text = Sample.run("help", "bake", terminal: terminal).output
            let widest = text.split(separator: "\n").map(\.count).max() ?? 0
            #expect(widest <= (terminal ? 100 : 80))
        }
    }
}
