/// Whether a list of workspaces may be believed: a run over half of them renews half of them, and
/// says that all is well.
package enum InventoryRule {
    /// So many may go at once.
    package static let mostGone = 5

    package enum Problem: Error, Sendable, Hashable {
        case empty
        case shrunk(from: Int, to: Int)
    }

    /// - Parameter before: how many there were in the last run; nil where nobody knows.
    package static func problem(_ count: Int, before: Int?) -> Problem? {
        guard count > 0 else { return .empty }
        guard let before, before > count else { return nil }
        let gone = before - count
        // Over 1 %, and over 5.
        return gone > mostGone && gone > before / 100 ? .shrunk(from: before, to: count) : nil
    }
}
