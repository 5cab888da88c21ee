import CPKCS11
import ES256
import SigningKeys

// Finding a key and judging it by its attributes.
extension ModuleDriver {
    /// Finds the one key that a URI means, on a token that is logged in as far as it has to be.
    func openKey(_ uri: PKCS11URI, on token: TokenState) throws(TokenProblem) -> KeyState {
        var wanted = SearchedObject(
            CKO_PRIVATE_KEY, label: uri.selectors[.object], id: uri.selectors[.id])
        let key = KeyState(token, wanted: wanted)
        let found = try search(wanted, on: token, limit: 16)
        guard let handle = found.first else {
            wanted.kind = CKO_PUBLIC_KEY
            let halves = try search(wanted, on: token, limit: 1)
            throw .noKey(
                isPublicOnly: !halves.isEmpty, idLooksHexadecimal: Self.looksHexadecimal(uri))
        }
        guard found.count == 1 else {
            throw .ambiguousKeys(try facts(of: found, on: token))
        }
        let session = try work(of: token)
        try check(handle, session)
        key.handle = handle
        key.login = token.login
        key.alwaysAuthenticates = cryptoki.flag(
            CKA_ALWAYS_AUTHENTICATE, of: handle, in: session)
        return key
    }

    /// Finds a key again whose handle may be void.
    func findAgain(_ key: KeyState) throws(TokenProblem) -> CK_OBJECT_HANDLE {
        if let handle = key.handle, key.login == key.token.login { return handle }
        let session = try work(of: key.token)
        let found = try cryptoki.find(key.wanted.template, in: session, limit: 2)
        guard let handle = found.first else {
            throw .noKey(isPublicOnly: false, idLooksHexadecimal: false)
        }
        guard found.count == 1 else {
            throw .ambiguousKeys(try facts(of: found, on: key.token))
        }
        try check(handle, session)
        key.handle = handle
        key.login = key.token.login
        return handle
    }

    private func check(
        _ key: CK_OBJECT_HANDLE, _ session: CK_SESSION_HANDLE
    ) throws(TokenProblem) {
        let type = cryptoki.number(CKA_KEY_TYPE, of: key, in: session)
        if let type, type != CKK_EC { throw .otherKeyType(type) }
        // Where the token does not tell the curve, the trial signature does.
        let curve = cryptoki.bytes(CKA_EC_PARAMS, of: key, in: session)
        if let curve, curve != Self.p256 { throw .otherCurve(curve) }
        if cryptoki.flag(CKA_SIGN, of: key, in: session) == false {
            throw .cannotSign
        }
    }

    /// The name of P-256 in DER (RFC 5480, 2.1.1.1).
    static let p256: [UInt8] = [
        0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x03, 0x01, 0x07,
    ]

    /// What tells a key from others of its token.
    func facts(of key: KeyState) throws(TokenProblem) -> FoundKey {
        try facts(of: try findAgain(key), on: key.token)
    }

    private func facts(
        of keys: [CK_OBJECT_HANDLE], on token: TokenState
    ) throws(TokenProblem) -> [FoundKey] {
        var told: [FoundKey] = []
        for key in keys { told.append(try facts(of: key, on: token)) }
        return told
    }

    private func facts(
        of key: CK_OBJECT_HANDLE, on token: TokenState
    ) throws(TokenProblem) -> FoundKey {
        let session = try work(of: token)
        let label = cryptoki.bytes(CKA_LABEL, of: key, in: session) ?? []
        let id = cryptoki.bytes(CKA_ID, of: key, in: session) ?? []
        let half = try? publicHalf(of: key, on: token, orCertificate: false)
        return FoundKey(
            label: String(decoding: label, as: UTF8.self), id: id, thumbprint: half?.thumbprint)
    }

    /// Whether `id` was written with hexadecimal digits where bytes are meant (RFC 7512, 2.3).
    private static func looksHexadecimal(_ uri: PKCS11URI) -> Bool {
        guard let id = uri.selectors[.id], !id.isEmpty, id.count.isMultiple(of: 2)
        else { return false }
        return id.allSatisfy {
            (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20)
        }
    }

    // MARK: The public half

    /// The public half as the token tells it, from the best source that has it: the public key
    /// with the same `CKA_ID`, the private key itself, a certificate.
    ///
    /// - Parameter orCertificate: a certificate may be of an older key, so it is asked only where
    ///   nothing is known otherwise.
    func publicHalf(
        of key: KeyState, orCertificate: Bool
    ) throws(TokenProblem) -> P256PublicKey? {
        try publicHalf(of: try findAgain(key), on: key.token, orCertificate: orCertificate)
    }

    private func publicHalf(
        of key: CK_OBJECT_HANDLE, on token: TokenState, orCertificate: Bool
    ) throws(TokenProblem) -> P256PublicKey? {
        let session = try work(of: token)
        let id = cryptoki.bytes(CKA_ID, of: key, in: session)
        if let half = try object(CKO_PUBLIC_KEY, id, on: token),
            let point = cryptoki.bytes(CKA_EC_POINT, of: half, in: session)
        {
            return try Self.publicKey(point: point)
        }
        if let spki = cryptoki.bytes(Self.publicKeyInfo, of: key, in: session),
            let half = try? P256PublicKey(spki: spki)
        {
            return half
        }
        if let point = cryptoki.bytes(CKA_EC_POINT, of: key, in: session) {
            return try Self.publicKey(point: point)
        }
        guard orCertificate, let certificate = try object(CKO_CERTIFICATE, id, on: token),
            let text = cryptoki.bytes(CKA_VALUE, of: certificate, in: session)
        else { return nil }
        return CertificateKey.publicKey(of: text)
    }

    /// `CKA_PUBLIC_KEY_INFO` (PKCS#11 v2.40, 4.9), which older headers lack.
    private static let publicKeyInfo: CK_ATTRIBUTE_TYPE = 0x129

    private func object(
        _ kind: CK_OBJECT_CLASS, _ id: [UInt8]?, on token: TokenState
    ) throws(TokenProblem) -> CK_OBJECT_HANDLE? {
        guard let id else { return nil }
        let found = try search(SearchedObject(kind, id: id), on: token, limit: 2)
        return found.count == 1 ? found.first : nil
    }

    /// An uncompressed point, raw or in an OCTET STRING; which one is told by the length, since a
    /// raw point may look like DER (PKCS#11 v2.40 mechanisms, 2.3.3).
    static func publicKey(point: [UInt8]) throws(TokenProblem) -> P256PublicKey {
        let raw =
            switch point.count {
            case 67 where point.starts(with: [0x04, 0x41, 0x04]): Array(point.dropFirst(2))
            case 65 where point.first == 0x04: point
            default: [UInt8]()
            }
        do throws(PublicKeyError) {
            return try P256PublicKey(uncompressedPoint: raw)
        } catch {
            throw .badPoint(count: point.count, start: Array(point.prefix(4)))
        }
    }
}
