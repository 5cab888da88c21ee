/// Writes values in canonical form (RFC 8785) with a stack of its own in place of recursion.
struct CanonicalValues {
    private(set) var output: [UInt8] = []

    /// What remains to be written, the next one last.
    private enum Step {
        case byte(UInt8)
        case name([UInt8])
        case value(JSONValue)
    }

    init(_ value: JSONValue) {
        var steps: [Step] = [.value(value)]
        while let step = steps.popLast() {
            switch step {
            case .byte(let byte): output.append(byte)
            case .name(let name): JSONString.append(name.span, to: &output)
            case .value(let value): append(value, &steps)
            }
        }
    }

    private mutating func append(_ value: JSONValue, _ steps: inout [Step]) {
        switch value {
        case .null: output.append(contentsOf: "null".utf8)
        case .boolean(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): output.append(contentsOf: value.description.utf8)
        case .number(let value): JSONNumber.append(value, to: &output)
        case .string(let value): JSONString.append(Array(value.utf8).span, to: &output)
        case .array(let values):
            output.append(UInt8(ascii: "["))
            steps.append(.byte(UInt8(ascii: "]")))
            for (index, value) in values.enumerated().reversed() {
                steps.append(.value(value))
                if index > 0 { steps.append(.byte(UInt8(ascii: ","))) }
            }
        case .object(let members):
            output.append(UInt8(ascii: "{"))
            steps.append(.byte(UInt8(ascii: "}")))
            for (index, member) in Self.sorted(members).enumerated().reversed() {
                steps.append(.value(member.value))
                steps.append(.byte(UInt8(ascii: ":")))
                steps.append(.name(member.name))
                if index > 0 { steps.append(.byte(UInt8(ascii: ","))) }
            }
        case .element(let element): output += element.canonical()
        }
    }

    private static func sorted(
        _ members: [(String, JSONValue)]
    ) -> [(name: [UInt8], value: JSONValue)] {
        // The sort is stable, so that the last of equal names is the later one.
        let sorted = members.map { (name: Array($0.0.utf8), value: $0.1) }
            .sorted { JSONString.compare($0.name.span, $1.name.span) < 0 }
        return sorted.indices.compactMap { index in
            index + 1 < sorted.count && sorted[index].name == sorted[index + 1].name
                ? nil : sorted[index]
        }
    }
}
