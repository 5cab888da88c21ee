import Foundation
import LinuxIO
import StrictJSON
import TestSupport
import Testing

/// What no real module does on demand, over a keyring whose key is on the token.
@Suite("tokens: a module that misbehaves")
struct MisbehavingModuleTests {
    private let token: MisbehavingToken
    private let setting: TokenSetting

    init() throws {
        token = try MisbehavingToken()
        try token.makeKey(TokenSetting.config, id: "01a2")
        try token.makeKey("other", id: "01a3")
        setting = try TokenSetting(token.access)
        try setting.addKey("import", token.access.signer(TokenSetting.config))
        try token.forgetCalls()
    }

    @Test("a module that behaves: one of each call that counts")
    func behaves() throws {
        #expect(try setting.config(1).isSuccess)
        for name in ["C_Initialize", "C_Login", "C_Finalize", "C_Logout"] {
            #expect(try token.answers(name) == [0], "\(name)")
        }
        #expect(try token.calls("C_GetFunctionList") == 1)
        #expect((1...2).contains(try token.calls("C_Sign")))
    }

    @Test(
        "oddities that PKCS#11 allows, or that are harmless, do not stop it",
        arguments: [
            ["point raw"], ["no-public"], ["slots grow 3"], ["slots shrink"], ["empty-slots 2"],
            ["initialise null-only"], ["initialise cant-lock"], ["initialise already"],
            ["read-only-refused"], ["sessions 1"], ["always-authenticate"], ["length always 0"],
            ["point huge"], ["length params 0"], ["length params 100000000"], ["length type 4"],
            ["length type 0"], ["code always 0x12"], ["code sign 0x12"],
            ["length label 0", "length id 0", "no-public"],
            ["fail C_Sign 1 1 0x32"], ["fail C_Sign 1 1 0xb3"], ["fail C_SignInit 1 1 0x82"],
            ["fail C_Sign 1 1 0x101"], ["fail C_SignInit 1 1 0x60"],
            ["lose C_Sign 1 0x32 2"], ["lose C_SignInit 1 0x30 0"], ["swap"],
            ["flags no-login", "public-login"],
        ])
    func odd(control: [String]) throws {
        try token.behave(control)
        let signed = try setting.config(1)
        #expect(signed.isSuccess, "\(signed.errors)")
    }

    @Test(
        "what it gives is not trusted",
        arguments: [
            (["signature short"], "signature.invalid", 70),
            (["signature long"], "signature.invalid", 70),
            (["signature der"], "signature.invalid", 70),
            (["signature rehash"], "signature.invalid", 70),
            (["signature zero"], "signature.invalid", 70),
            (["signature huge"], "signature.invalid", 70),
            (["point xy"], "key.malformed", 65), (["point long"], "key.malformed", 65),
            (["point compressed"], "key.malformed", 65),
            (["point off-curve"], "key.malformed", 65),
            (["point other"], "key.mismatch", 78),
            (["curve p384"], "key.malformed", 65), (["curve k256"], "key.malformed", 65),
            (["curve text"], "key.malformed", 65),
            (["no-sign"], "key.malformed", 78),
        ])
    func distrusted(control: [String], code: String, status: Int32) throws {
        try token.behave(control)
        expectRefusal(try setting.config(1), status, code)
        #expect(try setting.sign.auditLines() <= 2)
    }

    @Test("a signature that is the same again is refused, and so is each one after it")
    func constant() throws {
        let served = try setting.configFile(1)
        try token.behave(["signature constant"])
        let requests = try setting.requests(served, from: 2, count: 3).joined()
        let answer = try setting.run(["renew", "--batch"], input: Array(requests.utf8))
        let found = try TokenSetting.answers(answer.output)
        #expect(found.map { $0["id"]?.integer } == [2, 3, 4])
        for line in found.dropFirst() {
            #expect(line["error"]?["code"]?.string == "signature.invalid", "\(answer.output)")
        }
    }

