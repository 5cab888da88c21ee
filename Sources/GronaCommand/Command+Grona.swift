package import CommandLineKit

extension Command {
    /// A command of our programs: takes `--now` besides its own options.
    package init(
        _ name: String, _ effect: CommandEffect, summary: String, discussion: [String] = [],
        synopses: [String] = [], operands: [any OperandDeclaration] = [],
        options: [any OptionDeclaration] = [], exclusive: [[String]] = [],
        examples: [Command.Example] = [],
        run: @escaping @Sendable (CommandContext) throws(Failure) -> ExitStatus
    ) {
        self.init(
            name, summary: summary, discussion: discussion, synopses: synopses, operands: operands,
            options: options + [SharedOptions.now], exclusive: exclusive, examples: examples
        ) { call throws(Failure) in
            let context = try CommandContext(call, effect: effect)
            defer { context.end() }
            return try run(context)
        }
    }
}
