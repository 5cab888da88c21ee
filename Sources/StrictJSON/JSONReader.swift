/// Reads a text into nodes, with a loop in place of recursion.
///
/// The open container's node keeps the index of the container around it in `next` until it is
/// closed, so that the nodes are the stack.
struct JSONReader {
    let depthLimit: Int
    private(set) var nodes: [JSONNode] = []
    /// Names of the open objects, the innermost last.
    var names = JSONNames()

    /// Levels around the next value.
    private var depth: Int
    /// Index of the innermost open container; -1 outside of all.
    private var open = -1
    private var openIsObject = false
    /// Members or elements of the open container so far.
    private var count = 0
    /// The text since the open container's start is its canonical form.
    private var isCanonical = true
    private var frames: [Frame] = []
    /// Two equal names: where the first stands, and the node of the second.
    private var firstName = 0
    private var failedName: Int?

    private struct Frame {
        var count: Int
        var isCanonical: Bool
        var names: JSONNames.Mark
    }

    init(depthLimit: Int, outerDepth: Int) {
        self.depthLimit = depthLimit
        depth = outerDepth
    }

    mutating func read(_ text: Span<UInt8>) throws(JSONFault) {
        try checkEncoding(text)
        nodes.reserveCapacity(text.count / 12 + 4)
        var index = 0
        values: while true {
            skipBlanks(text, &index)
            guard index < text.count else { throw end(text) }
            switch text[index] {
            case UInt8(ascii: "{"):
                try push(.object, index)
                index += 1
                skipBlanks(text, &index)
                guard index < text.count else { throw end(text).inContainer }
                if text[index] != UInt8(ascii: "}") {
                    try readName(text, &index, .nameOrEndOfObject)
                    continue values
                }
                index += 1
                try pop(text, index)
            case UInt8(ascii: "["):
                try push(.array, index)
                index += 1
                skipBlanks(text, &index)
                guard index < text.count else { throw end(text) }
                if text[index] != UInt8(ascii: "]") {
                    continue values
                }
                index += 1
                try pop(text, index)
            case UInt8(ascii: "\""):
                try readString(text, &index)
            case UInt8(ascii: "t"):
                try readLiteral(text, &index, "true", .boolean)
            case UInt8(ascii: "f"):
                try readLiteral(text, &index, "false", .boolean)
            case UInt8(ascii: "n"):
                try readLiteral(text, &index, "null", .null)
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                try readNumber(text, &index)
            default:
                throw unexpected(text, index, valueExpectation)
            }
            count += 1

            // After a value: its container goes on, or ends and is then itself such a value.
            while true {
                if open < 0 { isCanonical = true }
                skipBlanks(text, &index)
                guard open >= 0 else {
                    guard index == text.count else { throw trailing(text, index) }
                    return
                }
                guard index < text.count else { throw end(text).inContainer }
                let byte = text[index]
                if byte == UInt8(ascii: ",") {
                    let comma = index
                    index += 1
                    if openIsObject {
                        skipBlanks(text, &index)
                        guard index < text.count else { throw end(text).inContainer }
                        guard text[index] != UInt8(ascii: "}") else {
                            throw JSONFault(.trailingComma, comma).inContainer
                        }
                        try readName(text, &index, .name)
                    } else {
                        skipBlanks(text, &index)
                        guard index < text.count else { throw end(text) }
                        guard text[index] != UInt8(ascii: "]") else {
                            throw JSONFault(.trailingComma, comma).inContainer
                        }
                    }
                    continue values
                }
                guard byte == (openIsObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
                    throw unexpected(
                        text, index, openIsObject ? .commaOrEndOfObject : .commaOrEndOfArray
                    ).inContainer
                }
                index += 1
                try pop(text, index)
                count += 1
            }
        }
    }

    private mutating func skipBlanks(_ text: Span<UInt8>, _ index: inout Int) {
        guard index < text.count, text[index] <= 0x20 else { return }
        while index < text.count {
            switch text[index] {
            case 0x20, 0x0A, 0x0D, 0x09:
                index += 1
                isCanonical = false
            default: return
            }
        }
    }

