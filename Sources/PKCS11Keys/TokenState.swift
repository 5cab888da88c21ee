import CPKCS11
import SigningKeys

/// A token that is in use: sessions and log-in. Touched on its module's thread only.
final class TokenState: @unchecked Sendable {
    let name: TokenName
    var info: TokenInfo
    /// Which initialisation of the module the slot and the sessions are of.
    var epoch: Int

    /// The session that holds the log-in for as long as it lasts; some modules log everybody out
    /// when the session that logged in is closed.
    var anchor: CK_SESSION_HANDLE?
    /// The session that signs; the anchor itself where the token has but one.
    var work: CK_SESSION_HANDLE?
    /// Counts log-ins: handles of private objects do not outlive one.
    var login = 0
    var isLoggedIn = false
    /// Where objects are, once searching for them has cost as much as reading all their names.
    var directory = ObjectDirectory()
    /// Whether this process has logged in, and logs out at its end.
    var loginIsOurs = false

    /// The PIN, for the log-ins that a lost token or key asks for; only one that has succeeded.
    var provenPIN: HeldPIN?
    /// What the token said to a PIN that it did not take. It gets none after that in this run,
    /// wherever the next one comes from: a few wrong ones in a row lock it.
    var refusal: (identity: PINIdentity?, problem: TokenProblem)?
    /// The last thing that no recovery helped against, and when another try may be made.
    var lost: (problem: TokenProblem, until: UInt64)?

    init(_ info: TokenInfo, epoch: Int) {
        name = info.name
        self.info = info
        self.epoch = epoch
    }

    var needsLogin: Bool { info.has(CKF_LOGIN_REQUIRED) }
    var hasKeypad: Bool { info.has(CKF_PROTECTED_AUTHENTICATION_PATH) }
}

/// A PIN that several may hold.
final class HeldPIN: Sendable {
    let pin: PIN

    init(_ pin: consuming PIN) {
        self.pin = pin
    }
}

/// A private key on a token. Touched on its module's thread only.
final class KeyState: @unchecked Sendable {
    let token: TokenState
    /// How it is found again.
    let wanted: SearchedObject
    var handle: CK_OBJECT_HANDLE?
    /// The log-in of the token that the handle is of.
    var login = 0
    /// Whether each signature wants a log-in of its own; `nil` where the token does not say.
    var alwaysAuthenticates: Bool?

    init(_ token: TokenState, wanted: SearchedObject) {
        self.token = token
        self.wanted = wanted
    }
}
