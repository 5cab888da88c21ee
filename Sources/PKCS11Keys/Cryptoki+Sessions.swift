import CPKCS11
import SecretMemory
import SigningKeys

// Sessions, log-in and signatures (PKCS#11 v2.40, 5.6 and 5.11).
extension Cryptoki {
    /// Read-only where the token has such sessions, and where nothing is to be written.
    func openSession(_ slot: CK_SLOT_ID, writable: Bool = false) throws(TokenProblem)
        -> CK_SESSION_HANDLE
    {
        let flags = CKF_SERIAL_SESSION
        let writing = flags | CKF_RW_SESSION
        if !writable {
            do {
                return try openSession(slot, flags)
            } catch .call(_, let code) where Self.wantWritable.contains(code) {
                // Some services have no other sessions.
            }
        }
        return try openSession(slot, writing)
    }

    private static let wantWritable: Set<TokenCode> = [
        .sessionReadOnly, .argumentsBad, .functionNotSupported, .functionFailed,
        .functionRejected,
    ]

    private func openSession(
        _ slot: CK_SLOT_ID, _ flags: CK_FLAGS
    ) throws(TokenProblem) -> CK_SESSION_HANDLE {
        var session: CK_SESSION_HANDLE = 0
        try call(.openSession) {
            unsafe table.pointee.C_OpenSession(slot, flags, nil, nil, &session)
        }
        return session
    }

    func closeSession(_ session: CK_SESSION_HANDLE) -> TokenCode {
        code(of: .closeSession) { unsafe table.pointee.C_CloseSession(session) }
    }

    /// The state of a session; `nil` where the module does not tell it.
    func state(of session: CK_SESSION_HANDLE) throws(TokenProblem) -> CK_STATE? {
        guard unsafe table.pointee.C_GetSessionInfo != nil else { return nil }
        var info = CK_SESSION_INFO()
        try call(.getSessionInfo) { unsafe table.pointee.C_GetSessionInfo(session, &info) }
        return info.state
    }

    /// - Parameter pin: `nil` where the token has a keypad of its own.
    func login(
        _ session: CK_SESSION_HANDLE, _ user: CK_USER_TYPE, pin: borrowing PIN
    ) -> TokenCode {
        pin.bytes.withSpan { span in
            unsafe span.withUnsafeBytes { bytes in
                let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
                let address = unsafe UnsafeMutablePointer(mutating: start)
                return code(of: .login) {
                    unsafe table.pointee.C_Login(session, user, address, CK_ULONG(bytes.count))
                }
            }
        }
    }

    /// Where the token asks by its own keypad.
    func loginAtKeypad(_ session: CK_SESSION_HANDLE, _ user: CK_USER_TYPE) -> TokenCode {
        code(of: .login) { unsafe table.pointee.C_Login(session, user, nil, 0) }
    }

    func logout(_ session: CK_SESSION_HANDLE) -> TokenCode {
        code(of: .logout) { unsafe table.pointee.C_Logout(session) }
    }

    /// Begins a signature with `CKM_ECDSA`, which takes the digest as it is.
    func signInit(
        _ session: CK_SESSION_HANDLE, _ key: CK_OBJECT_HANDLE
    ) throws(TokenProblem) {
        var mechanism = unsafe CK_MECHANISM()
        unsafe mechanism.mechanism = CKM_ECDSA
        try call(.signInit) { unsafe table.pointee.C_SignInit(session, &mechanism, key) }
    }

    /// Ends it in one call: a question for the length ends the operation in some modules.
    func sign(
        _ session: CK_SESSION_HANDLE, _ digest: [UInt8]
    ) throws(TokenProblem) -> [UInt8] {
        var digest = digest
        var signature = [UInt8](repeating: 0, count: 256)
        var count = CK_ULONG(signature.count)
        try call(.sign) {
            unsafe table.pointee.C_Sign(
                session, &digest, CK_ULONG(digest.count), &signature, &count)
        }
        signature.removeLast(max(0, signature.count - Int(clamping: count)))
        return signature
    }
}
