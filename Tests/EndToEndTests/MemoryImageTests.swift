import Foundation
import LibcryptoSigning
import LinuxIO
import SecretMemory
import TestSupport
import Testing

/// Images of the memory of `grona-sign`: where are its secrets, and are they gone afterwards.
@Suite("grona-sign, the image of its memory", .serialized)
struct MemoryImageTests {
    private let setting: SignSetting
    private let key: TestKey
    private let scalar: SecretTraces
    private let passphraseText: String
    private let passphrase: SecretTraces

    init() throws {
        setting = try SignSetting(makesKeys: false)
        key = try TestKey()
        scalar = SecretTraces("scalar", try MemoryImageTests.scalar(of: key))
        passphraseText = String(
            decoding: SystemRandom.hexadecimal(16).map { $0 < 0x3A ? $0 + 0x27 : $0 }, as: UTF8.self
        )
        passphrase = SecretTraces("passphrase", Array(passphraseText.utf8))
    }

    /// The 32 bytes behind `OCTET STRING, 32 bytes` of a PKCS#8 text.
    private static func scalar(of key: TestKey) throws -> [UInt8] {
        let der = try pemBody(key)
        let start = try #require(
            (0..<(der.count - 34)).first {
                der[$0...].starts(with: [0x02, 0x01, 0x01, 0x04, 0x20])
            })
        return Array(der[(start + 5)..<(start + 37)])
    }

    private static func pemBody(_ key: TestKey) throws -> [UInt8] {
        let lines = String(decoding: try key.privateKey.pkcs8PEM().copied(), as: UTF8.self)
            .split(separator: "\n").filter { !$0.hasPrefix("-----") }
        return Array(try #require(Data(base64Encoded: lines.joined())))
    }

    /// Records the key; encrypted where there is to be a passphrase.
    private func prepare(encrypted: Bool) throws {
        let kid = key.kid
        try setting.folder.folder("keys/acme-market", permissions: 0o700)
        let secret = try SecretBytes.of(passphraseText)
        let pem =
            encrypted
            ? try key.privateKey.encryptedPKCS8PEM(passphrase: secret).copied()
            : try key.privateKey.pkcs8PEM().copied()
        try setting.folder.write("keys/acme-market/\(kid).pem", pem, permissions: 0o600)
        try setting.folder.write("passphrase", passphraseText + "\n", permissions: 0o600)
        let words = encrypted ? ["--passphrase-file", setting.path("passphrase")] : []
        let made = try setting.run(
            [
                "keys", "import", "--workspace", "acme-market", "--use", "config", "--kid", kid,
                "--signer", "file:\(kid).pem",
            ] + words)
        try #require(made.isSuccess, "\(made.errors)")
    }

    private func pemLines() throws -> SecretTraces {
        // The text itself, line by line: its base64 is found as raw.
        let text = try MemoryImageTests.pemBody(key)
        return SecretTraces(
            "PEM text", Array(Data(text).base64EncodedString().utf8.prefix(120).suffix(64)),
            forms: [.raw])
    }

    private func start(
        _ words: [String], points: [String], environment: [String: String] = [:],
        input: [UInt8] = []
    ) throws -> StoppedProgram {
        try StoppedProgram(
            words, environment: setting.environment(environment), points: points,
            log: setting.folder.file("stops"), input: input)
    }

    private var config: [String] {
        [setting.program, "config", setting.campaigns, "--version", "1", "-o", setting.path("o")]
    }

    /// Goes through all points: what is there stands in guarded areas, and at the end nowhere.
    private func walk(
        _ program: StoppedProgram, _ secrets: [SecretTraces], expecting: [String: Set<String>]
    ) throws {
        var passed: [String] = []
        while let (point, image) = try program.next() {
            passed.append(point)
            let found = image.find(secrets)
            #expect(image.searchedByteCount > 1_000_000)
            if point == "over" {
                #expect(found.isEmpty, "\(point): \(found)")
            } else {
                #expect(found.filter { !$0.isGuarded }.isEmpty, "\(point): \(found)")
            }
            // That a secret is seen where it has to be shows that the search can see.
            let seen = Set(found.filter(\.isGuarded).map(\.secret))
            #expect(seen.isSuperset(of: expecting[point] ?? []), "\(point): \(found)")
        }
        #expect(Set(passed).isSuperset(of: expecting.keys), "\(passed)")
        #expect(passed.last == "over")
    }

    @Test("a key in a plain file: guarded while it signs, gone afterwards")
    func plain() throws {
        try prepare(encrypted: false)
        let program = try start(config, points: ["key-read", "signing", "over"])
        try walk(
            program, [scalar, try pemLines()],
            expecting: ["key-read": ["scalar", "PEM text"], "signing": ["scalar"], "over": []])
        #expect(try program.finish().exit == .exited(0))
    }

    @Test("an encrypted key with its passphrase in a file")
    func encrypted() throws {
        try prepare(encrypted: true)
        let program = try start(
            config + ["--passphrase-file", setting.path("passphrase")],
            points: ["secret-read", "key-read", "signing", "over"])
        try walk(
            program, [scalar, passphrase, try pemLines()],
            expecting: [
                "secret-read": ["passphrase"], "key-read": ["scalar"], "signing": ["scalar"],
                "over": [],
            ])
        #expect(try program.finish().exit == .exited(0))
    }

    @Test("a passphrase that is typed on a terminal")
    func typed() throws {
        try prepare(encrypted: true)
        // A terminal that types the passphrase once the prompt is there.
        let script = """
            import os, pty, sys
            child, terminal = pty.fork()
            if child == 0: os.execv(sys.argv[2], sys.argv[2:])
            seen = b""
            while b"Passphrase of" not in seen: seen += os.read(terminal, 1000)
            os.write(terminal, open(sys.argv[1], "rb").read())
            try:
                while os.read(terminal, 1000): pass
            except OSError: pass
            sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            """
        let program = try start(
            ["/usr/bin/python3", "-c", script, setting.path("passphrase")] + config,
            points: ["secret-read", "key-read", "signing", "over"])
        try walk(
            program, [scalar, passphrase, try pemLines()],
            expecting: ["secret-read": ["passphrase"], "signing": ["scalar"], "over": []])
        #expect(try program.finish().exit == .exited(0))
    }

    @Test("a batch, which keeps its key from one request to the next")
    func batch() throws {
        try prepare(encrypted: false)
        let source = try setting.config(1)
        let envelope = String(
            decoding: try readFile(FilePath(source), limit: 1 << 20), as: UTF8.self)
        let requests = (2...4).map { #"{"id":\#($0),"envelope":\#(envelope),"version":\#($0)}"# }
            .joined(separator: "\n")
        try setting.folder.write("requests", requests)
        let command =
            "\(setting.program) renew --batch <\(setting.path("requests")) >\(setting.path("o"))"
        let program = try start(["/bin/sh", "-c", command], points: ["signing", "over"])
        try walk(
            program, [scalar, try pemLines()], expecting: ["signing": ["scalar"], "over": []])
        #expect(try program.finish().exit == .exited(0))
    }

    @Test("a PIN is guarded until it is handed to the module, and ours is gone afterwards")
    func token() throws {
        let token = try SoftHSMToken(pin: passphraseText)
        try setting.folder.write(
            "key.pem", try key.privateKey.pkcs8PEM().copied(), permissions: 0o600)
        try token.importKey(setting.path("key.pem"), object: key.kid, id: "01")
        try setting.folder.folder("keys/acme-market", permissions: 0o700)
        let made = try setting.run(
            [
                "keys", "import", "--workspace", "acme-market", "--use", "config", "--kid", key.kid,
                "--signer",
                "pkcs11:token=grona;object=\(key.kid)?module-path=\(SoftHSMToken.module)"
                    + "&pin-source=file:\(token.folder.file("pin"))",
            ], environment: token.access.environment)
        try #require(made.isSuccess, "\(made.errors)")
        let program = try start(
            config, points: ["secret-read", "signing", "over"],
            environment: token.access.environment)
        var seen: [String: Set<MemoryImage.Finding>] = [:]
        while let (point, image) = try program.next() {
            seen[point] = image.find([passphrase, scalar])
        }
        #expect(try program.finish().exit == .exited(0))
        #expect(seen["secret-read"]?.contains { $0.isGuarded } == true, "\(seen)")
        #expect(seen["secret-read"]?.contains { !$0.isGuarded } == false, "\(seen)")
        // From here on the module has the PIN, and the key of a token in software: what it keeps,
        // and where, is its own. SoftHSM 2.6.1 shows neither.
        #expect(seen["over"]?.contains { $0.isGuarded } == false, "\(seen)")
    }

    @Test("a secret that is planted on the ordinary heap is found, in every form")
    func control() throws {
        try prepare(encrypted: true)
        let secrets = [scalar, passphrase, try pemLines()]
        try setting.folder.write("plant", Array(secrets.map(\.planted).joined()))
        let program = try start(
            config + ["--passphrase-file", setting.path("passphrase")],
            points: ["signing", "over"],
            environment: ["GRONA_STOP_PLANT": setting.path("plant")])
        for expected in ["signing", "over"] {
            let (point, image) = try #require(try program.next())
            #expect(point == expected)
            let found = image.find(secrets).filter { !$0.isGuarded }
            for secret in secrets {
                let forms = Set(found.filter { $0.secret == secret.name }.map(\.form))
                #expect(forms == Set(secret.traces.map(\.form)), "\(point) \(secret.name)")
            }
        }
        #expect(try program.finish().exit == .exited(0))
    }
}
