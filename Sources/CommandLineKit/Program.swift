/// A whole program: its commands and what its manual says besides.
package struct Program: Sendable {
    /// A named thing with its explanation: an environment variable, a file.
    package struct Entry: Sendable {
        package let name: String
        package let explanation: String

        package init(_ name: String, _ explanation: String) {
            self.name = name
            self.explanation = explanation
        }
    }

    package let name: String
    package let version: String
    /// The date of the manual pages, such as "November 30, 2026".
    package let manualDate: String
    /// One line, without a full stop.
    package let summary: String
    /// Paragraphs for the manual.
    package let discussion: [String]
    package let commands: [Command]
    package let environment: [Entry]
    package let files: [Entry]
    package let examples: [Command.Example]
    /// Names of other manual pages with their section, such as `openssl 1`.
    package let seeAlso: [String]
    /// What `help` knows besides the commands.
    package let topics: Topics?

    package init(
        name: String, version: String, manualDate: String, summary: String,
        discussion: [String] = [],
        commands: [Command], environment: [Entry] = [], files: [Entry] = [],
        examples: [Command.Example] = [], seeAlso: [String] = [], topics: Topics? = nil
    ) {
        self.name = name
        self.version = version
        self.manualDate = manualDate
        self.summary = summary
        self.discussion = discussion
        self.commands = commands
        self.environment = environment
        self.files = files
        self.examples = examples
        self.seeAlso = seeAlso
        self.topics = topics
    }
}
