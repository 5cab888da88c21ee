package import StrictJSON

/// An object of one of our own files: every member is known and of its type, or the file is
/// refused.
package struct StrictObject {
    package let element: JSONElement
    private let code: RuleCode

    /// - Parameter allowed: the members there may be; nil allows any.
    package init(
        _ element: JSONElement, allowed: [String]?, code: RuleCode
    ) throws(FormatError) {
        guard element.kind == .object else { throw FormatError(code, .notAnObject, at: element) }
        if let allowed {
            for member in element.members where !allowed.contains(member.name) {
                throw FormatError(code, .unknownMember(member.name), at: member.nameElement)
            }
        }
        self.element = element
        self.code = code
    }

    /// Parses a file and looks at its `format` before anything else.
    package static func parse(
        _ bytes: [UInt8], limit: Int, allowed: [String], code: RuleCode, formatCode: RuleCode
    ) throws(FormatError) -> StrictObject {
        guard bytes.count <= limit else {
            throw FormatError(
                .inputTooLarge, .tooLarge(bytes.count, limit: limit), pointer: "",
                position: JSONPosition(line: 1, column: 1))
        }
        let root: JSONElement
        do throws(JSONError) {
            root = try JSONDocument.parse(bytes).root
        } catch {
            throw FormatError(code, error)
        }
        guard root.kind == .object else { throw FormatError(code, .notAnObject, at: root) }
        guard let format = root["format"] else {
            throw FormatError(code, .missing(member: "format"), at: root)
        }
        guard format.integer == FileFormat.number else {
            throw FormatError(formatCode, .unknownFormat(format.integer), at: format)
        }
        return try StrictObject(root, allowed: allowed, code: code)
    }

    package func required(_ name: String) throws(FormatError) -> JSONElement {
        guard let value = element[name] else {
            throw FormatError(code, .missing(member: name), at: element)
        }
        return value
    }

    package func text(_ name: String) throws(FormatError) -> String {
        let value = try required(name)
        guard let text = value.string else {
            throw FormatError(code, .wrongType(.string), at: value)
        }
        return text
    }

    package func pattern<Value>(
        _ name: String, _ pattern: FormatPattern, _ make: (String) -> Value?
    ) throws(FormatError) -> Value {
        let text = try text(name)
        guard let value = make(text) else {
            throw FormatError(code, .notA(pattern), at: try required(name))
        }
        return value
    }

    package func array(_ name: String) throws(FormatError) -> JSONElements {
        let value = try required(name)
        guard value.kind == .array else {
            throw FormatError(code, .wrongType(.array), at: value)
        }
        return value.elements
    }

    package func time(_ name: String) throws(FormatError) -> UnixTime {
        let value = try required(name)
        guard let seconds = value.integer else {
            throw FormatError(code, .wrongType(.integer), at: value)
        }
        let time = UnixTime(seconds)
        guard time.isWithinBounds else { throw FormatError(code, .notA(.time), at: value) }
        return time
    }
}

/// Every file of ours carries `"format": 1`; another number is refused, never guessed.
package enum FileFormat {
    package static let number: Int64 = 1
}
