import SigningKeys
import Testing

@testable import PKCS11Keys

@Suite("What is made anew after a failure")
struct RecoveryLadderTests {
    private func ladder(
        canReinitialize: Bool = true, canLogIn: Bool = true
    ) -> RecoveryLadder {
        RecoveryLadder(canReinitialize: canReinitialize, canLogIn: canLogIn)
    }

    private func sign(_ code: TokenCode) -> TokenProblem { .call(function: "C_Sign", code) }

    @Test(
        "Each code of a lost session, key, log-in or token has its rung",
        arguments: [
            (TokenCode.operationActive, RecoveryLadder.Rung.session),
            (.operationNotInitialized, .session), (.sessionHandleInvalid, .session),
            (.sessionClosed, .session), (.objectHandleInvalid, .key), (.keyHandleInvalid, .key),
            (.userNotLoggedIn, .login), (.tokenNotPresent, .module),
            (.tokenNotRecognized, .module), (.deviceRemoved, .module), (.deviceError, .module),
            (.deviceMemory, .module), (.generalError, .module), (.functionFailed, .module),
            (.cryptokiNotInitialized, .module), (.hostMemory, .module),
        ])
    func rungs(_ code: TokenCode, _ rung: RecoveryLadder.Rung) {
        for function in ["C_SignInit", "C_Sign"] {
            var ladder = ladder()
            #expect(
                ladder.step(after: .call(function: function, code)) == .again(rung, pause: 0))
        }
    }

    @Test(
        "What stays as it is is not tried again",
        arguments: [
            TokenCode.pinIncorrect, .pinLocked, .keyFunctionNotPermitted, .keyTypeInconsistent,
            .keySizeRange, .mechanismInvalid, .mechanismParamInvalid, .actionProhibited,
            .dataLengthRange, .dataInvalid, .argumentsBad, .bufferTooSmall,
            TokenCode(rawValue: 0x8000_0001), TokenCode(rawValue: 0xCE53_4351),
            TokenCode(rawValue: 0x7777),
        ])
    func permanent(_ code: TokenCode) {
        var ladder = ladder()
        #expect(ladder.step(after: sign(code)) == .giveUp)
    }

    @Test(
        "A PIN, an ambiguous key and a signature of another form are not tried again",
        arguments: [
            TokenProblem.wrongPIN(.pinIncorrect), .lockedPIN, .lastTry, .pinNeeded,
            .ambiguousKeys([]), .cannotSign, .otherCurve([]), .derSignature,
        ])
    func problems(_ problem: TokenProblem) {
        var ladder = ladder()
        #expect(ladder.step(after: problem) == .giveUp)
    }

    @Test("A signature is tried once more, not twice")
    func oneRetry() {
        var ladder = ladder()
        #expect(ladder.step(after: sign(.sessionClosed)) == .again(.session, pause: 0))
        #expect(ladder.step(after: sign(.sessionClosed)) == .giveUp)
        var other = self.ladder()
        #expect(other.step(after: sign(.deviceRemoved)) == .again(.module, pause: 0))
        #expect(other.step(after: sign(.deviceRemoved)) == .giveUp)
    }

    @Test("What fails while something is made anew climbs a rung")
    func climbing() {
        var ladder = ladder()
        #expect(ladder.step(after: sign(.objectHandleInvalid)) == .again(.key, pause: 0))
        let gone = TokenProblem.noKey(isPublicOnly: false, idLooksHexadecimal: false)
        #expect(ladder.step(after: gone) == .again(.login, pause: 0))
        #expect(ladder.step(after: gone) == .again(.module, pause: 0))
        // The token is back, and the key is not on it.
        #expect(ladder.step(after: gone) == .giveUp)
    }

    @Test("At the top it is tried again with pauses that grow")
    func pauses() {
        var ladder = ladder()
        #expect(ladder.step(after: sign(.generalError)) == .again(.module, pause: 0))
        let down = TokenProblem.call(function: "C_Initialize", .generalError)
        var pauses: [UInt64] = []
        for _ in 0..<8 {
            guard case .again(.module, let pause) = ladder.step(after: down) else { return }
            pauses.append(pause / 1_000_000)
        }
        #expect(pauses == [50, 100, 200, 400, 800, 1_600, 2_000, 2_000])
        let absent = TokenProblem.noToken(labels: [], uninitialised: 1, unreadable: 0)
        #expect(ladder.step(after: absent) == .again(.module, pause: 2_000_000_000))
    }

    @Test("A module that somebody else made ready is not made ready anew")
    func adopted() {
        var ladder = ladder(canReinitialize: false)
        #expect(ladder.step(after: sign(.generalError)) == .giveUp)
        var other = self.ladder(canReinitialize: false)
        #expect(other.step(after: sign(.sessionClosed)) == .again(.session, pause: 0))
    }

    @Test("Nobody logs in again with a PIN that has never succeeded")
    func unproven() {
        var ladder = ladder(canLogIn: false)
        #expect(ladder.step(after: sign(.userNotLoggedIn)) == .giveUp)
        var other = self.ladder(canLogIn: true)
        #expect(other.step(after: sign(.userNotLoggedIn)) == .again(.login, pause: 0))
    }
}
