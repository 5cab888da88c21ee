/// The names of the objects that are open, to find two that are equal.
struct JSONNames {
    private var entries: [Int] = []
    private var base = 0
    private(set) var isAscending = true

    struct Mark {
        var base: Int
        var isAscending: Bool
    }

    var mark: Mark { Mark(base: base, isAscending: isAscending) }

    mutating func begin() {
        base = entries.count
        isAscending = true
    }

    mutating func end(_ mark: Mark) {
        entries.removeLast(entries.count - base)
        base = mark.base
        isAscending = mark.isAscending
    }

    mutating func append(_ index: Int, _ nodes: [JSONNode], _ text: Span<UInt8>) {
        if isAscending, entries.count > base, let last = entries.last {
            isAscending = Self.compare(nodes[last], nodes[index], text) < 0
        }
        entries.append(index)
    }

    /// The nodes of the first and the second of two equal names of the innermost object.
    func duplicate(_ nodes: [JSONNode], _ text: Span<UInt8>) -> (first: Int, second: Int)? {
        guard !isAscending else { return nil }
        let sorted = entries[base...].sorted { left, right in
            let order = Self.compare(nodes[left], nodes[right], text)
            return order < 0 || (order == 0 && left < right)
        }
        var found: (first: Int, second: Int)?
        for (left, right) in zip(sorted, sorted.dropFirst())
        where Self.compare(nodes[left], nodes[right], text) == 0 {
            if right < found?.second ?? Int.max {
                found = (left, right)
            }
        }
        return found
    }

    /// The order of two names by their UTF-16 code units.
    static func compare(_ left: JSONNode, _ right: JSONNode, _ text: Span<UInt8>) -> Int {
        let first = text.extracting(Int(left.start) + 1..<Int(left.end) - 1)
        let second = text.extracting(Int(right.start) + 1..<Int(right.end) - 1)
        if left.has(JSONNode.isSpecial) || right.has(JSONNode.isSpecial) {
            return JSONString.compare(
                JSONString.decode(first).span, JSONString.decode(second).span)
        }
        return JSONString.compare(first, second)
    }
}
