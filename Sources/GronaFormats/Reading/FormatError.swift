package import StrictJSON

/// Why a file of ours is not of its form, and where.
package struct FormatError: Error, Sendable, Equatable {
    package let code: RuleCode
    package let problem: FormatProblem
    /// RFC 6901.
    package let pointer: String
    package let position: JSONPosition

    package init(
        _ code: RuleCode, _ problem: FormatProblem, pointer: String, position: JSONPosition
    ) {
        self.code = code
        self.problem = problem
        self.pointer = pointer
        self.position = position
    }

    package init(_ code: RuleCode, _ problem: FormatProblem, at element: JSONElement) {
        self.init(code, problem, pointer: element.pointer, position: element.position)
    }

    package init(_ code: RuleCode, _ error: JSONError) {
        self.init(
            code, .json(error.detail), pointer: error.pointer, position: error.position)
    }
}

/// The facts of a format error; the words are written where it is shown.
package enum FormatProblem: Sendable, Equatable {
    case json(JSONProblem)
    case notAnObject
    case missing(member: String)
    case unknownMember(String)
    case wrongType(MemberExpectation)
    /// A text that does not match the pattern of what stands there.
    case notA(FormatPattern)
    /// Another number than 1; nil where `format` is no integer.
    case unknownFormat(Int64?)
    case tooLarge(Int, limit: Int)
    /// One kid twice.
    case kidTwice(KeyID)
    /// One key under two kids.
    case keyTwice(KeyID, KeyID)
    /// One key for configs and grants.
    case keyForBothUses(KeyID, KeyID)
    /// More than one current key of a use.
    case currentTwice(KeyID, KeyID)
    /// The last step of the history is not the key's state.
    case historyEndsElsewhere(KeyState)
    case wrongWorkspace(found: String, needed: String)
}

/// The patterns of texts in our files.
package enum FormatPattern: String, Sendable, Hashable, CaseIterable {
    case keyringID
    case workspaceName
    case keyID
    case keyUse
    case keyState
    /// Standard base64 (RFC 4648 4) of a 91-byte DER SubjectPublicKeyInfo.
    case publicKey
    /// RFC 7638 with SHA-256: 43 characters of base64url.
    case thumbprint
    /// Unix seconds in 2020–2100.
    case time
    case signerURI
}
