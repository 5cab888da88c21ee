/// The stable name of a rule, by which a test, a log line, a script and a user know it.
///
/// The codes of reading JSON (`json.…`) are those that StrictJSON gives; a lint finding of a
/// campaign has `campaign.…` or `workspace.…`. Each group stands in a file of its own.
package struct RuleCode: RawRepresentable, Hashable, Sendable, Comparable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package init(_ text: String) {
        self.rawValue = text
    }

    package var description: String { rawValue }

    package static func < (left: RuleCode, right: RuleCode) -> Bool {
        left.rawValue.utf8.lexicographicallyPrecedes(right.rawValue.utf8)
    }
}
