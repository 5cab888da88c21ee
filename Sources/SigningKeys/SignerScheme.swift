/// What stands before the colon of a signer URI.
package enum SignerScheme: String, Hashable, Sendable, CaseIterable {
    case file
    case credential
    case pkcs11
    case exec
}
