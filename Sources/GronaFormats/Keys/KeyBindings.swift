package import StrictJSON

/// What a kid is bound to, for ever: no kid for two keys, no key under two kids, no key as both
/// config and grant key.
package struct KeyBindings: Sendable {
    private var keys: [KeyID: [UInt8]] = [:]
    private var kids: [[UInt8]: (kid: KeyID, use: KeyUse)] = [:]

    package init() {}

    /// What is wrong with one more key, nil when it may stand beside those added so far. The same
    /// kid with the same key and use again is a kid twice.
    package func problem(
        _ kid: KeyID, _ key: PublicKeyText, use: KeyUse
    ) -> FormatProblem? {
        if let other = kids[key.spki], other.kid != kid || other.use != use {
            return other.use == use
                ? .keyTwice(other.kid, kid) : .keyForBothUses(other.kid, kid)
        }
        return keys[kid] == nil ? nil : .kidTwice(kid)
    }

    /// Takes a key in; the caller has asked for its problem.
    package mutating func insert(_ kid: KeyID, _ key: PublicKeyText, use: KeyUse) {
        keys[kid] = key.spki
        kids[key.spki] = (kid, use)
    }

    /// Takes a key of a file in, or throws `key.binding`.
    package mutating func add(
        _ kid: KeyID, _ key: PublicKeyText, use: KeyUse, at element: JSONElement
    ) throws(FormatError) {
        if let problem = problem(kid, key, use: use) {
            throw FormatError(.keyBinding, problem, at: element)
        }
        insert(kid, key, use: use)
    }
}
