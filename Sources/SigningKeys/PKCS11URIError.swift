/// Why a text is no URI of a key on a token. No case carries a value of the URI.
package enum PKCS11URIError: Error, Hashable, Sendable {
    /// The PIN itself stands in the URI.
    case pinValue
    /// No attribute of the path says which key is meant.
    case nothingSelected
    /// Something between separators is no `name=value`.
    case malformedAttribute
    /// An attribute that is not known where it stands; its name.
    case unknownAttribute(String)
    case repeatedAttribute(String)
    /// A character that must be percent-encoded there.
    case badCharacter(String)
    /// A percent sign without two hexadecimal digits.
    case badPercent(String)
    case notUTF8(String)
    case zeroByte(String)
    /// More bytes than the field has with which it is compared.
    case tooLong(String, limit: Int)
    /// Not the decimal number that it has to be.
    case badNumber(String)
    /// `type` is not `private`.
    case otherType
    case noModule
    case relativeModule
    /// `module-name`: there is no folder of modules in which it would be looked for.
    case moduleName
    /// `pin-source` is no `file:` with an absolute path and no `credential:NAME`.
    case pinSource
}
