/// A command or a group of commands: the one declaration behind parser, help, completions and man.
package struct Command: Sendable {
    package typealias Action = @Sendable (Invocation) throws(Failure) -> ExitStatus

    package struct Example: Sendable {
        package let command: String
        package let explanation: String

        package init(_ command: String, _ explanation: String) {
            self.command = command
            self.explanation = explanation
        }
    }

    package let name: String
    /// One line for the list of commands, without a full stop.
    package let summary: String
    /// Paragraphs for the command's own help and manual.
    package let discussion: [String]
    /// Usage lines after the command's name; generated from the declaration when empty.
    package let synopses: [String]
    package let operands: [any OperandDeclaration]
    package let options: [any OptionDeclaration]
    /// Groups of long names of which at most one may be given.
    package let exclusive: [[String]]
    package let examples: [Example]
    package let subcommands: [Command]
    package let action: Action?

    /// A command that does something.
    package init(
        _ name: String, summary: String, discussion: [String] = [], synopses: [String] = [],
        operands: [any OperandDeclaration] = [], options: [any OptionDeclaration] = [],
        exclusive: [[String]] = [], examples: [Example] = [], action: @escaping Action
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        self.synopses = synopses
        self.operands = operands
        self.options = options
        self.exclusive = exclusive
        self.examples = examples
        subcommands = []
        self.action = action
    }

    /// A group of commands, such as `keys`.
    package init(
        group name: String, summary: String, discussion: [String] = [], examples: [Example] = [],
        _ subcommands: [Command]
    ) {
        self.name = name
        self.summary = summary
        self.discussion = discussion
        synopses = []
        operands = []
        options = []
        exclusive = []
        self.examples = examples
        self.subcommands = subcommands
        action = nil
    }
}
