import ES256
import GronaFormats
import Libcrypto
import LinuxIO
import SecretMemory
import SigningKeys
import TestSupport
import Testing

@testable import PKCS11Keys

/// Against the module that misbehaves as told, within this process: each test has a copy of its own.
@Suite("Keys on tokens")
struct PKCS11KeysTests {
    private let token: MisbehavingToken
    private let state: TestFolder
    private let modules = Modules()
    private let digest = SHA256.digest(Array("signing input".utf8))

    init() throws {
        token = try MisbehavingToken()
        state = try TestFolder()
        try token.makeKey("k", id: "01a2")
    }

    private func keys(
        retries: Bool = false, timeout: UInt64 = 5, modules: Modules? = nil
    ) throws -> PKCS11Keys {
        let owners = try TrustedOwners.current()
        return PKCS11Keys(
            owners: owners, pins: PINSources(credentials: nil, owners: owners, prompt: nil),
            timeout: timeout, refused: RefusedPINMemory(state: state.path, retries: retries),
            modules: modules ?? self.modules)
    }

    private func open(
        _ object: String? = "k", more: [String] = [], pinSource: String? = nil,
        expecting: P256PublicKey? = nil, by keys: PKCS11Keys? = nil
    ) throws -> SelfVerifyingSigner {
        let uri = try SignerURI(token.access.signer(object, more: more, pinSource: pinSource))
        let kid = try #require(KeyID("kid"))
        let opener = KeyOpener([try keys ?? self.keys()])
        guard let expecting else { return try opener.open(new: uri, kid: kid) }
        return try opener.open(uri, kid: kid, expecting: expecting)
    }

    /// What speaks against opening the key.
    private func problem(
        _ object: String? = "k", more: [String] = [], pinSource: String? = nil,
        expecting: P256PublicKey? = nil, by keys: PKCS11Keys? = nil
    ) throws -> TokenProblem? {
        do {
            _ = try open(
                object, more: more, pinSource: pinSource, expecting: expecting, by: keys)
            return nil
        } catch SigningKeyError.token(let error) {
            #expect(error.module == FilePath(token.access.module))
            return error.problem
        }
    }

    // MARK: What works

    @Test("A key is opened, signs, and all of it takes one log-in")
    func signs() throws {
        try token.makeKey("other", id: "02")
        let signer = try open()
        for _ in 0..<10 { _ = try signer.sign(digest) }
        _ = try open("other").sign(digest)
        _ = try open(expecting: signer.publicKey).sign(digest)
        #expect(try token.answers("C_Login") == [0])
        #expect(try token.calls("C_Initialize") == 1)
        #expect(modules.shutDown())
        #expect(try token.answers("C_Logout") == [0])
        #expect(try token.answers("C_Finalize") == [0])
    }

    @Test(
        "What modules do that is allowed, or known",
        arguments: [
            ["initialise null-only"], ["initialise cant-lock"], ["slots shrink"],
            ["empty-slots 2"], ["read-only-refused"], ["sessions 1"], ["point raw"],
            ["always-authenticate"], ["flags no-login", "public-login"],
            ["fail C_GetSlotInfo 1 1 0x30", "twin"],
        ])
    func allowed(_ control: [String]) throws {
        try token.behave(control)
        let signer = try open()
        for _ in 0..<3 { _ = try signer.sign(digest) }
        #expect(modules.shutDown())
    }

    @Test("A token that wants no log-in gets none")
    func noLogin() throws {
        try token.behave(["flags no-login", "public-login"])
        _ = try open()
        #expect(try token.calls("C_Login") == 0)
    }

    @Test("A module that was ready already is used and not ended")
    func adopted() throws {
        try token.behave(["initialise already"])
        _ = try open().sign(digest)
        #expect(modules.shutDown())
        #expect(try token.calls("C_Finalize") == 0)
    }

