/// What a signed document is, by the `typ` of its protected header.
package enum DocumentType: String, Sendable, Hashable, CaseIterable {
    /// signed-configuration: The envelope.
    case config = "grona-config+jws"
    /// offers-and-grants: The grant token.
    case grant = "grona-grant+jwt"
    /// signed-configuration: Pinned keys, preview pins.
    case preview = "grona-preview+jwt"

    /// The family of keys that signs it.
    package var keyUse: KeyUse {
        self == .grant ? .grant : .config
    }
}

/// Row `kid`: `alg` is `ES256`, `typ` is that of the document, `kid` is pinned.
///
/// Source: signed-configuration: The envelope, Pinned keys; offers-and-grants: The grant token.
package enum KidRule {
    package static let algorithm = "ES256"

    /// - Parameters:
    ///   - pins: the kids that are trusted.
    ///   - states: why others are not, where a keyring knows them.
    package static func check(
        _ header: HeaderMembers, type: DocumentType, pins: Set<KeyID>,
        states: [KeyID: KeyState] = [:]
    ) throws(RuleViolation) -> KeyID {
        try check(header, type: type, isPinned: pins.contains) { states[$0] }
    }

    package static func check(
        _ header: HeaderMembers, type: DocumentType, isPinned: (KeyID) -> Bool,
        state: (KeyID) -> KeyState?
    ) throws(RuleViolation) -> KeyID {
        guard let found = header.algorithm, found.hasSameBytes(as: algorithm) else {
            throw RuleViolation(
                .headerAlgorithm, .text(found: header.algorithm, needed: algorithm))
        }
        guard let found = header.type, found.hasSameBytes(as: type.rawValue) else {
            throw RuleViolation(.headerType, .text(found: header.type, needed: type.rawValue))
        }
        let kid = header.kid.flatMap(KeyID.init(_:))
        guard let kid, isPinned(kid) else {
            throw RuleViolation(
                .headerUnknownKid, .kid(header.kid, state: kid.flatMap(state)))
        }
        return kid
    }
}
