/// Reads a text into nodes, with a loop in place of recursion.
///
/// The open container's node keeps the index of the container around it in `next` until it is
/// closed, so that the nodes are the stack.
struct JSONReader {
    let depthLimit: Int
    /// Why the text is refused.
    private(set) var fault: JSONFault?
    /// The whole text was read.
    private(set) var isFinished = false

    /// Levels around the next value.
    private var depth: Int
    /// Where the next value begins, or blanks before it.
    private var position = 0
    /// Index of the innermost open container; -1 outside of all.
    private(set) var open = -1
    /// What is known about that container, and about those around it.
    private(set) var scope = JSONScope()
    private(set) var outerScopes: [JSONScope] = []

    init(depthLimit: Int, outerDepth: Int) {
        self.depthLimit = depthLimit
        depth = outerDepth
    }

    /// Reads on until the text ends, is refused, or `nodes` is full.
    mutating func read(_ text: Span<UInt8>, _ nodes: inout OutputSpan<JSONNode>) {
        do throws(JSONFault) {
            try readValues(text, &nodes)
        } catch {
            fault = error
        }
    }

    private mutating func readValues(
        _ text: Span<UInt8>, _ nodes: inout OutputSpan<JSONNode>
    ) throws(JSONFault) {
        if position == 0 { try JSONEncoding.check(text) }
        var index = position
        values: while true {
            guard nodes.freeCapacity >= 2 else {
                position = index
                return
            }
            var byte = nextByte(text, &index)
            switch byte {
            case UInt8(ascii: "\""):
                try readString(text, &index, &nodes)
            case UInt8(ascii: "{"):
                try push(.object, index, &nodes)
                index &+= 1
                byte = nextByte(text, &index)
                guard byte == UInt8(ascii: "}") else {
                    try readName(text, &index, byte, &nodes)
                    continue values
                }
                index &+= 1
                try pop(text, index, &nodes)
            case UInt8(ascii: "["):
                try push(.array, index, &nodes)
                index &+= 1
                guard nextByte(text, &index) == UInt8(ascii: "]") else { continue values }
                index &+= 1
                try pop(text, index, &nodes)
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                let start = index
                let flags = try JSONNumber.scan(text, &index)
                if flags & JSONNode.isCanonical == 0 { scope.isCanonical = false }
                Self.append(start, index, JSONNode.info(.number, flags), &nodes)
            case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
                try readLiteral(text, &index, byte, &nodes)
            default:
                throw expected(
                    scope.count == 0 && open >= 0 ? .valueOrEndOfArray : .value, text, index)
            }
            scope.count &+= 1

            // After a value: its container goes on, or ends and is then itself such a value.
            while true {
                byte = nextByte(text, &index)
                guard open >= 0 else {
                    guard index == text.count else { throw trailing(text, index) }
                    isFinished = true
                    return
                }
                if byte == UInt8(ascii: ",") {
                    index &+= 1
                    if scope.isObject {
                        byte = nextByte(text, &index)
                        try readName(text, &index, byte, &nodes)
                    }
                    continue values
                }
                guard byte == (scope.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    throw expected(
                        scope.isObject ? .commaOrEndOfObject : .commaOrEndOfArray, text, index
                    ).inContainer
                }
                index &+= 1
                try pop(text, index, &nodes)
                scope.count &+= 1
            }
        }
    }

    /// The next byte that is no blank; 0 at the end.
    @inline(__always)
    private mutating func nextByte(_ text: Span<UInt8>, _ index: inout Int) -> UInt8 {
        guard index < text.count else { return 0 }
        let byte = text[index]
        return byte > 0x20 ? byte : byteAfterBlanks(text, &index)
    }

    @inline(never)
    private mutating func byteAfterBlanks(_ text: Span<UInt8>, _ index: inout Int) -> UInt8 {
        while index < text.count {
            let byte = text[index]
            switch byte {
            case 0x20, 0x0A, 0x0D, 0x09:
                index &+= 1
                while index &+ 8 <= text.count,
                    JSONWord.load(text, index) == JSONWord.ones &* 0x20
                {
                    index &+= 8
                }
                scope.isCanonical = false
            default: return byte
            }
        }
        return 0
    }

    // MARK: Containers

