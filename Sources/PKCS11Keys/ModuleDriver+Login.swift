import CPKCS11
import SecretMemory
import SigningKeys

// Logging in (PKCS#11 v2.40, 5.6): a token that has refused a PIN gets no other in one run.
extension ModuleDriver {
    /// What speaks against a log-in before any PIN is tried.
    ///
    /// - Parameter retries: whether the last try may be used.
    func checkPIN(of token: TokenState, retries: Bool) throws(TokenProblem) {
        guard token.needsLogin else { return }
        let info = token.info
        if info.has(CKF_USER_PIN_LOCKED) { throw .lockedPIN }
        if info.has(CKF_USER_PIN_TO_BE_CHANGED) { throw .pinToBeChanged }
        if !info.has(CKF_USER_PIN_INITIALIZED) { throw .pinNotSet }
        if info.has(CKF_USER_PIN_FINAL_TRY), !retries { throw .lastTry }
    }

    /// The first log-in of a token in this run.
    ///
    /// - Parameter pin: `nil` for a token with a keypad of its own.
    func logIn(_ token: TokenState, _ pin: HeldPIN?) throws(TokenProblem) {
        let identity = pin?.pin.identity
        if let refusal = token.refusal { throw refusal.problem }
        let anchor = try anchor(of: token)
        let code: TokenCode
        if let pin {
            try checkLength(of: pin, token)
            code = cryptoki.login(anchor, CKU_USER, pin: pin.pin)
        } else {
            code = cryptoki.loginAtKeypad(anchor, CKU_USER)
        }
        do throws(TokenProblem) {
            try Self.judge(code)
        } catch {
            if Self.isAboutPIN(error) { token.refusal = (identity, error) }
            throw error
        }
        token.login += 1
        token.isLoggedIn = true
        // A log-in that was there already says nothing about this PIN.
        token.loginIsOurs = code == .ok
        if code == .ok { token.provenPIN = pin }
    }

    /// Logs in again, after a token or a session was lost, with the PIN that has succeeded.
    func logInAgain(_ token: TokenState) throws(TokenProblem) {
        guard token.needsLogin, !token.isLoggedIn else { return }
        guard let pin = token.provenPIN else {
            // The log-in that is gone was somebody else's, or its PIN was refused since.
            throw token.refusal?.problem ?? .pinNeeded
        }
        try checkPIN(of: token, retries: false)
        let anchor = try anchor(of: token)
        let code = cryptoki.login(anchor, CKU_USER, pin: pin.pin)
        do throws(TokenProblem) {
            try Self.judge(code)
        } catch {
            if Self.isAboutPIN(error) {
                token.provenPIN = nil
                token.refusal = (pin.pin.identity, error)
            }
            throw error
        }
        token.login += 1
        token.isLoggedIn = true
        if code == .ok { token.loginIsOurs = true }
    }

    /// The log-in that a key with `CKA_ALWAYS_AUTHENTICATE` wants between `C_SignInit` and
    /// `C_Sign`, for each signature.
    func authenticate(_ token: TokenState, _ session: CK_SESSION_HANDLE) throws(TokenProblem) {
        let code: TokenCode
        if let pin = token.provenPIN {
            code = cryptoki.login(session, CKU_CONTEXT_SPECIFIC, pin: pin.pin)
        } else if token.hasKeypad {
            code = cryptoki.loginAtKeypad(session, CKU_CONTEXT_SPECIFIC)
        } else {
            throw token.refusal?.problem ?? .pinNeeded
        }
        do throws(TokenProblem) {
            try Self.judge(code)
        } catch {
            if Self.isAboutPIN(error), let pin = token.provenPIN {
                token.refusal = (pin.pin.identity, error)
                token.provenPIN = nil
            }
            throw error
        }
    }

    private func checkLength(of pin: HeldPIN, _ token: TokenState) throws(TokenProblem) {
        let (least, most) = (token.info.info.ulMinPinLen, token.info.info.ulMaxPinLen)
        let count = CK_ULONG(pin.pin.bytes.count)
        // Zero and all ones stand for "not known".
        let isTooLong = most != 0 && most != .max && count > most
        let isTooShort = least != .max && count < least
        guard !isTooLong, !isTooShort else {
            throw .pinLength(minimum: Int(clamping: least), maximum: Int(clamping: most))
        }
    }

    /// What an answer of `C_Login` means.
    static func judge(_ code: TokenCode) throws(TokenProblem) {
        switch code {
        case .ok, .userAlreadyLoggedIn: return
        case .pinIncorrect, .pinInvalid, .pinLengthRange: throw .wrongPIN(code)
        case .pinLocked: throw .lockedPIN
        case .pinExpired: throw .pinToBeChanged
        case .userPINNotInitialized: throw .pinNotSet
        case .userAnotherAlreadyLoggedIn, .userTooManyTypes: throw .otherUser(code)
        default: throw .call(function: Cryptoki.Function.login.name, code)
        }
    }

    private static func isAboutPIN(_ problem: TokenProblem) -> Bool {
        switch problem {
        case .wrongPIN, .lockedPIN, .pinToBeChanged, .pinNotSet: true
        default: false
        }
    }
}
