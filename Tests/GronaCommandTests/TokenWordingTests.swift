import CommandLineKit
import GronaFormats
import LinuxIO
import SigningKeys
import Testing

@testable import GronaSignCommand

@Suite("Words and statuses for tokens")
struct TokenWordingTests {
    static let table: [(TokenProblem, String, Int32)] = [
        (
            .moduleUnreadable(SystemError(operation: "open", path: "/m.so", errno: 2)),
            "key.module", 69
        ),
        (.notLoadable("invalid ELF header"), "key.module", 69),
        (.missingFunction("C_Sign"), "key.module", 69),
        (.otherInitString, "key.signer", 78), (.forked, "key.failed", 70),
        (.noAnswer(function: "C_Sign", seconds: 30), "key.timeout", 69),
        (.call(function: "C_Initialize", .generalError), "key.failed", 69),
        (.call(function: "C_Sign", .dataLengthRange), "key.failed", 70),
        (.call(function: "C_SignInit", .keyFunctionNotPermitted), "key.failed", 78),
        (.call(function: "C_Sign", TokenCode(rawValue: 0xCE53_4351)), "key.failed", 69),
        (.noToken(labels: ["a"], uninitialised: 1, unreadable: 1), "key.token", 69),
        (.severalTokens([]), "key.ambiguous", 78), (.noMechanism, "key.malformed", 78),
        (.tokenGone(function: "C_Sign", .deviceRemoved), "key.token", 69),
        (.wrongPIN(.pinIncorrect), "key.pin-wrong", 77), (.lockedPIN, "key.pin-locked", 77),
        (.pinNeeded, "key.pin-needed", 77),
        (
            .pinRemembered(at: 1_796_038_742, .refused, memory: "/s/refused-pins/a.json"),
            "key.pin-remembered", 77
        ),
        (.lastTry, "key.pin-last-try", 77), (.pinNotSet, "key.pin-unusable", 77),
        (.pinToBeChanged, "key.pin-unusable", 77),
        (.pinLength(minimum: 4, maximum: 8), "key.pin-unusable", 77),
        (.otherUser(.userAnotherAlreadyLoggedIn), "key.pin-unusable", 77),
        (.pinMemoryMalformed("/s/refused-pins/a.json"), "key.pin-memory", 78),
        (.noKey(isPublicOnly: true, idLooksHexadecimal: false), "key.missing", 78),
        (.ambiguousKeys([FoundKey(label: "a", id: [1], thumbprint: nil)]), "key.ambiguous", 78),
        (.otherKeyType(0), "key.malformed", 65), (.otherCurve([6]), "key.malformed", 65),
        (.cannotSign, "key.malformed", 78), (.badPoint(count: 33, start: [2]), "key.malformed", 65),
        (.noPublicHalf, "key.missing", 78), (.otherKey, "key.mismatch", 78),
        (.emptyID, "key.signer", 64),
        (.unnamedKey(FoundKey(label: "a", id: [1], thumbprint: nil)), "key.signer", 64),
        (.noLabel, "key.signer", 64), (.exists, "key.exists", 73),
        (.unsafeAttribute("CKA_EXTRACTABLE"), "key.malformed", 78),
        (.derSignature, "signature.invalid", 70), (.signatureLength(63), "signature.invalid", 70),
    ]

    @Test("Each problem has its code, its status, and something to do next", arguments: table)
    func problems(_ problem: TokenProblem, _ code: String, _ status: Int32) throws {
        let kid = try #require(KeyID("acme-market-2026-10"))
        let token = TokenName(label: "grona", manufacturer: "m", model: "m", serial: "1")
        for error in [
            TokenError(problem, module: "/m.so"),
            TokenError(problem, module: "/m.so", token: token),
        ] {
            let reason = KeyWording.failure(.token(error), kid: kid).reason
            #expect(reason.code == code)
            #expect(reason.exit.rawValue == status)
            #expect(reason.help?.isEmpty == false)
            #expect(!reason.message.isEmpty && !reason.message.hasSuffix("."))
        }
    }

