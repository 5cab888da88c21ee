package import StrictJSON

// Typed reading of members as an SDK does it: what is missing or of another type is a violation
// with the code of the place that reads. Pointers begin at the object that is read, so that a
// violation costs the same wherever it stands; who reads a part of a document puts its place before
// them.
extension JSONElement {
    package func required(
        _ name: String, _ expectation: MemberExpectation, _ code: RuleCode
    ) throws(RuleViolation) -> JSONElement {
        guard let value = self[name] else {
            throw RuleViolation(
                code, .member(pointer: "/" + name, expectation, isMissing: true))
        }
        return value
    }

    package func integer(_ name: String, _ code: RuleCode) throws(RuleViolation) -> Int64 {
        let value = try required(name, .integer, code)
        guard let integer = value.integer else { throw .wrong("/" + name, .integer, code) }
        return integer
    }

    package func text(_ name: String, _ code: RuleCode) throws(RuleViolation) -> String {
        let value = try required(name, .string, code)
        guard let text = value.string else { throw .wrong("/" + name, .string, code) }
        return text
    }

    package func flag(_ name: String, _ code: RuleCode) throws(RuleViolation) -> Bool {
        let value = try required(name, .boolean, code)
        guard let flag = value.boolean else { throw .wrong("/" + name, .boolean, code) }
        return flag
    }

    package func identifier(_ name: String, _ code: RuleCode) throws(RuleViolation) -> Identifier {
        let value = try required(name, .identifier, code)
        guard let identifier = value.string.flatMap(Identifier.init(_:)) else {
            throw .wrong("/" + name, .identifier, code)
        }
        return identifier
    }

    package func time(_ name: String, _ code: RuleCode) throws(RuleViolation) -> UnixTime {
        UnixTime(try integer(name, code))
    }
}

extension RuleViolation {
    /// A value that is there and is not what it should be.
    package static func wrong(
        _ pointer: String, _ expectation: MemberExpectation, _ code: RuleCode
    ) -> RuleViolation {
        RuleViolation(code, .member(pointer: pointer, expectation, isMissing: false))
    }

    /// The same violation of a part that stands at a place of the document.
    package func below(_ place: String) -> RuleViolation {
        guard case .member(let pointer, let expectation, let isMissing) = detail else {
            return self
        }
        return RuleViolation(
            code, .member(pointer: place + pointer, expectation, isMissing: isMissing))
    }
}

extension String {
    /// Equality of the bytes; `==` would merge texts that are canonically equivalent.
    package func hasSameBytes(as other: String) -> Bool {
        utf8.elementsEqual(other.utf8)
    }
}
