package import JOSE
package import StrictJSON

/// Row `envelope`: a JSON object with exactly the members `protected`, `payload` and `signature`,
/// each a string.
///
/// Source: signed-configuration: The envelope; RFC 7515 7.2.2.
package enum EnvelopeRule {
    package static func read(_ bytes: [UInt8]) throws(RuleViolation) -> FlattenedJWS {
        do throws(FlattenedJWSError) {
            return try FlattenedJWS(parsing: bytes)
        } catch {
            throw violation(error)
        }
    }

    /// Reads an envelope that stands inside another text.
    package static func read(_ element: JSONElement) throws(RuleViolation) -> FlattenedJWS {
        do throws(FlattenedJWSError) {
            return try FlattenedJWS(element)
        } catch {
            throw violation(error)
        }
    }

    private static func violation(_ error: FlattenedJWSError) -> RuleViolation {
        switch error {
        case .notJSON(let error): RuleViolation(.envelopeMalformed, .json(error))
        case .notObject: RuleViolation(.envelopeMalformed, .notAnObject)
        case .members(let names, of: _): RuleViolation(.envelopeMalformed, .members(names))
        case .notString(let element): .wrong(element.pointer, .string, .envelopeMalformed)
        }
    }
}
