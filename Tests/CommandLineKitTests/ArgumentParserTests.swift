import CommandLineKit
import Testing

@Suite("Arguments")
struct ArgumentParserTests {
    static let baked = """
        flour=flour
        version=3
        output=loaf
        enable=a,b
        force=true dry-run=true

        """

    @Test(
        "Options and operands stand in any order and in every GNU spelling",
        arguments: [
            "bake flour --version 3 -o loaf --enable a --enable b -f -n",
            "bake --version=3 -oloaf --enable=a flour --enable=b -fn",
            "bake -fnoloaf --version 3 --enable a --enable b -- flour",
            "--version=3 x-is-not-here",
            "--output loaf --force bake --dry-run --version 3 --enable a --enable b flour",
            "bake -nfo loaf -f --force --enable a --enable b --version 3 flour",
        ])
    func order(_ line: String) {
        let result = Sample.run(bytes: line.split(separator: " ").map { Array($0.utf8) })
        if line.hasSuffix("here") {
            #expect(result.status == .usage, "before a command, --version is the program's")
        } else {
            #expect(result == RunResult(status: .success, output: Self.baked, errors: ""))
        }
    }

    @Test("After -- everything is an operand")
    func afterDashes() {
        let result = Sample.run("bake", "--", "--force")
        #expect(result.status == .success)
        #expect(result.output.hasPrefix("flour=--force\n"))
        #expect(Sample.run("bake", "--force").status == .usage)
    }

    @Test("A single dash is an operand")
    func dash() {
        #expect(Sample.run("sell", "-").output == "loaf=-\n")
    }

    @Test("A value may be empty of meaning but begin with a dash")
    func dashedValue() {
        #expect(Sample.run("bake", "flour", "--output", "-x").output.contains("output=-x\n"))
        #expect(Sample.run("bake", "flour", "--output=--force").output.contains("output=--force\n"))
    }

    struct Mistake: Sendable, CustomTestStringConvertible {
        let line: String
        let code: String
        let words: String
        let twin: String
        var testDescription: String { line }

        init(_ line: String, _ code: String, _ words: String, twin: String) {
            self.line = line
            self.code = code
            self.words = words
            self.twin = twin
        }
    }

    @Test(
        "A mistake is refused with 64, its code and a hint; its twin is accepted",
        arguments: [
            Mistake("bakes flour", "unknown-command", "did you mean 'bake'?", twin: "bake flour"),
            Mistake("kyes list", "unknown-command", "did you mean 'keys'?", twin: "keys list"),
            Mistake("zzz", "unknown-command", "'bakery help' lists", twin: "keys list"),
            Mistake(
                "keys lits", "unknown-command", "did you mean 'list'?", twin: "keys list"),
            Mistake(
                "bake flour --forse", "unknown-option", "did you mean '--force'?",
                twin: "bake flour --force"),
            Mistake(
                "bake flour --vers 3", "unknown-option", "did you mean '--version'?",
                twin: "bake flour --version 3"),
            Mistake(
                "bake flour --batch", "unknown-option",
                "'bake' has no option --batch; 'sell' has it",
                twin: "sell --batch"),
            Mistake(
                "bake flour -x", "unknown-option", "'bake' has no option -x", twin: "bake flour -f"),
            Mistake(
                "--batch bake flour", "misplaced-option", "'bake' does not take --batch",
                twin: "--batch sell"),
            Mistake(
                "bake flour --output", "missing-value", "--output needs a value: FILE",
                twin: "bake flour --output loaf"),
            Mistake(
                "bake flour -o --force", "missing-value", "-o needs a value: FILE",
                twin: "bake flour -o=--force"),
            Mistake(
                "bake flour --force=1", "unexpected-value", "--force takes no value",
                twin: "bake flour --force"),
            Mistake(
                "bake flour --version 3 --version 4", "repeated-option",
                "--version is given twice", twin: "bake flour --enable 3 --enable 4"),
            Mistake(
                "bake flour --lifetime 1 --until 2", "exclusive-options",
                "--lifetime and --until exclude each other", twin: "bake flour --lifetime 1"),
            Mistake(
                "bake --force", "missing-operand", "FLOUR_DIR is missing",
                twin: "bake --force flour"),
            Mistake(
                "bake flour more", "unexpected-operand", "one argument too many: 'more'",
                twin: "bake flour"),
            Mistake(
                "sell --batch loaf", "unexpected-operand", "LOAF is not taken with --batch: 'loaf'",
                twin: "sell --batch"),
            Mistake(
                "invite ann", "missing-option", "--owner is missing", twin: "invite ann --owner eve"
            ),
            Mistake(
                "invite --owner eve", "missing-operand", "GUEST is missing",
                twin: "invite --owner eve ann bob"),
            Mistake(
                "bake flour --shape oval", "value",
                "--shape 'oval': expected round, long", twin: "bake flour --shape long"),
            Mistake(
                "bake flour --color red", "value", "expected auto, always, never",
                twin: "bake flour --color never"),
            Mistake(
                "keys show", "", "usage: bakery keys show NAME [OPTION…]", twin: "keys show ann"),
        ])
    func mistakes(_ mistake: Mistake) {
        func run(_ line: String) -> RunResult {
            Sample.run(bytes: line.split(separator: " ").map { Array($0.utf8) })
        }
        let result = run(mistake.line)
        #expect(result.status == .usage)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains(mistake.words), "\(result.errors)")
        if !mistake.code.isEmpty {
            #expect(result.errors.hasPrefix("bakery: error[usage.\(mistake.code)]: "))
        }
        let twin = run(mistake.twin)
        #expect(twin.status == .success || twin.status == .negative, "\(twin.errors)")
    }

