import LinuxIO
import StrictJSON
import TestSupport
import Testing

/// What every module has to do.
enum TokenJudge {
    /// Keys are made in the token, sign everything there is, and OpenSSL takes all of it.
    static func signsEverything(_ module: TokenModule) throws {
        let (owner, access) = try module.make()
        try withExtendedLifetime(owner) {
            let setting = try TokenSetting(access)
            try setting.makeKeys()
            for kid in [TokenSetting.config, TokenSetting.grant] {
                let found = try access.attributes(of: kid)
                let wanted = [
                    "token": "true", "private": "true", "sensitive": "true",
                    "extractable": "false", "sign": "true",
                ]
                #expect(found.filter { wanted.keys.contains($0.key) } == wanted)
                // A TPM decrypts with what it has, and does not let that be forbidden.
                for other in ["decrypt", "unwrap", "derive", "sign-recover"]
                where module != .tpm || other != "decrypt" {
                    #expect(found[other] != "true", "\(kid) may \(other)")
                }
            }
            let (key, grantKey) = (try setting.spki(), try setting.spki(TokenSetting.grant))

            let served = try setting.configFile(1)
            #expect(try Signed(file: served)?.holdsForOpenSSL(spki: key) == true)
            #expect(try Signed(file: served)?.holdsForOpenSSL(spki: grantKey) == false)
            let bundle = setting.sign.path("bundle.json")
            let bundled = try setting.run(["bundle", served, "-o", bundle])
            #expect(bundled.isSuccess, "\(bundled.errors)")
            #expect(try Signed(file: bundle)?.holdsForOpenSSL(spki: key) == true)
            for (file, channel) in [(served, "remote"), (bundle, "bundle")] {
                let verified = try setting.run(["verify", file, "--channel", channel])
                #expect(verified.isSuccess, "\(verified.output)")
            }

            let offer = [served, "--campaign", "weekend-offer", "--variant", "B"]
            for number in 1...3 {
                let grant = try setting.run(["grant"] + offer + ["--sub", "cus_\(number)"])
                #expect(grant.isSuccess, "\(grant.errors)")
                #expect(
                    try Signed(token: grant.output)?.holdsForOpenSSL(spki: grantKey) == true)
                let verified = try setting.run(
                    ["verify", "--grant", "-", "--sub", "cus_\(number)"],
                    input: Array(grant.output.utf8))
                #expect(verified.isSuccess, "\(verified.output)")
            }
            let preview = try setting.run(["preview"] + offer)
            #expect(preview.isSuccess, "\(preview.errors)")
            #expect(try Signed(token: preview.output)?.holdsForOpenSSL(spki: key) == true)
            try answers(setting)
        }
    }

    /// The verbs that look at keys, over keys that are there.
    private static func answers(_ setting: TokenSetting) throws {
        let workspace = ["--workspace", "acme-market"]
        let checked = try setting.run(["keys", "check"] + workspace)
        #expect(checked.isSuccess, "\(checked.errors)")
        #expect(checked.output.contains("\(TokenSetting.config): current, answers"))
        #expect(checked.output.contains("\(TokenSetting.grant): current, answers"))
        #expect(!checked.errors.contains("file"), "\(checked.errors)")
        let pins = try setting.run(["keys", "pins"] + workspace)
        #expect(pins.isSuccess, "\(pins.errors)")
        #expect(pins.output.contains(TokenSetting.config))
        for words in [["keys", "show", TokenSetting.config], ["keys", "list"]] {
            let shown = try setting.run(words + workspace)
            #expect(shown.isSuccess)
            // Where the PIN is, is nobody's business either.
            #expect(shown.output.contains("pkcs11:token="), "\(shown.output)")
            #expect(!shown.output.contains(setting.access.pinFile.description))
        }
    }

    /// So many signatures in one run, all of which hold: one in 128 has a leading zero.
    static func signsMany(_ module: TokenModule, count: Int) throws {
        let (owner, access) = try module.make()
        try withExtendedLifetime(owner) {
            let setting = try TokenSetting(access)
            try setting.addKey("generate", access.signer(TokenSetting.config))
            let served = try setting.configFile(1)
            let requests = try setting.requests(served, from: 2, count: count).joined()
            let answer = try setting.run(["renew", "--batch"], input: Array(requests.utf8))
            #expect(answer.isSuccess, "\(answer.errors)")
            try setting.expectAll(answer.output, from: 2, count: count)
        }
    }

    /// A key that exists, found by its label, by its id, or by both.
    static func importsKeys(_ module: TokenModule) throws {
        let (owner, access) = try module.make()
        try withExtendedLifetime(owner) {
            let setting = try TokenSetting(access)
            try access.makeKey("one", id: "01a2")
            try access.makeKey("two", id: "01a3")
            try setting.addKey("import", access.signer("one", more: ["id=%01%a2", "type=private"]))
            try setting.addKey(
                "import", access.signer(nil, more: ["id=%01%A3"]), use: "grant",
                kid: TokenSetting.grant)
            #expect(try setting.config(1).isSuccess)
            // Neither key again under another name.
            expectRefusal(
                try setting.add("import", access.signer("two"), kid: "another"), 78, "key.binding")
            // A key that is there is not made again.
            expectRefusal(
                try setting.add("generate", access.signer("one"), kid: "third"), 73, "key.exists")
            expectRefusal(
                try setting.add("import", access.signer("three"), kid: "third"), 78, "key.missing")
        }
    }
}

