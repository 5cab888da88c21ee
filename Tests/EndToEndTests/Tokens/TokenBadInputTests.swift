import Foundation
import LinuxIO
import StrictJSON
import TestSupport
import Testing

@Suite("tokens: bad input")
struct TokenBadInputTests {
    private let token: SoftHSMToken
    private let setting: TokenSetting
    private let kid = TokenSetting.config

    init() throws {
        token = try SoftHSMToken()
        setting = try TokenSetting(token.access)
    }

    @Test(
        "a module that is none",
        arguments: [
            ("", "key.signer", 78), ("libsofthsm2.so", "key.signer", 78),
            ("./libsofthsm2.so", "key.signer", 78), ("/nowhere/libsofthsm2.so", "key.module", 69),
            ("/usr/lib", "key.module", 69), ("/etc/passwd", "key.module", 69),
            ("/dev/null", "key.module", 69), ("LIBM", "key.module", 69),
            ("EMPTY", "key.module", 69), ("UNREADABLE-TEXT", "key.module", 69),
        ])
    func module(path: String, code: String, status: Int32) throws {
        var path = path
        if path == "LIBM" {
            path = try #require(
                [
                    "/lib/x86_64-linux-gnu/libm.so.6", "/lib/aarch64-linux-gnu/libm.so.6",
                    "/lib64/libm.so.6",
                ].first { FileManager.default.fileExists(atPath: $0) })
        }
        if path == "EMPTY" { path = try token.folder.write("empty.so", "").description }
        if path == "UNREADABLE-TEXT" {
            path = try token.folder.write("text.so", String(repeating: "text\n", count: 1000))
                .description
        }
        let answer = try setting.add("import", token.access.signer(kid, module: path))
        expectRefusal(answer, status, code)
        #expect(!setting.sign.exists("keys/acme-market/keyring.json"))
    }

    @Test("a module, or a folder above it, that others may write")
    func writableModule() throws {
        let folder = try token.folder.folder("modules")
        let copy = folder.appending("module.so")
        try token.folder.write(
            "modules/module.so", readFile(FilePath(SoftHSMToken.module), limit: 1 << 26),
            permissions: 0o755)
        try token.access.makeKey(kid, id: "01")
        let signer = token.access.signer(kid, module: copy.description)
        for (path, mode) in [(copy, 0o757), (copy, 0o775), (folder, 0o777)] {
            try FileManager.default.setAttributes(
                [.posixPermissions: mode], ofItemAtPath: path.description)
            let refused = try setting.add("import", signer)
            expectRefusal(refused, 78, "unsafe.owner")
            #expect(refused.errors.contains(path.description), "\(refused.errors)")
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o755], ofItemAtPath: path.description)
        }
        try setting.addKey("import", signer)
    }

    @Test("a keyring that others may write")
    func writableKeyring() throws {
        try setting.addKey("generate", token.access.signer(kid))
        let keyring = setting.sign.path("keys/acme-market/keyring.json")
        try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: keyring)
        expectRefusal(try setting.config(1), 78, "unsafe.owner")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: keyring)
        #expect(try setting.config(1).isSuccess)
    }

    @Test("no such token; no token at all; no folder of tokens")
    func noToken() throws {
        try token.access.makeKey(kid, id: "01")
        var other = token.access
        other.label = "another"
        let missing = try setting.add("import", other.signer(kid))
        expectRefusal(missing, 69, "key.token")
        #expect(missing.errors.contains("\"grona\""), "\(missing.errors)")
        try FileManager.default.removeItem(atPath: token.folder.file("tokens").description)
        let gone = try setting.add("import", token.access.signer(kid))
        #expect(gone.exit == .exited(69), "\(gone.errors)")
        try token.folder.folder("tokens", permissions: 0o700)
        expectRefusal(try setting.add("import", token.access.signer(kid)), 69, "key.token")
    }

    @Test(
        "a token whose files are another user's",
        .enabled(if: Program.isRoot, "runs grona-sign as another user, which needs root"))
    func unreadable() throws {
        try token.access.makeKey(kid, id: "01")
        let program = try token.folder.write(
            "grona-sign", readFile(FilePath(setting.sign.program), limit: 1 << 30),
            permissions: 0o755)
        for name in ["keys", "state"] {
            try setting.sign.folder.folder(name, permissions: 0o700)
            try setting.sign.folder.own(name, by: Program.nobody)
        }
        try token.folder.own("pin", by: Program.nobody)
        let words = [
            "keys", "import", "--workspace", "acme-market", "--use", "config", "--kid", kid,
            "--signer", token.access.signer(kid),
        ]
        let answer = try setting.run(words, asUser: Program.nobody, program: program.description)
        #expect(answer.exit == .exited(69), "\(answer.errors)")
        #expect(answer.errors.contains("SOFTHSM2_CONF"), "\(answer.errors)")
        try Tool.output(
            ["chown", "-R", "\(Program.nobody)", token.folder.file("tokens").description])
        let owned = try setting.run(words, asUser: Program.nobody, program: program.description)
        #expect(owned.isSuccess, "\(owned.errors)")
    }

    @Test("two tokens with one label: the serial number decides")
    func twins() throws {
        try token.addToken(label: "twin", pin: token.access.pin)
        var access = token.access
        access.label = "twin"
        try access.makeKey(kid, id: "01")
        try token.addToken(label: "twin", pin: "another-pin-2")
        let refused = try setting.add("import", access.signer(kid))
        expectRefusal(refused, 78, "key.ambiguous")
        let serials = refused.errors.split(separator: " ").map(String.init)
            .filter { $0.count >= 16 && $0.prefix(16).allSatisfy(\.isHexDigit) }
            .map { String($0.prefix(16)) }
        #expect(serials.count == 2, "\(refused.errors)")
        let answers = try serials.map {
            try setting.add("import", access.signer(kid, more: ["serial=\($0)"]))
        }
        // The PIN fits one of them; it was tried on the one that was named, no more.
        #expect(answers.filter(\.isSuccess).count == 1, "\(answers.map(\.errors))")
    }

    @Test("a token without a PIN of its own")
    func noPIN() throws {
        let answer = try Program.run(
            [
                "/usr/bin/env", "pkcs11-tool", "--module", SoftHSMToken.module, "--slot-index", "1",
                "--init-token", "--label", "nopin", "--so-pin", "12345678",
            ],
            environment: ["PATH": "/usr/bin:/bin"].merging(token.access.environment) { $1 })
        try #require(answer.isSuccess, "\(answer.errors)")
        var access = token.access
        access.label = "nopin"
        expectRefusal(try setting.add("import", access.signer(kid)), 77, "key.pin-unusable")
    }

    @Test(
        "keys that cannot be used",
        arguments: [
            (TokenAccess.Curve.p384, [], "key.malformed", 65),
            (.k256, [], "key.malformed", 65), (.rsa, [], "key.malformed", 65),
            (.p256, [TokenAccess.Trait.noSign], "key.malformed", 78),
            (.p256, [.noPrivate], "key.missing", 78), (.p256, [.noPublic], "key.missing", 78),
        ])
    func keys(
        curve: TokenAccess.Curve, traits: [TokenAccess.Trait], code: String, status: Int32
    ) throws {
        try token.access.makeKey(kid, id: "01", curve, traits)
        expectRefusal(try setting.add("import", token.access.signer(kid)), status, code)
        // The same URI with the right key.
        try token.access.makeKey("right", id: "02")
        try setting.addKey("import", token.access.signer("right"))
    }

    @Test("two keys with one label: the id decides, and the thumbprints are told")
    func ambiguous() throws {
        try token.access.makeKey(kid, id: "0b01")
        try token.access.makeKey(kid, id: "0b02")
        let refused = try setting.add("import", token.access.signer(kid))
        expectRefusal(refused, 78, "key.ambiguous")
        #expect(refused.errors.components(separatedBy: "thumbprint").count == 3)
        #expect(refused.errors.contains("%0b%02"), "\(refused.errors)")
        try setting.addKey("import", token.access.signer(kid, more: ["id=%0b%02"]))
        let shown = try setting.sign.json(
            setting.run(["keys", "show", kid, "--workspace", "acme-market", "--json"]))
        #expect(refused.errors.contains(try #require(shown["thumbprint"]?.string)))
        #expect(try setting.config(1).isSuccess)
    }

    @Test("an id in hexadecimal digits is none, and it is said how it is written")
    func hexadecimal() throws {
        try token.access.makeKey(kid, id: "01a2")
        let refused = try setting.add("import", token.access.signer(nil, more: ["id=01a2"]))
        expectRefusal(refused, 78, "key.missing")
        #expect(refused.errors.contains("id=%01%a2"), "\(refused.errors)")
    }

    @Test("another key behind the label is not signed with")
    func replaced() throws {
        try setting.addKey("generate", token.access.signer(kid))
        #expect(try setting.config(1).isSuccess)
        let tool = [
            "/usr/bin/env", "pkcs11-tool", "--module", SoftHSMToken.module, "--token-label",
            "grona", "--login", "--pin", token.access.pin, "--delete-object", "--label", kid,
        ]
        for type in ["privkey", "pubkey"] {
            let answer = try Program.run(
                tool + ["--type", type],
                environment: ["PATH": "/usr/bin:/bin"].merging(token.access.environment) { $1 })
            try #require(answer.isSuccess, "\(answer.errors)")
        }
        expectRefusal(try setting.config(2), 78, "key.missing")
        try token.access.makeKey(kid, id: "01")
        expectRefusal(try setting.config(2), 78, "key.mismatch")
        expectRefusal(
            try setting.run(["keys", "check", "--workspace", "acme-market"]), 78, "key.mismatch")
        expectRefusal(
            try setting.run(["keys", "pins", "--workspace", "acme-market"]), 78, "key.mismatch")
    }

    @Test("a key that wants its PIN for each signature")
    func alwaysAuthenticate() throws {
        try token.access.makeKey(kid, id: "01", .p256, [.alwaysAuthenticate])
        try setting.addKey("import", token.access.signer(kid))
        let served = try setting.configFile(1)
        let requests = try setting.requests(served, from: 2, count: 3).joined()
        let answer = try setting.run(["renew", "--batch"], input: Array(requests.utf8))
        try setting.expectAll(answer.output, from: 2, count: 3)
    }
}

