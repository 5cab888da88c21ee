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
}