    @Test("A key whose public half nobody tells is proven by its signature")
    func noPublicHalf() throws {
        let expected = try open().publicKey
        #expect(modules.shutDown())
        try token.behave(["no-public"])
        #expect(try problem() == .noPublicHalf)
        _ = try open(expecting: expected).sign(digest)
        let other = try TestKey().publicKey
        #expect(try problem(expecting: other) == .otherKey)
    }

    @Test("A worker with many keys soon knows where they are; a handle that went void is no fault")
    func manyKeys() throws {
        for number in 1...8 { try token.makeKey("k\(number)", id: "0\(number)") }
        try token.behave(["fail C_SignInit 900 1 0x60"])
        let known = try (1...8).map { try open("k\($0)").publicKey }
        var (searches, rounds) = (-1, 0)
        while try token.calls("C_FindObjectsInit") != searches, rounds < 50 {
            searches = try token.calls("C_FindObjectsInit")
            for number in 1...8 { _ = try open("k\(number)", expecting: known[number - 1]) }
            rounds += 1
        }
        #expect(rounds < 50)
        // Another key than the one that is wanted is found out as before.
        #expect(throws: SigningKeyError.self) { try open("k1", expecting: known[1]) }
        let signer = try open("k1", expecting: known[0])
        while try token.calls("C_SignInit") < 901 { _ = try signer.sign(digest) }
        #expect(try token.answers("C_SignInit").filter { $0 != 0 } == [0x60])
        #expect(try token.calls("C_FindObjectsInit") == searches + 1)
        #expect(modules.shutDown())
    }

    // MARK: PINs