    @Test("What a wrong PIN is put right by depends on where it came from")
    func origins() throws {
        let kid = try #require(KeyID("acme-market-2026-10"))
        func help(_ problem: TokenProblem, _ origin: PINOrigin) -> String {
            var error = TokenError(problem, module: "/m.so")
            error.pin = origin
            return KeyWording.failure(.token(error), kid: kid).reason.help ?? ""
        }
        let wrong = TokenProblem.wrongPIN(.pinIncorrect)
        #expect(help(wrong, .terminal).contains("type the right one"))
        #expect(!help(wrong, .terminal).contains("file"))
        #expect(help(wrong, .source(.file("/etc/grona/pin"))).contains("/etc/grona/pin"))
        #expect(help(wrong, .source(.credential("tpm"))).contains("credential tpm"))
        let remembered = TokenProblem.pinRemembered(
            at: 1_796_038_742, .refused, memory: "/s/a.json")
        #expect(help(remembered, .source(.credential("tpm"))).contains("--retry-pin"))
        #expect(!help(remembered, .source(.credential("tpm"))).contains("file"))
        // Nobody is shown the file of what is remembered, which may be taken for the PIN's.
        var error = TokenError(remembered, module: "/m.so")
        error.pin = .source(.file("/etc/grona/pin"))
        let reason = KeyWording.failure(.token(error), kid: kid).reason
        #expect(reason.file == "/etc/grona/pin")
        #expect(reason.help?.contains("put the right PIN into /etc/grona/pin") == true)
        #expect(reason.help?.contains("/s/a.json") == false)
    }

    @Test("A token that is not there is named, and so is what stands between it and us")
    func absent() throws {
        let kid = try #require(KeyID("acme-market-2026-10"))
        func reason(_ module: FilePath) -> Diagnostic {
            var error = TokenError(
                .noToken(labels: [], uninitialised: 1, unreadable: 0), module: module)
            error.wanted = "grona"
            return KeyWording.failure(.token(error), kid: kid).reason
        }
        let local = reason("/usr/lib/softhsm/libsofthsm2.so")
        #expect(local.message.contains("the token \"grona\" of acme-market-2026-10 is not there"))
        #expect(local.help?.contains("SOFTHSM2_CONF") == true)
        let remote = reason("/usr/lib/x86_64-linux-gnu/pkcs11/p11-kit-client.so")
        #expect(remote.help?.contains("P11_KIT_SERVER_ADDRESS") == true)
        #expect(remote.help?.contains("tunnel") == true)
        #expect(remote.help?.contains("SOFTHSM2_CONF") == false)
    }

    @Test("A key that may be in its token says how it comes into the keyring")
    func made() throws {
        let kid = try #require(KeyID("acme-market-2026-10"))
        let then = SigningKeyError.token(
            TokenError(.noAnswer(function: "C_Sign", seconds: 1), module: "/m.so"))
        let reason = KeyWording.failure(.keyMade(then: then), kid: kid).reason
        #expect(reason.code == "key.timeout" && reason.exit == .unavailable)
        #expect(reason.help?.contains("keys import") == true)
        let alone = KeyWording.failure(then, kid: kid).reason
        #expect(alone.help?.contains("keys import") == false)
    }

    @Test("A credential that is missing is the key's, or its PIN's")
    func credentials() throws {
        let kid = try #require(KeyID("x28"))
        let key = KeyWording.failure(.unreachable(.noCredentialsFolder), kid: kid).reason
        let pin = KeyWording.failure(.unreachable(.noCredentialsFolderForPIN), kid: kid).reason
        #expect(key.message.hasPrefix("x28 is a credential"))
        #expect(pin.message.hasPrefix("the PIN for x28 is a credential"))
        let uri = KeyWording.failure(.badURI(.pkcs11(.noModule)), kid: kid).reason
        #expect(uri.help?.contains("pkcs11:") == true)
    }

    @Test("A code is told by name and number, a vendor's by number")
    func codes() {
        #expect(TokenCode.pinIncorrect.text == "CKR_PIN_INCORRECT (0xA0)")
        #expect(TokenCode(rawValue: 0x8000_0001).text == "0x80000001")
    }

    @Test(
        "Each fault of a URI has words of its own",
        arguments: [
            PKCS11URIError.pinValue, .nothingSelected, .malformedAttribute, .unknownAttribute("a"),
            .repeatedAttribute("a"), .badCharacter("a"), .badPercent("a"), .notUTF8("a"),
            .zeroByte("a"), .tooLong("a", limit: 1), .badNumber("a"), .otherType, .noModule,
            .relativeModule, .moduleName, .pinSource,
        ])
    func uris(_ error: PKCS11URIError) throws {
        let kid = try #require(KeyID("k"))
        let reason = KeyWording.failure(.badURI(.pkcs11(error)), kid: kid).reason
        #expect(reason.code == "key.signer" && reason.exit == .configuration)
        #expect(reason.message.hasSuffix(TokenWording.words(error)))
    }
}
