package import ES256
package import GronaFormats
package import LinuxIO
package import SigningKeys

/// Keys of tokens, through PKCS#11 modules (v2.40).
package struct PKCS11Keys: KeyBackEnd {
    private let owners: TrustedOwners
    private let pins: PINSources
    private let timeout: UInt64
    private let refused: RefusedPINMemory

    /// - Parameters:
    ///   - timeout: seconds that an answer of a module may take.
    ///   - refused: the PINs that earlier runs were refused with.
    package init(
        owners: TrustedOwners, pins: PINSources, timeout: UInt64, refused: RefusedPINMemory
    ) {
        self.owners = owners
        self.pins = pins
        self.timeout = timeout
        self.refused = refused
    }

    package var schemes: Set<SignerScheme> { [.pkcs11] }

    package func open(
        _ signer: SignerURI, kid: KeyID, expecting expected: P256PublicKey?
    ) throws(SigningKeyError) -> any SigningKey {
        throw .unsupportedScheme(signer.scheme)
    }

    package func generate(
        _ signer: SignerURI, kid: KeyID
    ) throws(SigningKeyError) -> any SigningKey {
        throw .cannotGenerate(signer.scheme)
    }
}
