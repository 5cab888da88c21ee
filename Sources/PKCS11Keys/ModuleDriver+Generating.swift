import CPKCS11
import SigningKeys

// Making a key pair in a token.
extension ModuleDriver {
    /// Makes a key pair on P-256, and takes it back where it is not as safe as it was asked for.
    func generate(label: [UInt8], id: [UInt8], on token: TokenState) throws(TokenProblem) {
        let session = try cryptoki.openSession(token.info.slot, writable: true)
        defer { _ = cryptoki.closeSession(session) }
        for (type, value) in [(CKA_LABEL, label), (CKA_ID, id)] {
            for kind in [CKO_PRIVATE_KEY, CKO_PUBLIC_KEY] {
                var template = AttributeTemplate()
                template.add(CKA_CLASS, number: kind)
                template.add(type, value)
                guard try cryptoki.find(template, in: session, limit: 1).isEmpty
                else { throw .exists }
            }
        }
        var isExact = true
        var pair: (publicHalf: CK_OBJECT_HANDLE, privateHalf: CK_OBJECT_HANDLE)
        do throws(TokenProblem) {
            pair = try make(label, id, session, isExact: true)
        } catch {
            guard case .call(_, let code) = error, Self.tooExact.contains(code)
            else { throw error }
            isExact = false
            pair = try make(label, id, session, isExact: false)
        }
        // No mechanism does these with such a key; where the token says it may, it is told
        // otherwise.
        for use in [CKA_DECRYPT, CKA_SIGN_RECOVER]
        where cryptoki.flag(use, of: pair.privateHalf, in: session) == true {
            cryptoki.clear(use, of: pair.privateHalf, in: session)
        }
        if let wrong = unsafeAttribute(of: pair.privateHalf, session, isExact: isExact) {
            cryptoki.destroy(pair.privateHalf, in: session)
            cryptoki.destroy(pair.publicHalf, in: session)
            throw .unsafeAttribute(wrong)
        }
    }

    /// What a module says that does not take attributes which forbid other uses than signing.
    private static let tooExact: Set<TokenCode> = [
        .attributeTypeInvalid, .attributeValueInvalid, .templateInconsistent, .attributeReadOnly,
        .functionNotSupported, .argumentsBad, .generalError,
    ]

    private func make(
        _ label: [UInt8], _ id: [UInt8], _ session: CK_SESSION_HANDLE, isExact: Bool
    ) throws(TokenProblem) -> (publicHalf: CK_OBJECT_HANDLE, privateHalf: CK_OBJECT_HANDLE) {
        var (open, closed) = (AttributeTemplate(), AttributeTemplate())
        open.add(CKA_CLASS, number: CKO_PUBLIC_KEY)
        open.add(CKA_KEY_TYPE, number: CKK_EC)
        open.add(CKA_TOKEN, flag: true)
        open.add(CKA_EC_PARAMS, Self.p256)
        open.add(CKA_VERIFY, flag: true)
        open.add(CKA_LABEL, label)
        open.add(CKA_ID, id)
        closed.add(CKA_CLASS, number: CKO_PRIVATE_KEY)
        closed.add(CKA_KEY_TYPE, number: CKK_EC)
        closed.add(CKA_TOKEN, flag: true)
        closed.add(CKA_PRIVATE, flag: true)
        closed.add(CKA_SENSITIVE, flag: true)
        closed.add(CKA_EXTRACTABLE, flag: false)
        closed.add(CKA_LABEL, label)
        closed.add(CKA_ID, id)
        if isExact {
            for use in Self.otherUses { closed.add(use.type, flag: false) }
        }
        closed.add(CKA_SIGN, flag: true)
        return try cryptoki.generateKeyPair(publicHalf: open, privateHalf: closed, in: session)
    }

    /// Uses that are forbidden from the start. `CKA_DECRYPT` is not among them: tpm2-pkcs11 refuses
    /// the whole template for it, and an object of the attempt stays in the TPM.
    private static let otherUses: [(type: CK_ATTRIBUTE_TYPE, name: String)] = [
        (CKA_UNWRAP, "CKA_UNWRAP"), (CKA_DERIVE, "CKA_DERIVE"),
    ]

    /// The first attribute that is not as it was asked for; one that the token does not tell where
    /// safety hangs on it counts as wrong.
    private func unsafeAttribute(
        of key: CK_OBJECT_HANDLE, _ session: CK_SESSION_HANDLE, isExact: Bool
    ) -> String? {
        let wanted: [(CK_ATTRIBUTE_TYPE, String, Bool)] = [
            (CKA_TOKEN, "CKA_TOKEN", true), (CKA_PRIVATE, "CKA_PRIVATE", true),
            (CKA_SENSITIVE, "CKA_SENSITIVE", true), (CKA_EXTRACTABLE, "CKA_EXTRACTABLE", false),
            (CKA_SIGN, "CKA_SIGN", true),
        ]
        for (type, name, value) in wanted
        where cryptoki.flag(type, of: key, in: session) != value {
            return name
        }
        guard isExact else { return nil }
        return Self.otherUses.first {
            cryptoki.flag($0.type, of: key, in: session) == true
        }?.name
    }
}
