/// Names that a mistyped one may have meant.
enum Suggestions {
    /// At most two names, the nearest first: one or two slips away, by the word's length, or
    /// continuing what was typed.
    static func nearest(to typed: String, among names: [String]) -> [String] {
        guard !typed.isEmpty, typed.utf8.count <= 64 else { return [] }
        let limit = typed.utf8.count < 4 ? 1 : 2
        let ranked = names.compactMap { name -> (name: String, distance: Int)? in
            let distance = distance(Array(typed.utf8), Array(name.utf8))
            if distance <= limit { return (name, distance) }
            return typed.utf8.count >= 3 && name.utf8.starts(with: typed.utf8) ? (name, limit) : nil
        }
        return ranked.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
            .prefix(2).map(\.name)
    }

    /// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment).
    static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, byte) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var best = min(
                    last[column + 1] + 1, current[column] + 1,
                    last[column] + (byte == other ? 0 : 1))
                if row > 0, column > 0, byte == right[column - 1], left[row - 1] == other {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
