/// A named regular expression.
struct Pattern: Sendable {
    let name: String
    private let needle: String
    private let matches: @Sendable (Substring) -> Bool

    /// - Parameter needle: text without which it cannot match, asked first since it is quick; empty
    ///   for none.
    init<Output>(
        _ name: String, needle: String = "", _ regex: @escaping @Sendable () -> Regex<Output>
    ) {
        self.name = name
        self.needle = needle
        matches = { $0.firstMatch(of: regex()) != nil }
    }

    func isFound(in text: Substring) -> Bool {
        (needle.isEmpty || text.contains(needle)) && matches(text)
    }

    static func names(_ patterns: [Pattern], in text: String) -> [String] {
        patterns.filter { $0.isFound(in: text[...]) }.map(\.name)
    }
}