    @Test(
        "a code has its name or its hexadecimal digits, and the function that gave it",
        arguments: [
            ("C_Sign", "0x80000123", "0x80000123", "key.failed", 69),
            ("C_SignInit", "0xce534351", "0xCE534351", "key.failed", 69),
            ("C_SignInit", "0x68", "CKR_KEY_FUNCTION_NOT_PERMITTED", "key.failed", 78),
            ("C_SignInit", "0x70", "CKR_MECHANISM_INVALID", "key.failed", 78),
            ("C_Sign", "0x21", "CKR_DATA_LEN_RANGE", "key.failed", 70),
            ("C_Initialize", "0x5", "CKR_GENERAL_ERROR", "key.failed", 69),
            ("C_Sign", "0x32", "CKR_DEVICE_REMOVED", "key.token", 69),
        ])
    func codes(function: String, code: String, text: String, rule: String, status: Int32) throws {
        try token.behave(["fail \(function) 1 0 \(code)"])
        let answer = try setting.config(1, ["--signer-timeout", "1s"])
        expectRefusal(answer, status, rule)
        #expect(answer.errors.contains(function), "\(answer.errors)")
        #expect(answer.errors.contains(text), "\(answer.errors)")
    }

    @Test(
        "a function that fails for ever, with one code or another, ends with an error in time",
        arguments: MisbehavingToken.functions)
    func failing(function: String) throws {
        for (index, code) in ["0x5", "0x80000001", "0x30", "0xb3"].enumerated() {
            try token.behave(["fail \(function) 1 0 \(code)"])
            let start = SystemClock.monotonicNanoseconds()
            let answer = try setting.config(index + 1, ["--signer-timeout", "1s"])
            let elapsed = SystemClock.monotonicNanoseconds() - start
            #expect(elapsed < 10_000_000_000, "\(function) \(code)")
            guard case .exited(let status) = answer.exit else {
                Issue.record("\(function) \(code): \(answer.exit)")
                continue
            }
            if status == 0 {
                // What is not told, the signature proves.
                #expect(
                    ["C_GetMechanismInfo", "C_FindObjectsFinal", "C_GetAttributeValue"]
                        .contains(function), "\(function) \(code)")
            } else {
                #expect([69, 70, 77, 78].contains(status), "\(function) \(code): \(answer.errors)")
                #expect(answer.errors.contains("error[key."), "\(answer.errors)")
            }
        }
        #expect(try token.calls("C_Login") <= 4 * 3)
    }

    @Test(
        "a call that never returns ends with 69 when its time is over",
        arguments: MisbehavingToken.functions)
    func hanging(function: String) throws {
        try token.behave(["hang \(function) 1"])
        let start = SystemClock.monotonicNanoseconds()
        let answer = try setting.config(1, ["--signer-timeout", "1s"])
        let elapsed = SystemClock.monotonicNanoseconds() - start
        expectRefusal(answer, 69, "key.timeout")
        #expect(answer.errors.contains(function), "\(answer.errors)")
        #expect((900_000_000..<8_000_000_000).contains(elapsed), "\(elapsed)")
    }

    @Test("what a module writes does not get among results and errors")
    func chat() throws {
        let served = try setting.configFile(1)
        try token.behave(["chat C_Initialize 1", "chat C_Sign 1"])
        let requests = try setting.requests(served, from: 2, count: 3).joined()
        let answer = try setting.run(["renew", "--batch"], input: Array(requests.utf8))
        try setting.expectAll(answer.output, from: 2, count: 3)
        #expect(!answer.errors.contains("module:"), "\(answer.errors)")
        try token.behave(["chat C_Initialize 1", "fail C_Sign 1 0 0x70"])
        let refused = try setting.config(5, ["--json"])
        #expect(refused.exit == .exited(78) && refused.output.isEmpty, "\(refused.output)")
        #expect(refused.errors.split(separator: "\n").count == 1, "\(refused.errors)")
        #expect(try JSONDocument.parse(Array(refused.errors.utf8)).root["error"] != nil)
        // -v shows what it says to standard error, and nothing else does.
        let shown = try setting.config(5, ["-v"])
        #expect(shown.output.isEmpty && shown.errors.contains("module: to standard error"))
    }

    @Test(
        "a module that ends the process does not end it as if all were done",
        arguments: ["C_Initialize", "C_Login", "C_Sign"])
    func ends(function: String) throws {
        try token.behave(["exit \(function) 1"])
        let answer = try setting.config(1)
        expectRefusal(answer, 70, "key.failed")
        #expect(answer.errors.contains("module"), "\(answer.errors)")
    }

    @Test("a module that ends the process when all is written does not change how it went")
    func endsLate() throws {
        try token.behave(["exit C_Finalize 1"])
        #expect(try setting.config(1).isSuccess)
    }

    @Test("two init strings for one module: the second key is not recorded")
    func initStrings() throws {
        var access = token.access
        access.initString = "a"
        let other = try TokenSetting(access)
        try other.addKey("import", access.signer(TokenSetting.config))
        for initString in ["b", nil] {
            access.initString = initString
            let refused = try other.add(
                "import", access.signer("other"), use: "grant", kid: TokenSetting.grant)
            expectRefusal(refused, 78, "key.signer")
            #expect(refused.errors.contains(TokenSetting.config), "\(refused.errors)")
        }
        access.initString = "a"
        try other.addKey("import", access.signer("other"), use: "grant", kid: TokenSetting.grant)
    }

    @Test("a shut-down that hangs does not hold up what was signed")
    func hangingEnd() throws {
        try token.behave(["hang C_Finalize 1"])
        let answer = try setting.config(1, ["--signer-timeout", "1s"])
        #expect(answer.isSuccess, "\(answer.errors)")
    }

    @Test(
        "a list of slots that never settles, and a token that is not there",
        arguments: [
            (["slots grow 0"], "key.failed"), (["absent"], "key.token"),
            (["flags uninitialized"], "key.token"), (["label another"], "key.token"),
        ])
    func noToken(control: [String], code: String) throws {
        try token.behave(control)
        expectRefusal(try setting.config(1, ["--signer-timeout", "1s"]), 69, code)
    }

    @Test("two tokens with one label: the serial number decides")
    func twins() throws {
        try token.behave(["twin"])
        let refused = try setting.config(1)
        expectRefusal(refused, 78, "key.ambiguous")
        #expect(refused.errors.contains("serial"))
        let other = try TokenSetting(token.access)
        try other.addKey(
            "import", token.access.signer(TokenSetting.config, more: ["serial=2"]))
        #expect(try other.config(1).isSuccess)
    }

    @Test(
        "a table with a hole, and no table at all",
        arguments: [
            ["null C_Sign"], ["null C_Login"], ["null C_GetTokenInfo"], ["null C_Finalize"],
            ["list fail"], ["list null"],
        ])
    func holes(control: [String]) throws {
        try token.behave(control)
        let answer = try setting.config(1)
        #expect(answer.exit == .exited(69), "\(answer.exit) \(answer.errors)")
        #expect(answer.errors.contains("error[key."), "\(answer.errors)")
    }

    @Test("who finds the module at work does not end it")
    func adopted() throws {
        try token.behave(["initialise already"])
        #expect(try setting.config(1).isSuccess)
        #expect(try token.calls("C_Finalize") == 0)
    }

    @Test("an init string reaches the module, and nothing else does in its place")
    func initString() throws {
        try token.behave(["init config='x y' 100%"])
        expectRefusal(try setting.config(1), 69, "key.failed")
        var access = token.access
        access.initString = "config='x y' 100%"
        let other = try TokenSetting(access)
        try other.addKey("import", access.signer(TokenSetting.config))
        #expect(try other.config(1).isSuccess)
    }

    @Test("a key that wants its PIN each time gets it each time")
    func alwaysAuthenticate() throws {
        let served = try setting.configFile(1)
        try token.forgetCalls()
        try token.behave(["always-authenticate"])
        let requests = try setting.requests(served, from: 2, count: 5).joined()
        let answer = try setting.run(["renew", "--batch"], input: Array(requests.utf8))
        #expect(answer.isSuccess, "\(answer.output)")
        try setting.expectAll(answer.output, from: 2, count: 5)
        let signatures = try token.calls("C_Sign")
        #expect(try token.calls("C_Login") == 1 + signatures)
    }
}
