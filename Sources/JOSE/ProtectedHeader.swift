package import StrictJSON

/// The protected header of everything that Grona signs: exactly `alg`, `kid` and `typ`
/// (signed-configuration: The envelope; offers-and-grants: The grant token).
package struct ProtectedHeader: Hashable, Sendable {
    package let alg: String
    package let kid: String
    package let typ: String

    package init(alg: String, kid: String, typ: String) {
        self.alg = alg
        self.kid = kid
        self.typ = typ
    }

    /// The header as JSON in canonical form (RFC 8785).
    package var canonical: [UInt8] {
        JSONValue.object([("alg", .string(alg)), ("kid", .string(kid)), ("typ", .string(typ))])
            .canonical()
    }

    /// The header as it stands in a JWS: base64url of its canonical form.
    package var encoded: [UInt8] {
        Base64URL.encode(canonical)
    }
}

/// A protected header as it was read: the three members are there and no other, and what they hold
/// is still to be judged, each on its own.
package struct UncheckedHeader: Sendable {
    package let alg: JSONElement
    package let kid: JSONElement
    package let typ: JSONElement

    /// - Parameter text: the `protected` part of a JWS as it stands there.
    package init(encoded text: [UInt8]) throws(ProtectedHeaderError) {
        guard let json = Base64URL.decode(text) else { throw .notBase64URL }
        let document: JSONDocument
        do {
            document = try JSONDocument.parse(json)
        } catch {
            throw .notJSON(error)
        }
        let root = document.root
        guard root.kind == .object else { throw .notObject }
        guard root.count == 3, let alg = root["alg"], let kid = root["kid"], let typ = root["typ"]
        else { throw .members(root.members.map { $0.name }) }
        self.alg = alg
        self.kid = kid
        self.typ = typ
    }

    /// The header, when all three members are strings.
    package var header: ProtectedHeader? {
        guard let alg = alg.string, let kid = kid.string, let typ = typ.string else { return nil }
        return ProtectedHeader(alg: alg, kid: kid, typ: typ)
    }
}

/// Why a protected header cannot be read.
package enum ProtectedHeaderError: Error, Equatable, Sendable {
    case notBase64URL
    case notJSON(JSONError)
    case notObject
    /// Other members than the three, by name in the order of the text.
    case members([String])

    /// Whether the text is no JSON object at all, rather than one of other members.
    package var isMalformed: Bool {
        switch self {
        case .notBase64URL, .notJSON, .notObject: true
        case .members: false
        }
    }
}