    // MARK: Containers

    private mutating func push(_ kind: JSONKind, _ start: Int) throws(JSONFault) {
        guard depth < depthLimit else { throw JSONFault(.tooDeep(limit: depthLimit), start) }
        depth += 1
        frames.append(Frame(count: count, isCanonical: isCanonical, names: names.mark))
        names.begin()
        nodes.append(
            JSONNode(
                start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: start),
                next: UInt32(truncatingIfNeeded: open), info: JSONNode.info(kind)))
        open = nodes.count - 1
        openIsObject = kind == .object
        count = 0
        isCanonical = true
    }

    private mutating func pop(_ text: Span<UInt8>, _ end: Int) throws(JSONFault) {
        var flags: UInt32 = 0
        if openIsObject {
            if let pair = names.duplicate(nodes, text) {
                firstName = Int(nodes[pair.first].start)
                failedName = pair.second
                throw JSONFault(
                    .duplicateName(first: JSONPosition(line: 0, column: 0)),
                    Int(nodes[pair.second].start))
            }
            if names.isAscending {
                flags |= JSONNode.isSorted
            } else {
                isCanonical = false
            }
        }
        if isCanonical { flags |= JSONNode.isCanonical }
        let parent = Int(Int32(truncatingIfNeeded: nodes[open].next))
        nodes[open].end = UInt32(truncatingIfNeeded: end)
        nodes[open].next = UInt32(truncatingIfNeeded: nodes.count)
        nodes[open].info |= flags | UInt32(truncatingIfNeeded: count) << 6
        open = parent
        openIsObject = parent >= 0 && nodes[parent].kind == .object
        depth -= 1
        if let frame = frames.popLast() {
            count = frame.count
            isCanonical = isCanonical && frame.isCanonical
            names.end(frame.names)
        }
    }

    // MARK: Scalars

    private mutating func append(_ start: Int, _ end: Int, _ info: UInt32) {
        nodes.append(
            JSONNode(
                start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: end),
                next: UInt32(truncatingIfNeeded: nodes.count + 1), info: info))
    }

    private mutating func readString(_ text: Span<UInt8>, _ index: inout Int) throws(JSONFault) {
        let start = index
        let isEscaped = try JSONStringScanner.scan(text, &index)
        if isEscaped { isCanonical = false }
        append(
            start, index,
            JSONNode.info(.string, isEscaped ? JSONNode.isSpecial : JSONNode.isCanonical))
    }

    /// Reads a name and its colon.
    private mutating func readName(
        _ text: Span<UInt8>, _ index: inout Int, _ expected: JSONProblem.Expected
    ) throws(JSONFault) {
        guard text[index] == UInt8(ascii: "\"") else {
            throw unexpected(text, index, expected).inContainer
        }
        do throws(JSONFault) {
            try readString(text, &index)
        } catch {
            throw error.inContainer
        }
        names.append(nodes.count - 1, nodes, text)
        skipBlanks(text, &index)
        guard index < text.count else { throw end(text) }
        guard text[index] == UInt8(ascii: ":") else { throw unexpected(text, index, .colon) }
        index += 1
    }

    private mutating func readLiteral(
        _ text: Span<UInt8>, _ index: inout Int, _ literal: StaticString, _ kind: JSONKind
    ) throws(JSONFault) {
        let start = index
        for byte in literal.description.utf8 {
            guard index < text.count else { throw end(text) }
            guard text[index] == byte else { throw unexpected(text, start, .literal) }
            index += 1
        }
        append(start, index, JSONNode.info(kind, JSONNode.isCanonical))
    }

    private mutating func readNumber(_ text: Span<UInt8>, _ index: inout Int) throws(JSONFault) {
        let start = index
        let flags = try JSONNumber.scan(text, &index)
        if flags & JSONNode.isCanonical == 0 { isCanonical = false }
        append(start, index, JSONNode.info(.number, flags))
    }
}

// MARK: What is refused

