/// What a program's help knows besides its commands: the codes of its messages.
package struct Topics: Sendable {
    /// All names, such as `json.syntax`; none is that of a command.
    package let names: @Sendable () -> [String]
    /// What is told of a name, as paragraphs; nil where nothing is known of it.
    package let text: @Sendable (_ name: String) -> [String]?

    package init(
        names: @escaping @Sendable () -> [String],
        text: @escaping @Sendable (_ name: String) -> [String]?
    ) {
        self.names = names
        self.text = text
    }

    /// A page for one name.
    func page(_ name: String, columns: Int) throws(Failure) -> String {
        guard let paragraphs = text(name) else {
            let near = Suggestions.nearest(to: name, among: names())
            throw Failure(
                .usage(
                    "unknown-code", "there is no code '\(name)'",
                    help: near.isEmpty
                        ? nil : "did you mean \(near.map { "'\($0)'" }.joined(separator: " or "))?")
            )
        }
        let columns = min(max(columns, 40), 100)
        return "\(name)\n"
            + paragraphs.map { paragraph in
                "\n"
                    + DisplayText.wrapped(paragraph, columns: columns)
                    .map { "\($0)\n" }.joined()
            }.joined()
    }
}