    private mutating func push(
        _ kind: JSONKind, _ start: Int, _ nodes: inout OutputSpan<JSONNode>
    ) throws(JSONFault) {
        guard depth < depthLimit else { throw JSONFault(.tooDeep(limit: depthLimit), start) }
        depth += 1
        outerScopes.append(scope)
        scope = JSONScope()
        scope.isObject = kind == .object
        let parent = open
        open = nodes.count
        nodes.append(
            JSONNode(
                start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: start),
                next: UInt32(truncatingIfNeeded: parent), info: JSONNode.info(kind)))
    }

    private mutating func pop(
        _ text: Span<UInt8>, _ end: Int, _ nodes: inout OutputSpan<JSONNode>
    ) throws(JSONFault) {
        var flags: UInt32 = 0
        if scope.isObject {
            if scope.hasEscapedName || (scope.count > JSONScope.filterLimit && !scope.isAscending) {
                try checkNames(text, nodes.span)
            }
            if scope.isAscending {
                flags = JSONNode.isSorted
            } else {
                scope.isCanonical = false
            }
        }
        if scope.isCanonical { flags |= JSONNode.isCanonical }
        let parent = Int(Int32(truncatingIfNeeded: nodes[open].next))
        nodes[open].end = UInt32(truncatingIfNeeded: end)
        nodes[open].next = UInt32(truncatingIfNeeded: nodes.count)
        nodes[open].info |= flags | UInt32(truncatingIfNeeded: scope.count) << 6
        open = parent
        depth -= 1
        let isCanonical = scope.isCanonical
        scope = outerScopes.popLast() ?? JSONScope()
        if !isCanonical { scope.isCanonical = false }
    }

    // MARK: Strings and names

    @inline(__always)
    private static func append(
        _ start: Int, _ end: Int, _ info: UInt32, _ nodes: inout OutputSpan<JSONNode>
    ) {
        nodes.append(
            JSONNode(
                start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end),
                next: UInt32(truncatingIfNeeded: nodes.count &+ 1), info: info))
    }

    @inline(__always)
    private mutating func readString(
        _ text: Span<UInt8>, _ index: inout Int, _ nodes: inout OutputSpan<JSONNode>
    ) throws(JSONFault) {
        let start = index
        let flags = try JSONStringScanner.scan(text, &index)
        if flags & JSONNode.isCanonical == 0 { scope.isCanonical = false }
        Self.append(start, index, JSONNode.info(.string, flags), &nodes)
    }

    /// Reads a name, whose first byte is given, and its colon.
    @inline(__always)
    private mutating func readName(
        _ text: Span<UInt8>, _ index: inout Int, _ byte: UInt8,
        _ nodes: inout OutputSpan<JSONNode>
    ) throws(JSONFault) {
        guard byte == UInt8(ascii: "\"") else {
            throw expected(scope.count == 0 ? .nameOrEndOfObject : .name, text, index).inContainer
        }
        let start = index
        let flags: UInt32
        do throws(JSONFault) {
            flags = try JSONStringScanner.scan(text, &index)
        } catch {
            throw error.inContainer
        }
        let name = nodes.count
        Self.append(start, index, JSONNode.info(.string, flags), &nodes)
        if flags & JSONNode.isCanonical == 0 { scope.isCanonical = false }
        if flags & JSONNode.isSpecial != 0 {
            scope.hasEscapedName = true
            scope.isAscending = false
        } else {
            try note(name, start &+ 1, index &- 1, text, nodes)
        }
        guard nextByte(text, &index) == UInt8(ascii: ":") else {
            throw expected(.colon, text, index)
        }
        index &+= 1
    }

    /// Compares a new name with those before it.
    @inline(__always)
    private mutating func note(
        _ name: Int, _ start: Int, _ end: Int, _ text: Span<UInt8>,
        _ nodes: borrowing OutputSpan<JSONNode>
    ) throws(JSONFault) {
        let length = end &- start
        let head = JSONWord.load(text, start, count: length)
        let tail = length > 8 ? JSONWord.load(text, end &- 8) : UInt64(truncatingIfNeeded: length)
        let hash = (head ^ tail &* 0x9E37_79B9_7F4A_7C15) &* 0xD6E8_FEB8_6659_FD93
        let bit: UInt64 = 1 << (hash >> 58)
        let isKnown = scope.filter & bit != 0
        scope.filter |= bit
        if scope.isAscending {
            let key = head.byteSwapped
            if key <= scope.lastKey || (key | scope.lastKey) & JSONWord.highBits != 0 {
                try noteOrder(name, text, nodes.span)
            }
            scope.lastKey = key
            scope.lastName = name
        } else if isKnown, scope.count < JSONScope.filterLimit {
            try lookFor(name, text, nodes.span)
        }
    }

    /// Whether the names still ascend, where their first bytes do not tell.
    @inline(never)
    private mutating func noteOrder(
        _ name: Int, _ text: Span<UInt8>, _ nodes: Span<JSONNode>
    ) throws(JSONFault) {
        guard scope.count > 0 else { return }
        let order = JSONNames.compare(nodes[scope.lastName], nodes[name], text)
        guard order != 0 else { throw duplicate(scope.lastName, name, nodes) }
        guard order > 0 else { return }
        scope.isAscending = false
        if scope.count < JSONScope.filterLimit { try lookFor(name, text, nodes) }
    }

    /// Compares a name with each one before it in its object.
    @inline(never)
    private func lookFor(
        _ name: Int, _ text: Span<UInt8>, _ nodes: Span<JSONNode>
    ) throws(JSONFault) {
        var other = open + 1
        while other < name {
            if JSONNames.areEqual(nodes[other], nodes[name], text) {
                throw duplicate(other, name, nodes)
            }
            other = Int(nodes[other + 1].next)
        }
    }

    /// Compares all names of the innermost object, which has many or escaped ones.
    @inline(never)
    private mutating func checkNames(
        _ text: Span<UInt8>, _ nodes: Span<JSONNode>
    ) throws(JSONFault) {
        let names = JSONNames(object: open, count: scope.count, nodes, text)
        scope.isAscending = names.isAscending
        if let pair = names.duplicate {
            throw duplicate(pair.first, pair.second, nodes)
        }
    }

    // MARK: Literals

    @inline(__always)
    private func readLiteral(
        _ text: Span<UInt8>, _ index: inout Int, _ byte: UInt8,
        _ nodes: inout OutputSpan<JSONNode>
    ) throws(JSONFault) {
        let start = index
        let word = JSONWord.load(text, index, count: min(text.count &- index, 5))
        if word & 0xFFFF_FFFF == 0x6575_7274 {
            index &+= 4
            Self.append(start, index, JSONNode.info(.boolean, JSONNode.isCanonical), &nodes)
        } else if word == 0x65_736C_6166 {
            index &+= 5
            Self.append(start, index, JSONNode.info(.boolean, JSONNode.isCanonical), &nodes)
        } else if word & 0xFFFF_FFFF == 0x6C6C_756E {
            index &+= 4
            Self.append(start, index, JSONNode.info(.null, JSONNode.isCanonical), &nodes)
        } else {
            throw brokenLiteral(text, start, byte)
        }
    }
}
