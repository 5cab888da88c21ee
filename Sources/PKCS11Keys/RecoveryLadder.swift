import SigningKeys

/// Decides, after a failed call, what is made anew before a signature is tried once more: session,
/// key, log-in or the whole module. Pure: what was tried comes in as failures.
///
/// A second signature over one digest is harmless, so a retry is safe; but there is one for each
/// signature, and PINs are never guessed. What fails while something is made anew climbs one rung;
/// at the top it is tried again with growing pauses, since a daemon takes its time to come back.
struct RecoveryLadder {
    /// Each rung takes in those below it.
    enum Rung: Int, Comparable {
        case session, key, login, module

        static func < (left: Rung, right: Rung) -> Bool { left.rawValue < right.rawValue }
    }

    enum Step: Equatable {
        case giveUp
        /// - Parameter pause: nanoseconds to wait before.
        case again(Rung, pause: UInt64)
    }

    /// Whether the module may be made ready anew: not when somebody else did it first.
    let canReinitialize: Bool
    /// Whether a lost log-in can be made again: not with a PIN that has never succeeded.
    let canLogIn: Bool
    private(set) var rung: Rung?
    private var hasRetried = false
    private var pause: UInt64 = 0

    /// In nanoseconds.
    static let firstPause: UInt64 = 50_000_000
    static let longestPause: UInt64 = 2_000_000_000

    init(canReinitialize: Bool, canLogIn: Bool) {
        self.canReinitialize = canReinitialize
        self.canLogIn = canLogIn
    }

    mutating func step(after problem: TokenProblem) -> Step {
        guard let need = Self.rung(for: problem) else { return .giveUp }
        var next = need
        if Self.isSigning(problem) {
            guard !hasRetried else { return .giveUp }
            hasRetried = true
        } else if let rung {
            // Something was made anew, and that failed.
            if rung == .module, case .noKey = problem { return .giveUp }
            next = max(need, Rung(rawValue: rung.rawValue + 1) ?? .module)
        }
        if next == .login, !canLogIn { next = .module }
        guard next < .module || (canReinitialize && (canLogIn || !Self.needsLogin(problem)))
        else { return .giveUp }
        guard next == .module, rung == .module else {
            rung = next
            return .again(next, pause: 0)
        }
        pause = min(max(pause * 2, Self.firstPause), Self.longestPause)
        return .again(next, pause: pause)
    }

    private static func isSigning(_ problem: TokenProblem) -> Bool {
        guard case .call(let function, _) = problem else { return false }
        return function == "C_SignInit" || function == "C_Sign"
    }

    private static func needsLogin(_ problem: TokenProblem) -> Bool {
        guard case .call(_, .userNotLoggedIn) = problem else { return false }
        return true
    }

    /// The lowest rung that can help; `nil` where nothing does.
    static func rung(for problem: TokenProblem) -> Rung? {
        switch problem {
        case .call(_, let code): rung(for: code)
        case .noKey: .key
        case .noToken, .severalTokens: .module
        default: nil
        }
    }

    static func rung(for code: TokenCode) -> Rung? {
        switch code {
        case .operationActive, .operationNotInitialized, .sessionHandleInvalid, .sessionClosed,
            .sessionCount:
            .session
        case .objectHandleInvalid, .keyHandleInvalid: .key
        case .userNotLoggedIn: .login
        case .tokenNotPresent, .tokenNotRecognized, .deviceRemoved, .deviceError, .deviceMemory,
            .generalError, .functionFailed, .cryptokiNotInitialized, .hostMemory, .slotIDInvalid:
            .module
        default: nil
        }
    }
}
