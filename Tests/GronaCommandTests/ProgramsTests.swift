import CommandLineKit
import GronaCommand
import GronaPublishCommand
import GronaSignCommand
import LinuxIO
import TestSupport
import Testing

/// The help, the manual and the completions of both programs, command by command.
@Suite("Both programs")
struct ProgramsTests {
    static let programs = [GronaSignProgram.program, PublishProgram.program]

    struct Place: Sendable, CustomTestStringConvertible {
        let program: CommandLineKit.Program
        let path: [Command]

        var names: [String] { path.map(\.name) }
        var testDescription: String { ([program.name] + names).joined(separator: " ") }
    }

    static let places: [Place] = programs.flatMap { program in
        [Place(program: program, path: [])] + below(program, [], program.commands)
    }

    private static func below(
        _ program: CommandLineKit.Program, _ path: [Command], _ commands: [Command]
    ) -> [Place] {
        commands.flatMap { command in
            [Place(program: program, path: path + [command])]
                + below(program, path + [command], command.subcommands)
        }
    }

    @Test("Help on every level, no line wider than 80 columns", arguments: places)
    func help(_ place: Place) {
        let help = Sample.run(["help"] + place.names, program: place.program)
        #expect(help.status == .success)
        #expect(help.errors.isEmpty)
        let own = Sample.run(place.names + ["--help"], program: place.program)
        #expect(own.output == help.output)
        for line in help.output.split(separator: "\n") where DisplayText.width(String(line)) > 80 {
            // Examples are not broken: people copy them.
            #expect(line.hasPrefix("    grona-"), "\(line)")
        }
    }

    @Test(
        "What is meant by a word that another command takes is said",
        arguments: [
            (["status", "--to", "file:/x"], "did you mean '--from'?"),
            (["push", "x", "--from", "file:/x"], "did you mean '--to'?"),
            (["health"], "say --all"), (["refresh"], "say --all"),
            (["status", "--now", "+20d"], "for --at alone"),
        ])
    func meant(_ words: [String], _ text: String) {
        let result = Sample.run(words, program: PublishProgram.program)
        #expect(result.status == .usage)
        #expect(result.errors.contains(text), "\(result.errors)")
    }

    @Test("Without arguments: short usage on standard error, 64", arguments: places)
    func noArguments(_ place: Place) {
        let command = place.path.last
        let needsOperand = command?.operands.contains { declaration in
            switch declaration.operandFacts.arity {
            case .one: true
            case .optional: false
            case .many(let minimum): minimum > 0
            }
        }
        guard command == nil || command?.action == nil || needsOperand == true else { return }
        let result = Sample.run(place.names, program: place.program)
        #expect(result.status == .usage)
        #expect(result.output.isEmpty)
        #expect(result.errors.hasPrefix("usage: \(place.program.name)"))
    }

    @Test("An unknown option is refused everywhere", arguments: places)
    func unknownOption(_ place: Place) {
        let result = Sample.run(place.names + ["--no-such-option"], program: place.program)
        #expect(result.status == .usage)
        #expect(result.output.isEmpty)
        #expect(result.errors.contains("usage.unknown-option"))
    }

    @Test("The manual pages satisfy mandoc", arguments: places)
    func manual(_ place: Place) throws {
        let page = Sample.run(["man"] + place.names, program: place.program)
        #expect(page.status == .success)
        let lint = try Tool.run(["mandoc", "-T", "lint"], input: Array(page.output.utf8))
        #expect(lint.status == 0)
        #expect(lint.text.isEmpty, "\(lint.text)")
        #expect(lint.errors.isEmpty, "\(lint.errors)")
    }

    @Test("Option names and short names are used once a command; one name means one thing")
    func names() {
        for place in Self.places {
            guard let command = place.path.last else { continue }
            let facts = command.options.map(\.facts)
            #expect(Set(facts.map(\.name)).count == facts.count, "\(place.testDescription)")
            let letters = facts.compactMap(\.short)
            #expect(Set(letters).count == letters.count, "\(place.testDescription)")
            #expect(Set(letters).isDisjoint(with: ["h", "q", "v"]), "\(place.testDescription)")
            let reserved: Set = ["help", "json", "quiet", "verbose", "color", "no-input"]
            #expect(reserved.isDisjoint(with: facts.map(\.name)), "\(place.testDescription)")
        }
    }

    @Test("The completions are accepted by their shells")
    func completions() throws {
        for program in Self.programs {
            for (shell, flag) in [("bash", "-n"), ("zsh", "-n"), ("fish", "--no-execute")] {
                let script = Sample.run(["completions", shell], program: program).output
                let folder = try TestFolder()
                let file = try folder.write("script", script)
                let answer = try Tool.run([shell, flag, file.description])
                #expect(answer.status == 0, "\(program.name) \(shell): \(answer.errors)")
            }
        }
    }

    @Test("Every variable that an option reads is in the manual")
    func environment() {
        for program in Self.programs {
            let documented = Set(program.environment.map(\.name))
            for place in Self.places where place.program.name == program.name {
                for option in place.path.last?.options ?? [] {
                    #expect(
                        documented.isSuperset(of: option.facts.environment),
                        "\(place.testDescription) --\(option.facts.name)")
                }
            }
        }
    }
}