extension JSONReader {
    private func checkEncoding(_ text: Span<UInt8>) throws(JSONFault) {
        guard text.count <= JSONNode.maximumLength else {
            throw JSONFault(.tooLong(limit: JSONNode.maximumLength), JSONNode.maximumLength)
        }
        guard text.count >= 2 else { return }
        switch (text[0], text[1]) {
        case (0xFE, 0xFF), (0xFF, 0xFE), (0, _), (_, 0):
            throw JSONFault(.notUTF8Encoding, 0)
        case (0xEF, 0xBB) where text.count >= 3 && text[2] == 0xBF:
            throw JSONFault(.byteOrderMark, 0)
        default: break
        }
    }

    private func end(_ text: Span<UInt8>) -> JSONFault {
        JSONFault(nodes.isEmpty ? .empty : .truncated, text.count)
    }

    private func trailing(_ text: Span<UInt8>, _ index: Int) -> JSONFault {
        isComment(text, index)
            ? JSONFault(.comment, index)
            : malformedUTF8(text, index) ?? JSONFault(.trailingData, index)
    }

    private var valueExpectation: JSONProblem.Expected {
        open >= 0 && !openIsObject && count == 0 ? .valueOrEndOfArray : .value
    }

    private func unexpected(
        _ text: Span<UInt8>, _ index: Int, _ expected: JSONProblem.Expected
    ) -> JSONFault {
        let byte = text[index]
        if isComment(text, index) { return JSONFault(.comment, index) }
        if expected == .value || expected == .valueOrEndOfArray {
            switch byte {
            case UInt8(ascii: "+"): return JSONFault(.number(.plusSign), index)
            case UInt8(ascii: "."): return JSONFault(.number(.missingDigit), index)
            case UInt8(ascii: "N"), UInt8(ascii: "I"):
                return JSONFault(.number(.notANumber), index)
            default: break
            }
        }
        return malformedUTF8(text, index)
            ?? JSONFault(.unexpected(byte: byte, expected: expected), index)
    }

    private func isComment(_ text: Span<UInt8>, _ index: Int) -> Bool {
        switch text[index] {
        case UInt8(ascii: "#"): true
        case UInt8(ascii: "/"):
            index + 1 < text.count
                && (text[index + 1] == UInt8(ascii: "/") || text[index + 1] == UInt8(ascii: "*"))
        default: false
        }
    }

    private func malformedUTF8(_ text: Span<UInt8>, _ index: Int) -> JSONFault? {
        guard text[index] >= 0x80 else { return nil }
        var end = index
        do throws(JSONFault) {
            try JSONStringScanner.scanMultibyte(text, &end)
            return nil
        } catch {
            return error
        }
    }

    /// The problem, with what takes a look at the whole text.
    func problem(of fault: JSONFault, in text: Span<UInt8>) -> JSONProblem {
        guard case .duplicateName = fault.problem else { return fault.problem }
        return .duplicateName(first: JSONPosition(offset: firstName, in: text))
    }

    /// The place that was being read when `read` ended with this.
    func pointer(of fault: JSONFault, in text: Span<UInt8>) -> String {
        var chain: [Int] = []
        var container = open
        while container >= 0, container < nodes.count {
            chain.append(container)
            container = Int(Int32(truncatingIfNeeded: nodes[container].next))
        }
        chain.reverse()
        var result: [UInt8] = []
        for (level, container) in chain.enumerated() {
            let isInnermost = level + 1 == chain.count
            if isInnermost && !fault.isInMember { break }
            if nodes[container].kind == .object {
                // A member's name stands directly before its value.
                let name = isInnermost ? failedName ?? nodes.count - 1 : chain[level + 1] - 1
                guard name > container else { break }
                JSONString.appendPointerToken(Self.name(nodes[name], text), to: &result)
            } else {
                let position = isInnermost ? count : frames[level + 1].count
                JSONString.appendPointerToken(Array(position.description.utf8), to: &result)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func name(_ node: JSONNode, _ text: Span<UInt8>) -> [UInt8] {
        JSONString.decode(text.extracting(Int(node.start) + 1..<Int(node.end) - 1))
    }
}
