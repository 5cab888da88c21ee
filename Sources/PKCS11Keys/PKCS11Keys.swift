package import ES256
package import GronaFormats
import Libcrypto
package import LinuxIO
package import SigningKeys

/// Keys of tokens, through PKCS#11 modules (v2.40).
///
/// Each module is opened once in a process and each token logged in once; a token that has refused a
/// PIN gets no other in this run, and not the same one in later ones (`RefusedPINMemory`).
package struct PKCS11Keys: KeyBackEnd {
    private let owners: TrustedOwners
    private let pins: PINSources
    private let timeout: UInt64
    private let refused: RefusedPINMemory
    private let modules: Modules
    private let loading: @Sendable () -> Void

    /// - Parameters:
    ///   - timeout: seconds that an answer of a module may take.
    ///   - refused: the PINs that earlier runs were refused with.
    ///   - loading: is called around each time that a module's code comes into this process.
    package init(
        owners: TrustedOwners, pins: PINSources, timeout: UInt64, refused: RefusedPINMemory,
        modules: Modules = .ofProcess, loading: @escaping @Sendable () -> Void = {}
    ) {
        self.owners = owners
        self.pins = pins
        self.timeout = timeout
        self.refused = refused
        self.modules = modules
        self.loading = loading
    }

    package var schemes: Set<SignerScheme> { [.pkcs11] }

    package func open(
        _ signer: SignerURI, kid: KeyID, expecting expected: P256PublicKey?
    ) throws(SigningKeyError) -> any SigningKey {
        let uri = try uri(of: signer)
        let (module, token) = try entered(uri)
        return try ready(uri, on: token, of: module, expecting: expected)
    }

    /// Makes a key pair in the token: private, sensitive, not extractable, for signing only; never
    /// beside an object of that label or id.
    package func generate(
        _ signer: SignerURI, kid: KeyID
    ) throws(SigningKeyError) -> any SigningKey {
        let uri = try uri(of: signer)
        guard let label = uri.selectors[.object], !label.isEmpty else {
            throw .token(TokenError(.noLabel, module: uri.module))
        }
        guard uri.selectors[.id]?.isEmpty != true else {
            throw .token(TokenError(.emptyID, module: uri.module))
        }
        let (module, token) = try entered(uri)
        let id = uri.selectors[.id] ?? SystemRandom.bytes(Self.idCount)
        do throws(SigningKeyError) {
            try run(module, token) { driver, _ throws(TokenProblem) in
                try driver.generate(label: label, id: id, on: token)
            }
        } catch {
            guard case .token(let late) = error,
                case .noAnswer("C_GenerateKeyPair", _) = late.problem
            else { throw error }
            throw .keyMade(then: error)
        }
        do throws(SigningKeyError) {
            return try ready(uri, on: token, of: module, expecting: nil)
        } catch {
            throw .keyMade(then: error)
        }
    }

    /// Bytes of a `CKA_ID` that we make up.
    private static let idCount = 16

    // MARK: Steps

    private func uri(of signer: SignerURI) throws(SigningKeyError) -> PKCS11URI {
        guard case .pkcs11(let uri) = signer else { throw .unsupportedScheme(signer.scheme) }
        return uri
    }

    /// The token of a URI, logged in where it wants that.
    private func entered(
        _ uri: PKCS11URI
    ) throws(SigningKeyError) -> (Module, TokenState) {
        let module: Module
        do throws(TokenError) {
            module = try modules.module(of: uri, trusting: owners, loading)
        } catch {
            throw .token(error)
        }
        let token: TokenState
        do throws(SigningKeyError) {
            token = try run(module, nil) { driver, _ throws(TokenProblem) in
                try driver.token(for: uri)
            }
        } catch {
            guard case .token(var problem) = error else { throw error }
            problem.wanted = uri.selectors[.token].map { String(decoding: $0, as: UTF8.self) }
            throw .token(problem)
        }
        try logIn(to: token, of: module, pinFrom: uri.pinSource)
        return (module, token)
    }

    private func logIn(
        to token: TokenState, of module: Module, pinFrom source: PINSource?
    ) throws(SigningKeyError) {
        let retries = refused.retries
        let wants = try run(module, token) { driver, _ throws(TokenProblem) in
            guard token.needsLogin, !token.isLoggedIn else { return LoginNeed.none }
            // Nothing is read and nobody is asked for what would not be tried.
            if let refusal = token.refusal { throw refusal.problem }
            try driver.checkPIN(of: token, retries: retries)
            return token.hasKeypad && source == nil ? .keypad : .pin
        }
        let name = token.name
        switch wants {
        case .none: return
        case .keypad:
            try run(module, token) { driver, _ throws(TokenProblem) in
                try driver.logIn(token, nil)
            }
        case .pin:
            guard let pin = try pins.pin(source, of: name) else {
                throw .token(TokenError(.pinNeeded, module: module.path, token: name))
            }
            let held = HeldPIN(pin)
            do throws(SigningKeyError) {
                try refused.exclusively(held.pin.identity, at: name, of: module, timeout) {
                    () throws(SigningKeyError) in
                    try logIn(to: token, of: module, with: held)
                }
            } catch {
                guard case .token(var problem) = error else { throw error }
                problem.pin = source.map(PINOrigin.source) ?? .terminal
                throw .token(problem)
            }
        }
    }

    /// One log-in, which later runs know of whatever becomes of this one: it is on record before
    /// the token is asked.
    private func logIn(
        to token: TokenState, of module: Module, with pin: HeldPIN
    ) throws(SigningKeyError) {
        let (name, identity, retries) = (token.name, pin.pin.identity, refused.retries)
        do throws(TokenProblem) {
            try refused.check(identity, at: name)
        } catch {
            throw .token(TokenError(error, module: module.path, token: name))
        }
        try run(module, token) { driver, _ throws(TokenProblem) in
            try driver.refreshInfo(of: token)
            try driver.checkPIN(of: token, retries: retries)
        }
        do throws(TokenProblem) {
            try refused.remember(identity, at: name, .noAnswer, now: SystemClock.unixTime())
        } catch {
            throw .token(TokenError(error, module: module.path, token: name))
        }
        do throws(SigningKeyError) {
            try run(module, token) { driver, _ throws(TokenProblem) in
                try driver.logIn(token, pin)
            }
        } catch {
            guard case .token(let refusal) = error else { throw error }
            switch refusal.problem {
            case .wrongPIN:
                // Where this cannot be written, the attempt stays on record.
                try? refused.remember(identity, at: name, .refused, now: SystemClock.unixTime())
            case .noAnswer: break
            default: try? refused.forget(identity, at: name)
            }
            throw error
        }
        try? refused.forget(identity, at: name)
    }

    /// Finds the key, compares its public half, and lets it sign something that is nobody's.
    private func ready(
        _ uri: PKCS11URI, on token: TokenState, of module: Module,
        expecting expected: P256PublicKey?
    ) throws(SigningKeyError) -> any SigningKey {
        let (key, told) = try run(module, token) { driver, _ throws(TokenProblem) in
            let key = try driver.openKey(uri, on: token)
            if expected == nil, uri.selectors[.object, default: []].isEmpty,
                uri.selectors[.id, default: []].isEmpty
            {
                throw .unnamedKey(try driver.facts(of: key))
            }
            return (key, try driver.publicHalf(of: key, orCertificate: expected == nil))
        }
        if let expected, let told, expected != told {
            throw .keyMismatch(expected: expected.thumbprint, found: told.thumbprint)
        }
        guard let publicKey = expected ?? told else {
            throw .token(TokenError(.noPublicHalf, module: module.path, token: token.name))
        }
        let ready = PKCS11Key(
            key, of: module, publicKey: publicKey, timeout: timeout, refused: refused)
        let probe = SHA256.digest(Array("grona-probe.".utf8) + SystemRandom.bytes(32))
        guard publicKey.isValidSignature(try ready.sign(probe), for: probe) else {
            // Only a half that the token tells makes it a liar; else the key may be another one.
            guard told == nil else { throw .badSignature }
            throw .token(TokenError(.otherKey, module: module.path, token: token.name))
        }
        return ready
    }

    private func run<Answer: Sendable>(
        _ module: Module, _ token: TokenState?,
        _ work: @escaping @Sendable (ModuleDriver, UInt64) throws(TokenProblem) -> Answer
    ) throws(SigningKeyError) -> Answer {
        do throws(TokenError) {
            return try module.run(within: timeout, for: token?.name, work)
        } catch {
            throw .token(error)
        }
    }

    private enum LoginNeed {
        case none, keypad, pin
    }
}
