/// Writes nodes of a document in canonical form (RFC 8785).
///
/// What is canonical as it stands is copied; the rest is put in order. A stack of its own takes the
/// place of recursion.
struct CanonicalNodes {
    /// The output is too short: nothing more is written.
    private var isFull = false
    /// The innermost open container, and those around it.
    private var frame = Frame()
    private var outer: [Frame] = []
    /// The members, in order, of the open objects whose text has another order.
    private var members: [Member] = []

    /// A container that is being written.
    private struct Frame {
        var isObject = false
        /// The members stand in `members` from `next` on; else `next` is the next node.
        var isReordered = false
        var isFirst = true
        var next = 0
        var remaining = 0
        /// The length of `members` outside of this container.
        var base = 0
    }

    private struct Member: BitwiseCopyable {
        /// The first bytes of the name by weight.
        var key: UInt64
        /// The node of the name.
        var node: Int
    }

    /// Objects with more members are sorted by `JSONNames`.
    private static let smallObject = 24

    /// The canonical form of one node with all that it contains.
    static func bytes(_ root: Int, of document: JSONDocument) -> [UInt8] {
        let nodes = document.nodes
        let text = document.bytes
        // Seldom more than the text: only numbers can become longer, as in 1e15.
        var capacity = nodes[root].range.count + 32
        while true {
            var isComplete = false
            let output = [UInt8](capacity: capacity) { output in
                var writer = CanonicalNodes()
                writer.write(root, nodes.span, text.span, &output)
                isComplete = !writer.isFull
            }
            if isComplete { return output }
            capacity *= 2
        }
    }

    private mutating func write(
        _ root: Int, _ nodes: Span<JSONNode>, _ text: Span<UInt8>,
        _ output: inout OutputSpan<UInt8>
    ) {
        put(root, nodes, text, &output)
        while !isFull {
            while frame.remaining == 0 {
                guard let around = outer.popLast() else { return }
                put(frame.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]"), &output)
                if frame.isReordered { members.removeLast(members.count &- frame.base) }
                frame = around
            }
            if !frame.isFirst { put(UInt8(ascii: ","), &output) }
            frame.isFirst = false
            frame.remaining &-= 1
            let next = frame.next
            if frame.isReordered {
                frame.next = next &+ 1
                putMember(members[next].node, nodes, text, &output)
            } else if frame.isObject {
                frame.next = Int(nodes[next &+ 1].next)
                putMember(next, nodes, text, &output)
            } else {
                frame.next = Int(nodes[next].next)
                put(next, nodes, text, &output)
            }
        }
    }

    /// Writes a value; of a container only what precedes its first value.
    private mutating func put(
        _ value: Int, _ nodes: Span<JSONNode>, _ text: Span<UInt8>,
        _ output: inout OutputSpan<UInt8>
    ) {
        let node = nodes[value]
        if node.has(JSONNode.isCanonical) {
            put(text.extracting(node.range), &output)
        } else if node.isContainer {
            put(node.kind == .object ? UInt8(ascii: "{") : UInt8(ascii: "["), &output)
            open(value, node, nodes, text)
        } else {
            rewrite(node, text, &output)
        }
    }

    /// Writes a name, and its value as far as `put` does.
    @inline(__always)
    private mutating func putMember(
        _ name: Int, _ nodes: Span<JSONNode>, _ text: Span<UInt8>,
        _ output: inout OutputSpan<UInt8>
    ) {
        let node = nodes[name]
        let value = nodes[name &+ 1]
        if node.info & value.info & JSONNode.isCanonical != 0, value.start &- node.end == 1 {
            // With nothing but the colon between them, both are copied at once.
            put(text.extracting(Int(node.start)..<Int(value.end)), &output)
            return
        }
        put(name, nodes, text, &output)
        put(UInt8(ascii: ":"), &output)
        put(name &+ 1, nodes, text, &output)
    }

    @inline(__always)
    private mutating func put(_ byte: UInt8, _ output: inout OutputSpan<UInt8>) {
        if output.isFull {
            isFull = true
        } else {
            output.append(byte)
        }
    }

    @inline(__always)
    private mutating func put(_ bytes: Span<UInt8>, _ output: inout OutputSpan<UInt8>) {
        guard bytes.count <= output.freeCapacity else {
            isFull = true
            return
        }
        for index in 0..<bytes.count {
            output.append(bytes[index])
        }
    }

    /// A string or number whose text is not the canonical one.
    @inline(never)
    private mutating func rewrite(
        _ node: JSONNode, _ text: Span<UInt8>, _ output: inout OutputSpan<UInt8>
    ) {
        var bytes: [UInt8] = []
        if node.kind == .number {
            JSONNumber.append(JSONNumber.double(text.extracting(node.range)), to: &bytes)
        } else {
            JSONString.append(JSONNames.decoded(node, text).span, to: &bytes)
        }
        put(bytes.span, &output)
    }

    // MARK: Order

    /// Begins a container.
    private mutating func open(
        _ index: Int, _ node: JSONNode, _ nodes: Span<JSONNode>, _ text: Span<UInt8>
    ) {
        outer.append(frame)
        frame = Frame()
        frame.isObject = node.kind == .object
        frame.next = index &+ 1
        frame.remaining = node.count
        guard frame.isObject, !node.has(JSONNode.isSorted) else { return }
        frame.isReordered = true
        frame.base = members.count
        frame.next = frame.base
        guard node.count > Self.smallObject || !order(index, node.count, nodes, text) else {
            return
        }
        let names = JSONNames(object: index, count: node.count, nodes, text)
        members += names.sorted.map { Member(key: 0, node: $0) }
    }

    /// Appends the members of a small object to `members` in order.
    ///
    /// - Returns: false when a name must be decoded first; then nothing is appended.
    private mutating func order(
        _ object: Int, _ count: Int, _ nodes: Span<JSONNode>, _ text: Span<UInt8>
    ) -> Bool {
        let base = members.count
        var isPlain = true
        members.append(addingCapacity: count) { added in
            var name = object &+ 1
            for _ in 0..<count {
                let node = nodes[name]
                isPlain = isPlain && !node.has(JSONNode.isSpecial)
                let start = Int(node.start) &+ 1
                let head = JSONWord.load(text, start, count: Int(node.end) &- 1 &- start)
                added.append(Member(key: JSONNames.weight(head), node: name))
                name = Int(nodes[name &+ 1].next)
            }
        }
        guard isPlain else {
            members.removeLast(count)
            return false
        }
        var sorted = members.mutableSpan
        for index in base + 1..<base + count {
            let member = sorted[index]
            var place = index
            while place > base, Self.isBefore(member, sorted[place &- 1], nodes, text) {
                sorted[place] = sorted[place &- 1]
                place &-= 1
            }
            sorted[place] = member
        }
        return true
    }

    @inline(__always)
    private static func isBefore(
        _ left: Member, _ right: Member, _ nodes: Span<JSONNode>, _ text: Span<UInt8>
    ) -> Bool {
        left.key == right.key
            ? JSONNames.compare(nodes[left.node], nodes[right.node], text) < 0
            : left.key < right.key
    }
}
