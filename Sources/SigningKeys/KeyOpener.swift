package import ES256
package import GronaFormats

/// Finds the back end of a signer URI and gives out only keys that are the keyring's and that
/// verify what they sign.
package struct KeyOpener: Sendable {
    private let backEnds: [any KeyBackEnd]

    package init(_ backEnds: [any KeyBackEnd]) {
        self.backEnds = backEnds
    }

    /// The key of a keyring's record.
    ///
    /// - Parameter expected: the public half in the record.
    package func open(
        _ signer: SignerURI, kid: KeyID, expecting expected: P256PublicKey
    ) throws(SigningKeyError) -> SelfVerifyingSigner {
        let key = try backEnd(for: signer).open(
            signer, kid: kid, expecting: expected)
        return try SelfVerifyingSigner(key, expecting: expected)
    }

    /// A key that no keyring has yet.
    package func open(
        new signer: SignerURI, kid: KeyID
    ) throws(SigningKeyError) -> SelfVerifyingSigner {
        let key = try backEnd(for: signer).open(signer, kid: kid, expecting: nil)
        return try SelfVerifyingSigner(key, expecting: key.publicKey)
    }

    /// Makes a key where the URI points to, never in place of another.
    package func generate(
        _ signer: SignerURI, kid: KeyID
    ) throws(SigningKeyError) -> SelfVerifyingSigner {
        let key = try backEnd(for: signer).generate(signer, kid: kid)
        return try SelfVerifyingSigner(key, expecting: key.publicKey)
    }

    private func backEnd(for signer: SignerURI) throws(SigningKeyError) -> any KeyBackEnd {
        guard let found = backEnds.first(where: { $0.schemes.contains(signer.scheme) })
        else { throw .unsupportedScheme(signer.scheme) }
        return found
    }
}
