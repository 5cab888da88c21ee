package import StrictJSON

/// A JSON value over several lines, for people; members keep the order of the text.
package enum IndentedJSON {
    /// Lines without a newline at the end; every character that could steer a terminal is escaped
    /// by whoever shows them.
    package static func lines(_ element: JSONElement) -> [String] {
        var lines = [""]
        append(element, depth: 0, to: &lines)
        return lines
    }

    private static func append(_ element: JSONElement, depth: Int, to lines: inout [String]) {
        switch element.kind {
        case .object where element.count > 0:
            var values: [(String, JSONElement)] = []
            for member in element.members {
                values.append((scalar(member.nameElement) + ": ", member.value))
            }
            append(values, "{", "}", depth, &lines)
        case .array where element.count > 0:
            append(element.elements.map { ("", $0) }, "[", "]", depth, &lines)
        default: lines[lines.count - 1] += scalar(element)
        }
    }

    private static func append(
        _ values: [(head: String, value: JSONElement)], _ opening: String, _ closing: String,
        _ depth: Int, _ lines: inout [String]
    ) {
        lines[lines.count - 1] += opening
        for (number, entry) in values.enumerated() {
            lines.append(indent(depth + 1) + entry.head)
            append(entry.value, depth: depth + 1, to: &lines)
            if number < values.count - 1 { lines[lines.count - 1] += "," }
        }
        lines.append(indent(depth) + closing)
    }

    private static func scalar(_ element: JSONElement) -> String {
        String(decoding: element.canonical(), as: UTF8.self)
    }

    private static func indent(_ depth: Int) -> String {
        String(repeating: "  ", count: depth)
    }
}
