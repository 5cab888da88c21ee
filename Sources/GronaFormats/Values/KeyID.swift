/// The name of a key, as `kid` has it: an identifier that is neither `.` nor `..`.
///
/// It never becomes part of a path all the same. By convention `acme-market-2026-10` names a
/// config key and `acme-market-grants-2026-10` a grant key.
package struct KeyID: Hashable, Sendable, Comparable, CustomStringConvertible {
    package let identifier: Identifier

    /// Nil for anything that does not match the pattern.
    package init?(_ text: String) {
        guard let identifier = Identifier(text), text != ".", text != ".." else { return nil }
        self.identifier = identifier
    }

    package var text: String { identifier.text }
    package var description: String { text }

    package static func < (left: KeyID, right: KeyID) -> Bool {
        left.identifier < right.identifier
    }
}