@Suite("tokens: NSS and its ways")
struct NSSTokenTests {
    @Test("a token that wants no PIN is asked for none")
    func noLogin() throws {
        let token = try NSSToken(pin: "")
        let setting = try TokenSetting(token.access)
        try setting.makeKeys()
        #expect(try setting.config(1).isSuccess)
    }

    @Test("without its init string it is not ready, and the message says what is missing")
    func initString() throws {
        var access = try NSSToken().access
        access.initString = nil
        let setting = try TokenSetting(access)
        let answer = try setting.add("generate", access.signer(TokenSetting.config))
        expectRefusal(answer, 69, "key.failed")
        #expect(answer.errors.contains("x-grona-init"), "\(answer.errors)")
    }

    @Test("a wrong PIN is one attempt")
    func wrongPIN() throws {
        let token = try NSSToken()
        let setting = try TokenSetting(token.access)
        try setting.makeKeys()
        try token.folder.write("pin", TokenSetting.wrongPIN + "\n", permissions: 0o600)
        expectRefusal(try setting.config(1), 77, "key.pin-wrong")
        expectRefusal(try setting.config(1), 77, "key.pin-remembered")
    }

    @Test("public points that it keeps raw")
    func rawPoint() throws {
        let token = try NSSToken()
        var access = token.access
        access.environment["NSS_USE_DECODED_CKA_EC_POINT"] = "1"
        let setting = try TokenSetting(access)
        try setting.makeKeys()
        #expect(try setting.config(1).isSuccess)
    }

    @Test("a key without a label, as certutil makes it")
    func certutil() throws {
        let token = try NSSToken()
        let noise = try token.folder.write("noise", SystemRandom.bytes(64))
        let made = try Program.run([
            "/usr/bin/env", "certutil", "-G", "-k", "ec", "-q", "nistp256", "-z",
            noise.description, "-f", token.access.pinFile.description, "-d",
            "sql:\(token.folder.file("db"))",
        ])
        try #require(made.isSuccess, "\(made.errors)")
        let setting = try TokenSetting(token.access)
        // The token alone is not enough, and it is said what to add.
        let refused = try setting.add("import", token.access.signer(nil, more: ["type=private"]))
        expectRefusal(refused, 64, "key.signer")
        let id = try #require(refused.errors.firstMatch(of: /add (id=[%0-9a-fA-F]+)/)?.1)
        try setting.addKey("import", token.access.signer(nil, more: ["type=private", String(id)]))
        let file = try setting.configFile(1)
        #expect(try Signed(file: file)?.holdsForOpenSSL(spki: setting.spki()) == true)
    }
}
