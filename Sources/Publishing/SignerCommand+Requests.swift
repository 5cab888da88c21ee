package import GronaFormats
package import StrictJSON

extension SignerCommand {
    /// How often a number that the signer had given away is asked for anew.
    package static let maximumTries = 5

    /// Asks for the same content with campaigns switched off.
    package func kill(
        _ envelope: JSONElement, disabling campaigns: [String], version: ConfigVersion
    ) throws(SignerError) -> SignerAnswer {
        try ask(.kill, numbered: version) { number in
            [
                ("id", .string("1")), ("envelope", .element(envelope)),
                ("version", .integer(number.number)),
                ("disable", .array(campaigns.map { .string($0) })),
            ]
        }
    }

    /// Asks for the content of an older envelope; what is off in `served` stays off.
    package func restore(
        _ old: JSONElement, served: JSONElement, version: ConfigVersion
    ) throws(SignerError) -> SignerAnswer {
        try ask(.restore, numbered: version) { number in
            [
                ("id", .string("1")), ("envelope", .element(old)), ("served", .element(served)),
                ("version", .integer(number.number)),
            ]
        }
    }

    /// Asks, and where the signer gave the number to another document before, with the number that
    /// it names.
    private func ask(
        _ verb: SignerVerb, numbered version: ConfigVersion,
        _ members: (ConfigVersion) -> [(String, JSONValue)]
    ) throws(SignerError) -> SignerAnswer {
        try Self.numbered(from: version) { version throws(SignerError) in
            try ask(verb, .object(members(version)))
        }
    }

    /// Asks for a number, and where the signer gave that to another document before, for the one that
    /// it names.
    static func numbered(
        from first: ConfigVersion, _ ask: (ConfigVersion) throws(SignerError) -> SignerAnswer
    ) throws(SignerError) -> SignerAnswer {
        var version = first
        var tries = 1
        while true {
            do throws(SignerError) {
                var answer = try ask(version)
                answer.asked = version
                return answer
            } catch {
                guard case .reused(let next, _) = error, next > version,
                    tries < maximumTries
                else { throw error }
                version = next
                tries += 1
            }
        }
    }
}