@Suite("tokens: SoftHSM and NSS")
struct TokenSigningTests {
    @Test(
        "keys made in the token sign configs, bundles, grants and previews",
        arguments: TokenModule.usual)
    func everything(module: TokenModule) throws {
        try TokenJudge.signsEverything(module)
    }

    @Test("a key that exists is imported by label or id", arguments: TokenModule.usual)
    func importing(module: TokenModule) throws {
        try TokenJudge.importsKeys(module)
    }

    @Test("1,000 signatures all hold")
    func many() throws {
        try TokenJudge.signsMany(.nss, count: 1000)
    }

    @Test("2,000 signatures of a batch all hold, over one login")
    func batch() throws {
        let token = try SoftHSMToken()
        var access = token.access
        // It writes down each call and hands it on.
        access.module = SoftHSMToken.spy
        access.environment["PKCS11SPY"] = SoftHSMToken.module
        let log = token.folder.file("spy.log")
        access.environment["PKCS11SPY_OUTPUT"] = log.description
        let setting = try TokenSetting(access)
        try setting.addKey("generate", access.signer(TokenSetting.config))
        let served = try setting.configFile(1)
        let before = try calls(log)
        let requests = try setting.requests(served, from: 2, count: 2000).joined()
        let answer = try setting.run(["renew", "--batch"], input: Array(requests.utf8))
        #expect(answer.isSuccess, "\(answer.errors)")
        try setting.expectAll(answer.output, from: 2, count: 2000)
        let made = try calls(log)
        for name in ["C_Initialize", "C_Login", "C_Finalize"] {
            #expect(made[name, default: 0] - before[name, default: 0] == 1, "\(name)")
        }
        let signatures = made["C_Sign", default: 0] - before["C_Sign", default: 0]
        #expect((2000...2001).contains(signatures), "\(signatures)")
    }

    /// How often each function stands in what the spy wrote, such as `12: C_Login`.
    private func calls(_ log: FilePath) throws -> [String: Int] {
        let text = String(decoding: try readFile(log, limit: 1 << 28), as: UTF8.self)
        return text.split(separator: "\n").reduce(into: [:]) { counts, line in
            let words = line.split(separator: " ")
            if words.count == 2, words[0].last == ":", words[1].hasPrefix("C_") {
                counts[String(words[1]), default: 0] += 1
            }
        }
    }
}

@Suite(
    "tokens: another process's",
    .enabled(if: TokenTests.remoteMissing == nil, Comment(rawValue: TokenTests.remoteMissing ?? ""))
)
struct RemoteTokenTests {
    @Test("keys made in the token sign configs, bundles, grants and previews")
    func everything() throws {
        try TokenJudge.signsEverything(.remote)
    }

    @Test("a key that exists is imported by label or id")
    func importing() throws {
        try TokenJudge.importsKeys(.remote)
    }

    @Test("1,000 signatures all hold")
    func many() throws {
        try TokenJudge.signsMany(.remote, count: 1000)
    }

    @Test("a server that is away is a token that is away, until it is back")
    func away() throws {
        let server = try P11KitServer()
        let setting = try TokenSetting(server.access)
        try setting.makeKeys()
        server.stop()
        expectRefusal(try setting.config(1, ["--signer-timeout", "2s"]), 69, "key.token")
        try server.start()
        #expect(try setting.config(1).isSuccess)
    }
}

@Suite(
    "tokens: a TPM", .serialized,
    .enabled(if: TokenTests.tpmMissing == nil, Comment(rawValue: TokenTests.tpmMissing ?? "")))
struct TPMTokenTests {
    @Test("keys made in the token sign configs, bundles, grants and previews")
    func everything() throws {
        try TokenJudge.signsEverything(.tpm)
    }

    @Test("a key that exists is imported by label or id")
    func importing() throws {
        try TokenJudge.importsKeys(.tpm)
    }

    @Test("1,000 signatures all hold")
    func many() throws {
        try TokenJudge.signsMany(.tpm, count: 1000)
    }

    @Test("one wrong PIN is one try; a locked token says so, whatever the PIN")
    func locked() throws {
        let tpm = try SoftwareTPM()
        let setting = try TokenSetting(tpm.access)
        try setting.makeKeys()
        let pin = { (text: String) in
            _ = try tpm.folder.write("pin", "\(text)\n", permissions: 0o600)
        }
        try pin(TokenSetting.wrongPIN)
        expectRefusal(try setting.config(1), 77, "key.pin-wrong")
        expectRefusal(try setting.config(1), 77, "key.pin-remembered")
        // The TPM locks after three.
        for _ in 2...3 {
            expectRefusal(try setting.config(1, ["--retry-pin"]), 77, "key.pin-wrong")
        }
        try pin(TokenAccess.usualPIN)
        expectRefusal(try setting.config(1), 77, "key.pin-locked")
        try tpm.unlock()
        #expect(try setting.config(1).isSuccess)
    }

    @Test("a simulator that is switched off and on signs again")
    func away() throws {
        let tpm = try SoftwareTPM()
        let setting = try TokenSetting(tpm.access)
        try setting.makeKeys()
        tpm.stop()
        let refused = try setting.config(1, ["--signer-timeout", "2s"])
        #expect(refused.exit == .exited(69), "\(refused.errors)")
        try tpm.start()
        #expect(try setting.config(1).isSuccess)
    }
}
