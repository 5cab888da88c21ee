package import LinuxIO

/// Why a key on a token cannot be used or made, and where: module and token.
package struct TokenError: Error, Equatable, Sendable {
    /// The module as the URI names it.
    package let module: FilePath
    /// `nil` where no token was found yet.
    package var token: TokenName?
    package let problem: TokenProblem
    /// Where the PIN came from, for a problem with it.
    package var pin: PINOrigin?
    /// The label that a URI asks for, where no token fits it.
    package var wanted: String?

    package init(_ problem: TokenProblem, module: FilePath, token: TokenName? = nil) {
        self.problem = problem
        self.module = module
        self.token = token
    }
}

/// Where a PIN came from.
package enum PINOrigin: Hashable, Sendable {
    case source(PINSource)
    case terminal
}

/// What a token said to a PIN that is on record.
package enum PINAnswer: String, Hashable, Sendable {
    case refused
    /// The run ended, or its time was over, before the token had answered.
    case noAnswer = "none"
}

/// What tells one token from another (PKCS#11 v2.40, 3.2, `CK_TOKEN_INFO`), padding removed.
package struct TokenName: Hashable, Sendable {
    package let label: String
    package let manufacturer: String
    package let model: String
    package let serial: String

    package init(label: String, manufacturer: String, model: String, serial: String) {
        self.label = label
        self.manufacturer = manufacturer
        self.model = model
        self.serial = serial
    }
}

/// One of several keys that fit.
package struct FoundKey: Hashable, Sendable {
    package let label: String
    package let id: [UInt8]
    /// RFC 7638; `nil` where the token does not tell the public half, or it is not on P-256.
    package let thumbprint: String?

    package init(label: String, id: [UInt8], thumbprint: String?) {
        self.label = label
        self.id = id
        self.thumbprint = thumbprint
    }
}

/// What is wrong with a module, a token, its PIN or its key.
package enum TokenProblem: Error, Equatable, Sendable {
    // MARK: Module

    /// Others than trusted owners may change it.
    case unsafeModule(TrustedOwnership.Violation)
    case moduleUnreadable(SystemError)
    /// In the loader's words.
    case notLoadable(String)
    /// A member of the function table is empty.
    case missingFunction(String)
    /// Two URIs give one module two init strings.
    case otherInitString
    /// This process is a copy of the one that made the module ready.
    case forked
    case noThread(SystemError)
    /// A call did not come back within the deadline; the module is not called again.
    case noAnswer(function: String, seconds: Int)
    /// A call that failed with what no other case tells.
    case call(function: String, TokenCode)

    // MARK: Token

    /// - Parameters:
    ///   - labels: of the tokens that are there and do not fit.
    ///   - unreadable: slots that answered with an error.
    case noToken(labels: [String], uninitialised: Int, unreadable: Int)
    case severalTokens([TokenName])
    /// The token does not sign with `CKM_ECDSA` on 256 bits.
    case noMechanism
    /// It was there, it went, and it did not come back in time.
    case tokenGone(function: String, TokenCode)

    // MARK: PIN

    case wrongPIN(TokenCode)
    case lockedPIN
    /// The token wants a PIN, and there is no source and nobody to ask.
    case pinNeeded
    /// The same PIN was refused by an earlier run, at this time (Unix seconds), as a file remembers.
    case pinRemembered(at: Int64, PINAnswer, memory: FilePath)
    case lastTry
    case pinNotSet
    case pinToBeChanged
    /// Not as many bytes as the token takes.
    case pinLength(minimum: Int, maximum: Int)
    /// Somebody else is logged in, such as the security officer.
    case otherUser(TokenCode)
    /// The memory of refused PINs cannot be read or written.
    case pinMemory(FileError)
    case pinMemoryMalformed(FilePath)

    // MARK: Key

    /// - Parameters:
    ///   - isPublicOnly: a public key fits.
    ///   - idLooksHexadecimal: `id` has hexadecimal digits where the bytes were meant.
    case noKey(isPublicOnly: Bool, idLooksHexadecimal: Bool)
    case ambiguousKeys([FoundKey])
    /// `CKA_KEY_TYPE`.
    case otherKeyType(UInt)
    /// `CKA_EC_PARAMS` is another text than the name of P-256.
    case otherCurve([UInt8])
    /// `CKA_SIGN` is false.
    case cannotSign
    /// `CKA_EC_POINT` is no uncompressed point, raw or wrapped; its length and first bytes.
    case badPoint(count: Int, start: [UInt8])
    /// No object tells the public half, and nobody said what to expect.
    case noPublicHalf
    /// Its signature is not by the key on record, and no object tells the public half.
    case otherKey
    /// To be made, and the URI does not say under which label.
    case noLabel
    /// To be made under an empty `CKA_ID`, by which it would never be found with its public half.
    case emptyID
    /// To be recorded, and the URI names the token alone, so that the next key there makes it
    /// ambiguous.
    case unnamedKey(FoundKey)
    case exists
    /// A key that was made and has not the attribute that was asked for.
    case unsafeAttribute(String)

    // MARK: Signature

    /// DER (`ECDSA-Sig-Value`) where PKCS#11 has R then S (v2.40 mechanisms, 2.3.1).
    case derSignature
    case signatureLength(Int)
}
