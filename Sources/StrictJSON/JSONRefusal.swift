/// What exactly is wrong where the reader found something else than it expected.
extension JSONReader {
    @inline(never)
    func expected(
        _ expected: JSONProblem.Expected, _ text: Span<UInt8>, _ index: Int
    ) -> JSONFault {
        guard index < text.count else {
            return JSONFault(isUntouched ? .empty : .truncated, text.count)
        }
        if let fault = Self.malformedUTF8(text, index) { return fault }
        if Self.isComment(text, index) { return JSONFault(.comment, index) }
        switch (expected, text[index]) {
        case (.value, UInt8(ascii: "]")) where !scope.isObject && scope.count > 0,
            (.name, UInt8(ascii: "}")):
            return JSONFault(.trailingComma, Self.lastByte(text, before: index)).inContainer
        case (.value, UInt8(ascii: "+")), (.valueOrEndOfArray, UInt8(ascii: "+")):
            return JSONFault(.number(.plusSign), index)
        case (.value, UInt8(ascii: ".")), (.valueOrEndOfArray, UInt8(ascii: ".")):
            return JSONFault(.number(.missingDigit), index)
        case (.value, UInt8(ascii: "N")), (.valueOrEndOfArray, UInt8(ascii: "N")),
            (.value, UInt8(ascii: "I")), (.valueOrEndOfArray, UInt8(ascii: "I")):
            return JSONFault(.number(.notANumber), index)
        case (_, let byte):
            return JSONFault(.unexpected(byte: byte, expected: expected), index)
        }
    }

    private var isUntouched: Bool { open < 0 && scope.count == 0 }

    /// Something stands after the value.
    @inline(never)
    func trailing(_ text: Span<UInt8>, _ index: Int) -> JSONFault {
        if let fault = Self.malformedUTF8(text, index) { return fault }
        return JSONFault(Self.isComment(text, index) ? .comment : .trailingData, index)
    }

    /// A word that begins as `true`, `false` or `null` does.
    @inline(never)
    func brokenLiteral(_ text: Span<UInt8>, _ start: Int, _ first: UInt8) -> JSONFault {
        let literal: StaticString =
            switch first {
            case UInt8(ascii: "t"): "true"
            case UInt8(ascii: "f"): "false"
            default: "null"
            }
        var index = start
        for byte in literal.description.utf8 {
            guard index < text.count else { return JSONFault(.truncated, index) }
            guard text[index] == byte else { break }
            index += 1
        }
        return JSONFault(.unexpected(byte: text[index], expected: .literal), start)
    }

    func duplicate(_ first: Int, _ second: Int, _ nodes: Span<JSONNode>) -> JSONFault {
        var fault = JSONFault(
            .duplicateName(first: JSONPosition(line: 0, column: 0)), Int(nodes[second].start))
        fault.names = (first, second)
        return fault
    }

    private static func lastByte(_ text: Span<UInt8>, before index: Int) -> Int {
        var last = index - 1
        while last > 0, text[last] <= 0x20 {
            last -= 1
        }
        return max(last, 0)
    }

    private static func isComment(_ text: Span<UInt8>, _ index: Int) -> Bool {
        switch text[index] {
        case UInt8(ascii: "#"): true
        case UInt8(ascii: "/"):
            index + 1 < text.count
                && (text[index + 1] == UInt8(ascii: "/") || text[index + 1] == UInt8(ascii: "*"))
        default: false
        }
    }

    private static func malformedUTF8(_ text: Span<UInt8>, _ index: Int) -> JSONFault? {
        guard text[index] >= 0x80 else { return nil }
        var end = index
        do throws(JSONFault) {
            try JSONStringScanner.scanMultibyte(text, &end)
            return nil
        } catch {
            return error
        }
    }

    /// The error for a fault, with its line, column and pointer.
    func error(_ fault: JSONFault, _ nodes: [JSONNode], _ text: Span<UInt8>) -> JSONError {
        var problem = fault.problem
        if let names = fault.names {
            problem = .duplicateName(
                first: JSONPosition(offset: Int(nodes[names.first].start), in: text))
        }
        return JSONError(
            detail: problem, offset: fault.offset,
            position: JSONPosition(offset: fault.offset, in: text),
            pointer: pointer(fault, nodes, text))
    }

    /// The place that was being read (RFC 6901).
    private func pointer(
        _ fault: JSONFault, _ nodes: [JSONNode], _ text: Span<UInt8>
    ) -> String {
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
                let name =
                    isInnermost ? fault.names?.second ?? nodes.count - 1 : chain[level + 1] - 1
                guard name > container else { break }
                JSONString.appendPointerToken(JSONNames.decoded(nodes[name], text), to: &result)
            } else {
                let position = isInnermost ? scope.count : outerScopes[level + 1].count
                JSONString.appendPointerToken(Array(position.description.utf8), to: &result)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
