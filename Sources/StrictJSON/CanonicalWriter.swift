/// Writes the canonical form of RFC 8785 with a stack of its own in place of recursion.
struct CanonicalWriter {
    private(set) var output: [UInt8] = []

    /// What remains to be written, the next one last.
    private enum Step {
        case byte(UInt8)
        case node(JSONDocument, Int)
        case name([UInt8])
        case value(JSONValue)
    }

    mutating func append(_ element: JSONElement) {
        run([.node(element.document, element.index)])
    }

    mutating func append(_ value: JSONValue) {
        run([.value(value)])
    }

    private mutating func run(_ first: [Step]) {
        var steps = first
        while let step = steps.popLast() {
            switch step {
            case .byte(let byte): output.append(byte)
            case .name(let name): append(name)
            case .value(let value): append(value, &steps)
            case .node(let document, let index): append(document, index, &steps)
            }
        }
    }

    private mutating func append(_ value: JSONValue, _ steps: inout [Step]) {
        switch value {
        case .null: output.append(contentsOf: "null".utf8)
        case .boolean(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): output.append(contentsOf: value.description.utf8)
        case .number(let value): JSONNumber.append(value, to: &output)
        case .string(let value): append(Array(value.utf8))
        case .array(let values):
            container("[", values.map { [.value($0)] }, "]", &steps)
        case .object(let members):
            container(
                "{", sorted(members.map { (Array($0.0.utf8), Step.value($0.1)) }), "}", &steps)
        case .element(let element): steps.append(.node(element.document, element.index))
        }
    }

    private mutating func append(
        _ document: JSONDocument, _ index: Int, _ steps: inout [Step]
    ) {
        let node = document.nodes[index]
        let element = JSONElement(document: document, index: index)
        guard !node.has(JSONNode.isCanonical) else {
            output.append(contentsOf: document.bytes[node.range])
            return
        }
        switch node.kind {
        case .object:
            let members = element.members.map {
                ($0.nameElement.utf8 ?? [], Step.node(document, $0.value.index))
            }
            container("{", sorted(members), "}", &steps)
        case .array:
            container("[", element.elements.map { [.node(document, $0.index)] }, "]", &steps)
        case .number: JSONNumber.append(element.double ?? 0, to: &output)
        case .string: append(element.utf8 ?? [])
        case .boolean, .null: output.append(contentsOf: document.bytes[node.range])
        }
    }

    private mutating func container(
        _ start: Unicode.Scalar, _ items: [[Step]], _ end: Unicode.Scalar, _ steps: inout [Step]
    ) {
        output.append(UInt8(ascii: start))
        steps.append(.byte(UInt8(ascii: end)))
        for (index, item) in items.enumerated().reversed() {
            steps += item.reversed()
            if index > 0 { steps.append(.byte(UInt8(ascii: ","))) }
        }
    }

    private func sorted(_ members: [(name: [UInt8], value: Step)]) -> [[Step]] {
        // The sort is stable, so that the last of equal names is the later one.
        let sorted = members.sorted { JSONString.compare($0.name.span, $1.name.span) < 0 }
        return sorted.indices.compactMap { index in
            guard index + 1 == sorted.count || sorted[index].name != sorted[index + 1].name else {
                return nil
            }
            return [.name(sorted[index].name), .byte(UInt8(ascii: ":")), sorted[index].value]
        }
    }

    /// A string with its quotes: escaped is only what RFC 8785 3.2.2.2 demands.
    private mutating func append(_ text: [UInt8]) {
        output.append(UInt8(ascii: "\""))
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                output.append(UInt8(ascii: "\\"))
                output.append(byte)
            case 0x08: output.append(contentsOf: "\\b".utf8)
            case 0x09: output.append(contentsOf: "\\t".utf8)
            case 0x0A: output.append(contentsOf: "\\n".utf8)
            case 0x0C: output.append(contentsOf: "\\f".utf8)
            case 0x0D: output.append(contentsOf: "\\r".utf8)
            case ..<0x20:
                output.append(contentsOf: "\\u00".utf8)
                output.append(UInt8(ascii: "0") + byte >> 4)
                output.append(
                    byte & 0x0F < 10
                        ? UInt8(ascii: "0") + byte & 0x0F : UInt8(ascii: "a") + byte & 0x0F - 10)
            default: output.append(byte)
            }
        }
        output.append(UInt8(ascii: "\""))
    }
}
