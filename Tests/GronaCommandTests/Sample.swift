import CommandLineKit
import GronaCommand
import Synchronization

/// A stream that keeps what is written.
final class MemoryStream: OutputStream {
    private let kept = Mutex<[UInt8]>([])
    let isTerminal = false
    let columns: Int? = nil

    func write(_ bytes: [UInt8]) -> Int32? {
        kept.withLock { $0 += bytes }
        return nil
    }

    var text: String { kept.withLock { String(decoding: $0, as: UTF8.self) } }
}

struct RunResult {
    let status: CommandLineKit.ExitStatus
    let output: String
    let errors: String
}

/// A program with one command, for what all commands share.
enum Sample {
    static func run(
        _ arguments: [String], environment: [String: String] = [:],
        effect: CommandEffect = .reads, options: [any OptionDeclaration] = [],
        _ action: @escaping @Sendable (CommandContext) throws(Failure) -> Void
    ) -> RunResult {
        let command = Command("act", effect, summary: "act", options: options) {
            context throws(Failure) in
            try action(context)
            return .success
        }
        return run(
            ["act"] + arguments, environment: environment,
            program: Program(
                name: "grona-sign", version: "1", manualDate: "November 30, 2026", summary: "s",
                commands: [command, SettingsCommand.command(SharedSettings.all)]))
    }

    static func run(
        _ arguments: [String], environment: [String: String] = [:], program: CommandLineKit.Program
    ) -> RunResult {
        let (output, errors) = (MemoryStream(), MemoryStream())
        let values = EnvironmentValues(environment)
        let console = Console(
            program: program.name, output: output, errors: errors, environment: values)
        let status = program.run(
            arguments: arguments.map { Array($0.utf8) }, console: console, environment: values)
        return RunResult(status: status, output: output.text, errors: errors.text)
    }
}
