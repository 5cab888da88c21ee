/// The names of one object in their order (RFC 8785 3.2.3), decoded where they must be.
///
/// Sorting takes n log n comparisons whatever the names are, so that no choice of names makes an
/// object slow.
struct JSONNames {
    /// The nodes of the names, in order.
    private(set) var sorted: [Int] = []
    /// They stand in this order in the text.
    private(set) var isAscending = true
    /// Two equal names: of all such pairs the one that ends first.
    private(set) var duplicate: (first: Int, second: Int)?

    private struct Entry {
        /// The first eight bytes, by weight.
        var key: UInt64
        var node: Int
        /// Where its bytes stand, in the text or among the decoded ones.
        var start: Int
        var end: Int
    }

    init(object: Int, count: Int, _ nodes: Span<JSONNode>, _ text: Span<UInt8>) {
        var entries: [Entry] = []
        entries.reserveCapacity(count)
        var decoded: [UInt8] = []
        var hasEscapes = false
        var name = object + 1
        for _ in 0..<count {
            let node = nodes[name]
            hasEscapes = hasEscapes || node.has(JSONNode.isSpecial)
            entries.append(
                Entry(key: 0, node: name, start: Int(node.start) + 1, end: Int(node.end) - 1))
            name = Int(nodes[name + 1].next)
        }
        if hasEscapes {
            for index in entries.indices {
                let start = decoded.count
                decoded += Self.decoded(nodes[entries[index].node], text)
                entries[index].start = start
                entries[index].end = decoded.count
            }
            sort(&entries, decoded.span)
        } else {
            sort(&entries, text)
        }
    }

    private mutating func sort(_ entries: inout [Entry], _ bytes: Span<UInt8>) {
        for index in entries.indices {
            let start = entries[index].start
            let head = JSONWord.load(bytes, start, count: entries[index].end - start)
            entries[index].key = Self.weight(head)
        }
        entries.sort { left, right in
            let order = Self.compare(left, right, bytes)
            return order < 0 || (order == 0 && left.node < right.node)
        }
        sorted = entries.map(\.node)
        for index in entries.indices.dropFirst() {
            let (left, right) = (entries[index - 1], entries[index])
            if left.node > right.node { isAscending = false }
            if left.key == right.key, Self.compare(left, right, bytes) == 0 {
                isAscending = false
                if right.node < duplicate?.second ?? Int.max {
                    duplicate = (left.node, right.node)
                }
            }
        }
    }

    private static func compare(_ left: Entry, _ right: Entry, _ bytes: Span<UInt8>) -> Int {
        if left.key != right.key { return left.key < right.key ? -1 : 1 }
        return JSONString.compare(
            bytes.extracting(left.start..<left.end), bytes.extracting(right.start..<right.end))
    }

    /// Eight bytes as a number whose order is that of UTF-16 code units.
    static func weight(_ head: UInt64) -> UInt64 {
        guard head & JSONWord.highBits != 0 else { return head.byteSwapped }
        var key: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 8) {
            key = key << 8 | UInt64(JSONString.rank(UInt8(truncatingIfNeeded: head >> shift)))
        }
        return key
    }

    static func decoded(_ node: JSONNode, _ text: Span<UInt8>) -> [UInt8] {
        JSONString.decode(text.extracting(Int(node.start) + 1..<Int(node.end) - 1))
    }

    /// The order of two names without escapes.
    static func compare(_ left: JSONNode, _ right: JSONNode, _ text: Span<UInt8>) -> Int {
        JSONString.compare(
            text.extracting(Int(left.start) + 1..<Int(left.end) - 1),
            text.extracting(Int(right.start) + 1..<Int(right.end) - 1))
    }

    /// Whether two names are equal, at least one of them without escapes.
    static func areEqual(_ left: JSONNode, _ right: JSONNode, _ text: Span<UInt8>) -> Bool {
        guard left.end - left.start == right.end - right.start else { return false }
        return compare(left, right, text) == 0
    }
}
