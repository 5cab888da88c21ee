// What is wrong with how a program was called or with what it was given.
extension RuleCode {
    /// More bytes than a reader takes in before it parses.
    package static let inputTooLarge = RuleCode("input.too-large")
    /// A rehearsal that would touch real keys or stores.
    package static let rehearsalReal = RuleCode("rehearsal.real")
    /// A file of used nonces is not of the form that we write (offers-and-grants: The order backend
    /// is the enforcement point).
    package static let noncesMalformed = RuleCode("nonces.malformed")
    /// Its last line was not written to its end (a warning).
    package static let noncesTorn = RuleCode("nonces.torn")
}