    @Test(
        "A number has one form",
        arguments: [
            "+5", "007", "1e3", "9223372036854775808", "9007199254740992", "0", "-1", "", " 1",
            "1 ",
            "0x10", "١", "1_000",
        ])
    func numbers(_ text: String) {
        let result = Sample.run("bake", "flour", "--version=\(text)")
        #expect(result.status == .usage)
        #expect(result.errors.contains("a whole number from 1 to 9007199254740991"))
    }

    @Test("Both ends of a number's range are taken", arguments: ["1", "9007199254740991"])
    func numberEnds(_ text: String) {
        let result = Sample.run("bake", "flour", "--version", text)
        #expect(result.status == .success)
        #expect(result.output.contains("version=\(text)\n"))
    }

    @Test("Bytes that are not UTF-8 are refused in text and taken in a path")
    func encoding() {
        let odd: [UInt8] = [0x61, 0xFF, 0x62]
        let option = Sample.run(
            bytes: [Array("bake".utf8), Array("flour".utf8), Array("--enable".utf8), odd])
        #expect(option.status == .usage)
        #expect(option.errors.contains("error[usage.encoding]: --enable 'a\\xffb'"))
        let command = Sample.run(bytes: [odd])
        #expect(command.status == .usage)
        #expect(command.errors.contains("error[usage.encoding]"))
        let name = Sample.run(bytes: [Array("--a".utf8) + [0xFF]])
        #expect(name.status == .usage)
        let short = Sample.run(bytes: [[0x2D, 0xFF]])
        #expect(short.status == .usage)
        let path = Sample.run(bytes: [Array("bake".utf8), odd])
        #expect(path.status == .success)
    }

    @Test("Canonically equal spellings are different commands")
    func normalization() {
        #expect(Sample.run("bake", "flour", "--shape", "round\u{301}").status == .usage)
    }

    @Test("A mistake with --json is one JSON line, wherever --json stands")
    func jsonMistake() {
        for result in [
            Sample.run("--json", "bake", "flour", "--nope"), Sample.run("bakes", "--json"),
        ] {
            #expect(result.status == .usage)
            #expect(result.output.isEmpty)
            #expect(result.errors.hasPrefix("{\"error\":{\"code\":\"usage.unknown-"))
            #expect(result.errors.split(separator: "\n").count == 1)
        }
        #expect(Sample.run("bakes", "--", "--json").errors.hasPrefix("bakery: error["))
    }

    @Test("No arguments, or a group alone: short usage on standard error, 64")
    func shortUsage() {
        let program = Sample.run()
        #expect(program.status == .usage)
        #expect(program.output.isEmpty)
        #expect(program.errors.hasPrefix("usage: bakery COMMAND [OPTION…] [OPERAND…]\n"))
        let group = Sample.run("keys")
        #expect(group.status == .usage)
        #expect(group.errors.contains("commands: list, show\n"))
        let leaf = Sample.run("bake")
        #expect(leaf.status == .usage)
        #expect(leaf.errors.hasPrefix("usage: bakery bake FLOUR_DIR [OPTION…]\n"))
        #expect(Sample.run("--json").errors.hasPrefix("{\"error\":{\"code\":\"usage.missing-"))
    }

    @Test("The version is the program's before a command and an option's after it")
    func version() {
        #expect(Sample.run("--version").output == "bakery 1.2.3\n")
        #expect(Sample.run("--version").status == .success)
        #expect(Sample.run("bake", "flour", "--version", "9").output.contains("version=9\n"))
        #expect(Sample.run("bake", "--version").status == .usage)
    }
}
