import CPKCS11
import LinuxIO
import SigningKeys

/// What is known of a module while it is in use, and the calls in the order that modules want.
/// Touched on the module's thread only.
final class ModuleDriver: @unchecked Sendable {
    let cryptoki: Cryptoki
    let initString: [UInt8]?
    /// Counts initialisations; what is of an earlier one is void.
    private(set) var epoch = 0
    private var isReady = false
    /// Whether this process has made it ready, and so may end it.
    private(set) var isOurs = false
    private(set) var tokens: [TokenState] = []

    init(_ cryptoki: Cryptoki, initString: [UInt8]?) {
        self.cryptoki = cryptoki
        self.initString = initString
    }

    // MARK: Module

    /// Makes the module ready: with the system's locks, else without, since one thread calls it.
    func makeReady() throws(TokenProblem) {
        guard !isReady else { return }
        var code = cryptoki.initialize(reserved: initString, locks: true)
        if code == .cantLock || (code == .argumentsBad && initString == nil) {
            let other =
                initString == nil
                ? cryptoki.initializeWithoutArguments()
                : cryptoki.initialize(reserved: initString, locks: false)
            // The first answer says more where neither is taken.
            if other == .ok || other == .cryptokiAlreadyInitialized { code = other }
        }
        switch code {
        case .ok: isOurs = true
        case .cryptokiAlreadyInitialized: isOurs = isOurs && epoch > 0
        default: throw .call(function: Cryptoki.Function.initialize.name, code)
        }
        isReady = true
        epoch += 1
    }

    /// Ends the module, so that it can be made ready anew; what did not begin is not ended.
    func end() {
        guard isReady else { return }
        if isOurs { _ = cryptoki.finalize() }
        isReady = false
    }

    /// The orderly end: out, closed, ended, and no PIN held any more.
    func shutDown() {
        defer { for token in tokens { token.provenPIN = nil } }
        guard isReady else { return }
        for token in tokens where token.epoch == epoch {
            guard let anchor = token.anchor else { continue }
            if token.isLoggedIn, token.loginIsOurs { _ = cryptoki.logout(anchor) }
            closeSessions(of: token)
        }
        end()
    }

    // MARK: Tokens

    /// The one token that a URI means.
    func token(for uri: PKCS11URI) throws(TokenProblem) -> TokenState {
        try makeReady()
        if LibraryInfo.selectors.contains(where: { uri.selectors[$0] != nil }) {
            guard LibraryInfo(info: try cryptoki.libraryInfo()).fits(uri) else {
                throw .noToken(labels: [], uninitialised: 0, unreadable: 0)
            }
        }
        let info = try onlyToken { $0.fits(uri) }
        if let known = tokens.first(where: { $0.name == info.name }) {
            if known.epoch == epoch { known.info = info } else { renew(known, info) }
            return known
        }
        try Self.checkMechanism(info.slot, cryptoki)
        let token = TokenState(info, epoch: epoch)
        tokens.append(token)
        return token
    }

    /// Finds a token again that was in use before the module was made ready anew.
    func findAgain(_ token: TokenState) throws(TokenProblem) {
        try makeReady()
        guard token.epoch != epoch else { return }
        renew(token, try onlyToken { $0.name == token.name })
    }

    /// What the token says of its PIN right now: other processes try PINs, too.
    func refreshInfo(of token: TokenState) throws(TokenProblem) {
        token.info = TokenInfo(
            slot: token.info.slot, slotInfo: token.info.slotInfo,
            info: try cryptoki.tokenInfo(token.info.slot))
    }

    private func renew(_ token: TokenState, _ info: TokenInfo) {
        token.info = info
        token.epoch = epoch
        token.anchor = nil
        token.work = nil
        token.isLoggedIn = false
        // Handles are of the module as it was.
        token.login += 1
    }

    /// Goes through the slots in the order that modules want: list, slot, token.
    private func onlyToken(
        _ fits: (TokenInfo) -> Bool
    ) throws(TokenProblem) -> TokenInfo {
        var found: [TokenInfo] = []
        var labels: [String] = []
        var (uninitialised, unreadable) = (0, 0)
        for slot in try cryptoki.slots() {
            let token: TokenInfo
            do throws(TokenProblem) {
                let slotInfo = try cryptoki.slotInfo(slot)
                token = TokenInfo(
                    slot: slot, slotInfo: slotInfo, info: try cryptoki.tokenInfo(slot))
            } catch {
                // One bad slot does not hide the others.
                unreadable += 1
                continue
            }
            if !token.has(CKF_TOKEN_INITIALIZED) {
                uninitialised += 1
            } else if fits(token) {
                found.append(token)
            } else {
                labels.append(token.name.label)
            }
        }
        guard let only = found.first else {
            throw .noToken(labels: labels, uninitialised: uninitialised, unreadable: unreadable)
        }
        guard found.count == 1 else { throw .severalTokens(found.map(\.name)) }
        return only
    }

    private static func checkMechanism(
        _ slot: CK_SLOT_ID, _ cryptoki: Cryptoki
    ) throws(TokenProblem) {
        let info: CK_MECHANISM_INFO
        do throws(TokenProblem) {
            info = try cryptoki.mechanismInfo(slot, CKM_ECDSA)
        } catch {
            guard case .call(_, .mechanismInvalid) = error else { throw error }
            throw .noMechanism
        }
        // In bits; some modules count in bytes, and some leave it at zero.
        let sizes = info.ulMinKeySize...max(info.ulMinKeySize, info.ulMaxKeySize)
        guard info.flags & CKF_SIGN != 0,
            info.ulMaxKeySize == 0 || sizes.contains(256) || sizes.contains(32)
        else { throw .noMechanism }
    }

    // MARK: Sessions

    /// The session that holds the log-in.
    func anchor(of token: TokenState) throws(TokenProblem) -> CK_SESSION_HANDLE {
        if let anchor = token.anchor { return anchor }
        let anchor = try cryptoki.openSession(token.info.slot)
        token.anchor = anchor
        return anchor
    }

    /// The session that signs, opened when it is first needed and after each fault.
    func work(of token: TokenState) throws(TokenProblem) -> CK_SESSION_HANDLE {
        if let work = token.work { return work }
        let anchor = try anchor(of: token)
        var work = anchor
        do throws(TokenProblem) {
            work = try cryptoki.openSession(token.info.slot)
        } catch {
            guard case .call(_, .sessionCount) = error else { throw error }
        }
        token.work = work
        return work
    }

    func closeWork(of token: TokenState) {
        guard let work = token.work else { return }
        token.work = nil
        if work == token.anchor {
            token.anchor = nil
            token.isLoggedIn = false
        }
        _ = cryptoki.closeSession(work)
    }

    func closeSessions(of token: TokenState) {
        closeWork(of: token)
        if let anchor = token.anchor { _ = cryptoki.closeSession(anchor) }
        token.anchor = nil
        token.isLoggedIn = false
    }
}
