internal import GronaFormats
internal import StrictJSON

/// Readers of members that report what they cannot read and return `nil`.
extension Findings {
    /// The member, which has to be there.
    mutating func required(
        _ name: String, of object: JSONElement, _ rule: RuleCode
    ) -> JSONElement? {
        guard let value = object[name] else {
            add(rule, at: object, .missing(member: name))
            return nil
        }
        return value
    }

    mutating func string(_ element: JSONElement, _ rule: RuleCode) -> String? {
        guard let value = element.string else { return mistyped(element, .string, rule) }
        return value
    }

    mutating func boolean(_ element: JSONElement, _ rule: RuleCode) -> Bool? {
        guard let value = element.boolean else { return mistyped(element, .boolean, rule) }
        return value
    }

    /// An integer literal: `1.0` and `1e3` are none.
    mutating func integer(_ element: JSONElement, _ rule: RuleCode) -> Int64? {
        guard let value = element.integer else { return mistyped(element, .integer, rule) }
        return value
    }

    /// An integer literal within a range.
    mutating func integer(
        _ element: JSONElement, within range: ClosedRange<Int64>, _ rule: RuleCode
    ) -> Int64? {
        guard let value = integer(element, rule) else { return nil }
        guard range.contains(value) else {
            add(
                rule, at: element,
                .range(found: value, atLeast: range.lowerBound, atMost: range.upperBound))
            return nil
        }
        return value
    }

    mutating func object(_ element: JSONElement, _ rule: RuleCode) -> JSONElement? {
        guard element.kind == .object else { return mistyped(element, .object, rule) }
        return element
    }

    mutating func array(_ element: JSONElement, _ rule: RuleCode) -> JSONElement? {
        guard element.kind == .array else { return mistyped(element, .array, rule) }
        return element
    }

    /// A string of the form of an id (offers-and-grants: The grant token, ids).
    mutating func identifier(_ element: JSONElement, _ rule: RuleCode) -> String? {
        guard let text = string(element, rule) else { return nil }
        guard Identifier(text) != nil else { return malformed(element, .identifier, text, rule) }
        return text
    }

    /// A `MAJOR.MINOR.PATCH`.
    mutating func version(_ element: JSONElement, _ rule: RuleCode) -> SDKVersion? {
        guard let text = string(element, rule) else { return nil }
        guard let version = SDKVersion(text) else {
            return malformed(element, .version, text, rule)
        }
        return version
    }

    /// One of a few words.
    mutating func word(
        _ element: JSONElement, of words: [String], _ rule: RuleCode
    ) -> String? {
        guard let text = string(element, rule) else { return nil }
        guard let word = words.first(where: { $0.utf8.elementsEqual(text.utf8) }) else {
            add(rule, at: element, .word(expected: words, found: text))
            return nil
        }
        return word
    }

    /// A duration in seconds: an integer literal or a string such as `30d`.
    mutating func duration(_ element: JSONElement, _ rule: RuleCode) -> Int64? {
        switch element.kind {
        case .number:
            return integer(element, rule)
        case .string:
            guard let text = string(element, rule) else { return nil }
            do throws(DurationError) {
                return try DurationSeconds(parsing: text).seconds
            } catch {
                return malformed(element, .duration, text, rule)
            }
        default:
            return mistyped(element, .duration, rule)
        }
    }

    /// Members of an object beyond the known ones.
    mutating func unknownMembers(
        of object: JSONElement, known: [String], _ rule: RuleCode,
        ignoring: (String) -> Bool = { _ in false }
    ) {
        for member in object.members where !ignoring(member.name) {
            if !known.contains(where: { $0.utf8.elementsEqual(member.name.utf8) }) {
                add(
                    rule, position: member.nameElement.position, pointer: member.value.pointer,
                    .unknown(member: member.name))
            }
        }
    }

    mutating func mistyped<Value>(
        _ element: JSONElement, _ expected: ValueType, _ rule: RuleCode
    ) -> Value? {
        add(rule, at: element, .type(expected: expected, found: ValueType(of: element)))
        return nil
    }

    mutating func malformed<Value>(
        _ element: JSONElement, _ expected: ValueForm, _ found: String, _ rule: RuleCode
    ) -> Value? {
        add(rule, at: element, .form(expected: expected, found: found))
        return nil
    }
}
