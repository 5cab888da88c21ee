import JOSE
import StrictJSON

/// The values of a protected header that has exactly its three members; nil where a value is no
/// string.
package struct HeaderMembers: Sendable, Hashable {
    package let algorithm: String?
    package let kid: String?
    package let type: String?

    package init(algorithm: String?, kid: String?, type: String?) {
        self.algorithm = algorithm
        self.kid = kid
        self.type = type
    }
}

/// Row `header`: base64url of a JSON object with exactly the members `alg`, `kid` and `typ`.
///
/// Source: signed-configuration: The envelope, "exactly three fields"; RFC 7515 4.
package enum HeaderRule {
    /// - Parameter text: the base64url text of the protected header.
    package static func read(_ text: [UInt8]) throws(RuleViolation) -> HeaderMembers {
        guard let bytes = Base64URL.decode(text) else {
            throw RuleViolation(.headerMalformed, .notBase64URL)
        }
        let root: JSONElement
        do throws(JSONError) {
            root = try JSONDocument.parse(bytes, maximumDepth: Limits.depth).root
        } catch {
            throw RuleViolation(.headerMalformed, .json(error))
        }
        guard root.kind == .object else { throw RuleViolation(.headerMalformed, .notAnObject) }
        guard root.count == 3, let algorithm = root["alg"], let kid = root["kid"],
            let type = root["typ"]
        else { throw RuleViolation(.headerMembers, .members(root.members.map(\.name))) }
        return HeaderMembers(
            algorithm: algorithm.string, kid: kid.string, type: type.string)
    }
}
