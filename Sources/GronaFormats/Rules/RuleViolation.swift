package import StrictJSON

/// What a document is rejected by: the rule's code and the facts, without words.
package struct RuleViolation: Error, Sendable, Equatable {
    package let code: RuleCode
    package let detail: RuleDetail

    package init(_ code: RuleCode, _ detail: RuleDetail = .none) {
        self.code = code
        self.detail = detail
    }
}

/// The facts of a violation; the words are written where it is shown.
package enum RuleDetail: Sendable, Equatable {
    case none
    /// Bytes, and how many are allowed.
    case size(Int, limit: Int)
    /// Padding, another character, white space, or bits that belong to no byte (RFC 4648 5).
    case notBase64URL
    case json(JSONError)
    /// Not the parts that a compact JWS has: how many there are.
    case parts(Int)
    /// A JSON value of another kind than an object.
    case notAnObject
    /// The member names that were found.
    case members([String])
    /// A member or claim that is missing or of another type or form.
    case member(pointer: String, MemberExpectation, isMissing: Bool)
    /// A claim that must not be there.
    case unwanted(String)
    /// The text that was found, nil where the member is no string, and the one that is needed.
    case text(found: String?, needed: String)
    /// A kid that is not trusted, with the state of the key where a keyring knows it; nil where the
    /// member is no string.
    case kid(String?, state: KeyState?)
    /// How many bytes the signature has instead of 64.
    case signatureLength(Int)
    /// A number that was found, and the one that is needed.
    case number(found: Int64, needed: Int64)
    case version(found: ConfigVersion, highest: ConfigVersion)
    case sdk(needed: SDKVersion, available: SDKVersion)
    /// A time outside 2020–2100.
    case outOfBounds(UnixTime)
    /// A time that is further ahead of now than the skew allows.
    case ahead(UnixTime, now: UnixTime, allowed: DurationSeconds)
    /// The end is not after the beginning.
    case endsBeforeItBegins(from: UnixTime, to: UnixTime)
    /// From beginning to end it is longer than allowed.
    case tooLong(DurationSeconds, limit: DurationSeconds)
    case expired(at: UnixTime, now: UnixTime)
    /// A nonce that was used before.
    case used(String)
    /// Which of the two demo switches are on.
    case demoSwitches(install: Bool, config: Bool)
}

/// What a member should have been.
package enum MemberExpectation: String, Sendable, Hashable {
    case object
    case array
    case string
    case boolean
    /// An integer literal: no point, no exponent.
    case integer
    case positiveInteger
    case nonNegativeInteger
    case identifier
    case sdkVersion
    case alwaysTrue
    case alwaysFalse
    case knownValue
}
