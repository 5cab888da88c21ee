import CPKCS11
import LinuxIO
import SigningKeys

// Signatures, and what is made anew when one fails.
extension ModuleDriver {
    /// Signs a digest; at most one retry, after what the failure asks for was made anew.
    ///
    /// - Parameters:
    ///   - digest: exactly 32 bytes: some modules sign whatever they get.
    ///   - deadline: monotonic nanoseconds; what is made anew with pauses ends before it.
    func sign(
        _ digest: [UInt8], with key: KeyState, until deadline: UInt64
    ) throws(TokenProblem) -> [UInt8] {
        var ladder = RecoveryLadder(
            canReinitialize: isOurs, canLogIn: !key.token.needsLogin || key.token.provenPIN != nil)
        // Of this token alone: another one of the module may be well.
        let wasLost = key.token.lost
        let start = SystemClock.monotonicNanoseconds()
        if let wasLost, start < wasLost.until { throw wasLost.problem }
        var first: TokenProblem?
        while true {
            do throws(TokenProblem) {
                let signature = try attempt(digest, key)
                key.token.lost = nil
                return signature
            } catch {
                first = first ?? error
                if case .call("C_Sign", .userNotLoggedIn) = error, key.alwaysAuthenticates == nil,
                    key.token.provenPIN != nil
                {
                    // The token did not say so, and shows it now.
                    key.alwaysAuthenticates = true
                }
                // What fails once all was tried in vain before is not waited for again.
                guard case .again(let rung, let pause) = ladder.step(after: error),
                    pause == 0 || wasLost == nil, wait(pause, until: deadline)
                else { throw lastWord(of: key.token, error, first, ladder, since: start) }
                makeAnew(rung, key)
            }
        }
    }

    /// One attempt: what is missing is made on the way.
    private func attempt(
        _ digest: [UInt8], _ key: KeyState
    ) throws(TokenProblem) -> [UInt8] {
        let token = key.token
        try findAgain(token)
        try logInAgain(token)
        let isFresh = token.work == nil
        var session = try work(of: token)
        if isFresh, token.needsLogin, token.isLoggedIn, try isPublic(session) {
            // The log-in went with the sessions.
            closeSessions(of: token)
            try logInAgain(token)
            session = try work(of: token)
        }
        let handle = try findAgain(key)
        do throws(TokenProblem) {
            try cryptoki.signInit(session, handle)
            if key.alwaysAuthenticates == true { try authenticate(token, session) }
            return try cryptoki.sign(session, digest)
        } catch {
            // An operation may be left in it.
            closeWork(of: token)
            throw error
        }
    }

    private func isPublic(_ session: CK_SESSION_HANDLE) throws(TokenProblem) -> Bool {
        guard let state = try cryptoki.state(of: session) else { return false }
        return state == CKS_RO_PUBLIC_SESSION || state == CKS_RW_PUBLIC_SESSION
    }

    private func makeAnew(_ rung: RecoveryLadder.Rung, _ key: KeyState) {
        switch rung {
        case .session: closeWork(of: key.token)
        case .key:
            closeWork(of: key.token)
            key.handle = nil
        case .login:
            closeSessions(of: key.token)
            key.handle = nil
        case .module:
            end()
            key.handle = nil
        }
    }

    /// Whether the pause fits in before the deadline; a fifth of what is left stays for the calls.
    private func wait(_ pause: UInt64, until deadline: UInt64) -> Bool {
        guard pause > 0 else { return true }
        let now = SystemClock.monotonicNanoseconds()
        guard now < deadline, pause < (deadline - now) / 5 * 4 else { return false }
        SystemClock.sleep(nanoseconds: pause)
        return true
    }

    /// What is told in the end, and remembered for what is signed next.
    private func lastWord(
        of token: TokenState, _ last: TokenProblem, _ first: TokenProblem?,
        _ ladder: RecoveryLadder, since start: UInt64
    ) -> TokenProblem {
        guard ladder.rung == .module, RecoveryLadder.rung(for: last) != nil else { return last }
        var told = last
        if case .noKey = last {
            // The token is there, and the key is not: nothing to wait for.
            return last
        } else if case .call(let function, let code)? = first {
            told = .tokenGone(function: function, code)
        }
        let spent = SystemClock.monotonicNanoseconds() - start
        token.lost = (told, SystemClock.deadline(after: min(spent, Self.longestRest)))
        return told
    }

    /// A token that did not come back is left alone for as long as was waited for it, and no longer
    /// than this, in nanoseconds: what answers at once costs no other signature.
    private static let longestRest: UInt64 = 5_000_000_000
}