    @Test("A wrong PIN is tried once in a run, and not in the runs after it")
    func wrongPIN() throws {
        try token.behave(["tries 10"])
        try token.setPIN(inFile: "9999")
        #expect(try problem() == .wrongPIN(.pinIncorrect))
        #expect(try problem() != nil)
        #expect(try token.calls("C_Login") == 1)
        for _ in 0..<3 {
            guard case .pinRemembered? = try problem(by: keys(modules: Modules())) else {
                Issue.record("tried again")
                continue
            }
        }
        #expect(try token.calls("C_Login") == 1)
        #expect(
            try problem(by: keys(retries: true, modules: Modules())) == .wrongPIN(.pinIncorrect))
        #expect(try token.calls("C_Login") == 2)
        // Another file is another PIN; the right one clears the memory.
        SystemClock.sleep(nanoseconds: 20_000_000)
        try token.setPIN(inFile: token.access.pin)
        #expect(try problem(by: keys(modules: Modules())) == nil)
        #expect(try remembered() == 0)
    }

    /// How many PINs are remembered; empty files that are locked meanwhile stay.
    private func remembered() throws -> Int {
        try FileSystem.names(in: state.file("refused-pins"), limit: 10)
            .count { $0.description.hasSuffix(".json") }
    }

    @Test("A token that has refused a PIN gets no other one in the same run, from wherever")
    func oneWrongPIN() throws {
        try token.behave(["tries 10"])
        try token.makeKey("other", id: "02")
        let (first, second) = (
            try token.folder.write("first", "9999", permissions: 0o600),
            try token.folder.write("second", "8888", permissions: 0o600)
        )
        let wrong = TokenProblem.wrongPIN(.pinIncorrect)
        #expect(try problem(pinSource: "file:\(first)") == wrong)
        #expect(try problem("other", pinSource: "file:\(second)") == wrong)
        #expect(try problem("other") == wrong)
        #expect(try problem("other", pinSource: "file:/absent") == wrong)
        #expect(try token.calls("C_Login") == 1)
        // The next run takes the right one.
        #expect(try problem("other", by: keys(modules: Modules())) == nil)
    }

    @Test("A refused credential is remembered whatever the folder of the unit's instance is called")
    func credential() throws {
        try token.behave(["tries 10"])
        for (instance, text) in [("1", "9999"), ("2", "9999"), ("3", "9998"), ("4", "99999")] {
            let folder = try TestFolder()
            try folder.write("pin", text, permissions: 0o440)
            let owners = try TrustedOwners.current()
            let keys = PKCS11Keys(
                owners: owners,
                pins: PINSources(credentials: folder.path, owners: owners, prompt: nil),
                timeout: 5, refused: RefusedPINMemory(state: state.path, retries: false),
                modules: Modules())
            let found = try problem(pinSource: "credential:pin", by: keys)
            switch instance {
            case "1", "4": #expect(found == .wrongPIN(.pinIncorrect))
            default:
                guard case .pinRemembered(_, .refused, _)? = found else {
                    Issue.record("\(instance): \(String(describing: found))")
                    continue
                }
            }
        }
        #expect(try token.calls("C_Login") == 2)
    }

    @Test("A log-in without an answer counts as refused, until it is asked for again")
    func unanswered() throws {
        try token.behave(["hang C_Login 1"])
        #expect(
            try problem(by: keys(timeout: 1)) == .noAnswer(function: "C_Login", seconds: 1))
        try token.behave([])
        guard case .pinRemembered(_, .noAnswer, _)? = try problem(by: keys(modules: Modules()))
        else {
            Issue.record("tried again")
            return
        }
        #expect(try token.calls("C_Login") == 1)
        #expect(try problem(by: keys(retries: true, modules: Modules())) == nil)
        #expect(try remembered() == 0)
    }

    @Test("A log-in that fails for another reason than its PIN is no refusal")
    func otherReason() throws {
        try token.behave(["fail C_Login 1 1 0x30"])
        #expect(try problem() == .call(function: "C_Login", .deviceError))
        #expect(try remembered() == 0)
        #expect(try problem(by: keys(modules: Modules())) == nil)
    }

    @Test("Who tries a PIN holds the others off, and they are told who it is")
    func held() throws {
        #expect(try problem() == nil)
        #expect(modules.shutDown())
        let names = try FileSystem.names(in: state.file("refused-pins"), limit: 10)
        let name = try #require(names.first { $0.description.hasSuffix(".lock") })
        let path = state.file("refused-pins").appending(name)
        let lock = try FileLock(at: path, waitingNanoseconds: 0)
        guard
            case .pinMemory(.locked(let found, _))? = try problem(
                by: keys(timeout: 1, modules: Modules()))
        else {
            Issue.record("not held off")
            return
        }
        #expect(found == path)
        #expect(try token.calls("C_Login") == 1)
        _ = lock.unlock()
        #expect(try problem(by: keys(timeout: 20, modules: Modules())) == nil)
    }

    @Test("After a PIN was changed under a run, each signature says so, without another log-in")
    func changedPIN() throws {
        try token.behave(["lose C_Sign 3 0x32 0"])
        let signer = try open()
        _ = try signer.sign(digest)
        try token.behave(["pin 7777"])
        for _ in 0..<3 {
            let error = #expect(throws: SigningKeyError.self) { _ = try signer.sign(digest) }
            guard case .token(let error)? = error else { continue }
            #expect(error.problem == .wrongPIN(.pinIncorrect))
        }
        #expect(try token.answers("C_Login") == [0, 0xA0])
    }

    @Test("A token that is lost does not take another one of the same module with it")
    func otherToken() throws {
        try token.behave(["twin", "second-leaves 4"])
        let keys = try keys(timeout: 2)
        let first = try open(more: ["serial=1"], by: keys)
        let second = try open(more: ["serial=2"], by: keys)
        _ = try second.sign(digest)
        for _ in 0..<3 {
            let error = #expect(throws: SigningKeyError.self) { _ = try second.sign(digest) }
            guard case .token(let error)? = error else { continue }
            #expect(error.problem == .tokenGone(function: "C_Sign", .deviceRemoved))
            #expect(error.token?.serial == "2")
            _ = try first.sign(digest)
        }
    }

    @Test(
        "What a token says of its PIN before one is tried",
        arguments: [
            (["flags locked"], TokenProblem.lockedPIN), (["flags final-try"], .lastTry),
            (["flags to-be-changed"], .pinToBeChanged), (["flags no-pin"], .pinNotSet),
        ])
    func flags(_ control: [String], _ expected: TokenProblem) throws {
        try token.behave(control)
        #expect(try problem() == expected)
        #expect(try token.calls("C_Login") == 0)
    }

    @Test("The last try is used only when it is asked for")
    func lastTry() throws {
        try token.behave(["flags final-try"])
        #expect(try problem() == .lastTry)
        #expect(try problem(by: keys(retries: true)) == nil)
    }

    @Test("Without a source and without a terminal the PIN is missing")
    func pinNeeded() throws {
        let uri = "pkcs11:token=grona;object=k?module-path=\(token.access.module)"
        let kid = try #require(KeyID("kid"))
        let error = #expect(throws: SigningKeyError.self) {
            _ = try keys().open(SignerURI(uri), kid: kid, expecting: nil)
        }
        guard case .token(let error)? = error else { return }
        #expect(error.problem == .pinNeeded)
        #expect(try token.calls("C_Login") == 0)
    }

    @Test(
        "Answers to a log-in",
        arguments: [
            (TokenCode.ok, nil), (.userAlreadyLoggedIn, nil),
            (.pinIncorrect, .wrongPIN(.pinIncorrect)), (.pinInvalid, .wrongPIN(.pinInvalid)),
            (.pinLengthRange, .wrongPIN(.pinLengthRange)), (.pinLocked, .lockedPIN),
            (.pinExpired, .pinToBeChanged), (.userPINNotInitialized, .pinNotSet),
            (.userAnotherAlreadyLoggedIn, .otherUser(.userAnotherAlreadyLoggedIn)),
            (.userTooManyTypes, .otherUser(.userTooManyTypes)),
            (.deviceError, .call(function: "C_Login", .deviceError)),
        ] as [(TokenCode, TokenProblem?)])
    func logins(_ code: TokenCode, _ problem: TokenProblem?) {
        do throws(TokenProblem) {
            try ModuleDriver.judge(code)
            #expect(problem == nil)
        } catch {
            #expect(problem == error)
        }
    }

    // MARK: Keys that are not taken

    @Test(
        "A key that is another, or none for this",
        arguments: [
            (["curve p384"], "otherCurve"), (["curve k256"], "otherCurve"),
            (["curve text"], "otherCurve"), (["no-sign"], "cannotSign"),
            (["point compressed"], "badPoint"), (["signature der"], "derSignature"),
            (["signature short"], "signatureLength(63)"),
            (["signature long"], "signatureLength(65)"),
            (["signature huge"], "signatureLength"),
        ])
    func refused(_ control: [String], _ expected: String) throws {
        try token.behave(control)
        let found = try problem()
        #expect(found.map { "\($0)".hasPrefix(expected) } == true, "\(String(describing: found))")
    }

    @Test(
        "A signature that does not hold is a fault of the token",
        arguments: [["signature zero"], ["signature rehash"]])
    func lies(_ control: [String]) throws {
        try token.behave(control)
        #expect(throws: SigningKeyError.badSignature) { _ = try open() }
    }

    @Test("A signature that is the same for everything holds for one thing")
    func constant() throws {
        try token.behave(["signature constant"])
        let signer = try open()
        #expect(throws: SigningKeyError.badSignature) { _ = try signer.sign(digest) }
    }

    @Test("Another key behind the label is refused, with both thumbprints")
    func mismatch() throws {
        let other = try TestKey().publicKey
        let own = try open().publicKey
        #expect(
            throws: SigningKeyError.keyMismatch(
                expected: other.thumbprint, found: own.thumbprint)
        ) { _ = try open(expecting: other) }
    }

    @Test("Two keys of one label are listed with their thumbprints; id decides")
    func ambiguous() throws {
        try token.makeKey("twice", id: "0b01")
        try token.makeKey("twice", id: "0b02")
        let first = try open("twice", more: ["id=%0b%01"])
        let second = try open("twice", more: ["id=%0b%02"])
        #expect(first.publicKey != second.publicKey)
        guard case .ambiguousKeys(let found)? = try problem("twice") else {
            Issue.record("taken")
            return
        }
        #expect(
            Set(found.map(\.thumbprint)) == [
                first.publicKey.thumbprint, second.publicKey.thumbprint,
            ])
        #expect(Set(found.map(\.id)) == [[0x0B, 0x01], [0x0B, 0x02]])
    }

    @Test("A key that is not there; an id in hexadecimal digits is told")
    func missing() throws {
        #expect(
            try problem("none") == .noKey(isPublicOnly: false, idLooksHexadecimal: false))
        #expect(
            try problem(more: ["id=01a2"])
                == .noKey(isPublicOnly: false, idLooksHexadecimal: true))
        #expect(try problem(more: ["id=%01%a2"]) == nil)
    }

    @Test("Two tokens of one label, and none")
    func tokens() throws {
        try token.behave(["twin"])
        guard case .severalTokens(let names)? = try problem() else {
            Issue.record("taken")
            return
        }
        #expect(names.count == 2)
        #expect(modules.shutDown())
        try token.behave(["absent"])
        #expect(
            try problem() == .noToken(labels: [], uninitialised: 0, unreadable: 0))
        #expect(modules.shutDown())
        try token.behave(["flags uninitialized"])
        #expect(
            try problem() == .noToken(labels: [], uninitialised: 1, unreadable: 0))
    }

    @Test(
        "A module without a function, or without a list of them",
        arguments: [
            (["null C_SignInit"], "missingFunction(\"C_SignInit\")"),
            (["list null"], "missingFunction"),
            (["list fail"], "call(function: \"C_GetFunctionList\""),
        ])
    func functions(_ control: [String], _ expected: String) throws {
        try token.behave(control)
        let found = try problem()
        #expect(found.map { "\($0)".hasPrefix(expected) } == true, "\(String(describing: found))")
    }

    // MARK: Recovery

    @Test(
        "A fault in the middle is mended once",
        arguments: [
            "fail C_Sign 3 1 0xb3", "fail C_SignInit 3 1 0xb3", "fail C_Sign 3 1 0x90",
            "fail C_SignInit 3 1 0x82", "fail C_SignInit 3 1 0x60", "fail C_Sign 3 1 0x101",
            "fail C_Sign 3 1 0x30", "fail C_Sign 3 1 0x5", "lose C_Sign 3 0x32 0",
            "lose C_SignInit 3 0x32 3", "lose C_Sign 3 0xe0 2",
        ])
    func mended(_ fault: String) throws {
        try token.behave([fault])
        let signer = try open()
        for _ in 0..<5 { _ = try signer.sign(digest) }
        #expect(modules.shutDown())
    }

    @Test(
        "What is permanent is not tried again",
        arguments: ["0x68", "0x63", "0x70", "0x21", "0x80000005", "0x7"])
    func permanent(_ code: String) throws {
        try token.behave(["fail C_Sign 2 1 \(code)"])
        let signer = try open()
        #expect(throws: SigningKeyError.self) { _ = try signer.sign(digest) }
        #expect(try token.calls("C_Sign") == 2)
        _ = try signer.sign(digest)
    }

    @Test("A signature that fails twice is given up")
    func twice() throws {
        try token.behave(["fail C_Sign 2 2 0xb3"])
        let signer = try open()
        #expect(throws: SigningKeyError.self) { _ = try signer.sign(digest) }
        #expect(try token.calls("C_Sign") == 3)
    }

    @Test("A token that does not come back is told, and not waited for again at each signature")
    func gone() throws {
        try token.behave(["lose C_Sign 2 0x32 1000"])
        let signer = try open(by: keys(timeout: 2))
        let start = SystemClock.monotonicNanoseconds()
        for _ in 0..<20 {
            let error = #expect(throws: SigningKeyError.self) { _ = try signer.sign(digest) }
            guard case .token(let error)? = error else { continue }
            #expect(error.problem == .tokenGone(function: "C_Sign", .deviceRemoved))
            #expect(error.token?.label == "grona")
        }
        #expect(SystemClock.monotonicNanoseconds() - start < 20_000_000_000)
    }

    @Test("A call that never comes back ends at the deadline, and the module is not called again")
    func hangs() throws {
        try token.behave(["hang C_Sign 2"])
        let signer = try open(by: keys(timeout: 1))
        let start = SystemClock.monotonicNanoseconds()
        for _ in 0..<30 {
            let error = #expect(throws: SigningKeyError.self) { _ = try signer.sign(digest) }
            guard case .token(let error)? = error else { continue }
            #expect(error.problem == .noAnswer(function: "C_Sign", seconds: 1))
        }
        #expect(SystemClock.monotonicNanoseconds() - start < 20_000_000_000)
        #expect(try token.calls("C_Sign") == 2)
        #expect(try problem() == .noAnswer(function: "C_Sign", seconds: 1))
        #expect(!modules.shutDown())
        #expect(try token.calls("C_Finalize") == 0)
    }

    // MARK: Making keys

    @Test("A key is recorded by its label or id, not by its token alone, which may get another")
    func unnamed() throws {
        #expect(try problem("k") == nil)
        guard case .unnamedKey(let found)? = try problem(nil) else {
            Issue.record("taken")
            return
        }
        #expect(found.id == [0x01, 0xA2] && found.label == "k")
        #expect(try problem(nil, more: ["id=%01%a2"]) == nil)
        // What is on record already goes on to sign.
        _ = try open(nil, expecting: open("k").publicKey).sign(digest)
    }

    @Test("A key is not made under an empty id")
    func emptyID() throws {
        let kid = try #require(KeyID("kid"))
        let opener = KeyOpener([try keys()])
        let error = #expect(throws: SigningKeyError.self) {
            _ = try opener.generate(
                SignerURI(token.access.signer("new", more: ["id="])), kid: kid)
        }
        guard case .token(let error)? = error else { return }
        #expect(error.problem == .emptyID)
        #expect(try token.calls("C_GenerateKeyPair") == 0)
    }

    @Test(
        "What goes wrong after a key was made says that there is one",
        arguments: ["hang C_Sign 1", "hang C_GenerateKeyPair 1", "signature zero"])
    func made(_ control: String) throws {
        try token.behave([control])
        let kid = try #require(KeyID("kid"))
        let opener = KeyOpener([try keys(timeout: 1)])
        let error = #expect(throws: SigningKeyError.self) {
            _ = try opener.generate(SignerURI(token.access.signer("new")), kid: kid)
        }
        guard case .keyMade? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("A key is made as safe as it was asked for, once for a label and an id")
    func generate() throws {
        let kid = try #require(KeyID("kid"))
        let opener = KeyOpener([try keys()])
        let uri = try SignerURI(token.access.signer("new", more: ["id=%07"]))
        let made = try opener.generate(uri, kid: kid)
        _ = try made.sign(digest)
        #expect(try open("new").publicKey == made.publicKey)
        for (label, id) in [("new", "%08"), ("other", "%07"), ("k", "%09")] {
            let error = #expect(throws: SigningKeyError.self) {
                _ = try opener.generate(
                    SignerURI(token.access.signer(label, more: ["id=\(id)"])), kid: kid)
            }
            guard case .token(let error)? = error else { continue }
            #expect(error.problem == .exists)
        }
        let error = #expect(throws: SigningKeyError.self) {
            _ = try opener.generate(SignerURI(token.access.signer(nil)), kid: kid)
        }
        guard case .token(let error)? = error else { return }
        #expect(error.problem == .noLabel)
    }
}
