import Foundation
import JOSE
import Libcrypto
import LibcryptoSigning
import LinuxIO
import SecretMemory
import StrictJSON
import TestSupport
import Testing

/// Many workspaces with a key, a policy and a served config each, made without a program's help, so
/// that a hundred of them take no longer than one.
///
/// What stands there is what `keys generate`, `config` and `push` leave behind: keyring, signer's
/// log, claim, served copy, ledger and kept envelope. It works at the present time of this machine.
final class FleetSetting {
    static let day: Int64 = 86_400

    struct Shop {
        let name: String
        let key: TestKey
        var issued: Int64
        var lifetime = 30 * FleetSetting.day
        var version: Int64 = 1
        var content: Int64 = 0
    }

    let folder: TestFolder
    let store: String
    let start: Int64
    private(set) var shops: [String: Shop] = [:]
    private var ledger: [JSONValue] = []

    /// - Parameters:
    ///   - age: how long ago the served configs were signed, in days.
    ///   - store: the store's name; nil for a folder.
    init(_ names: [String], age: Int64 = 20, store: String? = nil) throws {
        folder = try TestFolder()
        try folder.folder("store", permissions: 0o755)
        self.store = try store ?? "file:" + FileSystem.resolve(folder.file("store")).description
        start = Int64(Date().timeIntervalSince1970)
        for name in names {
            let shop = Shop(
                name: name, key: try TestKey("\(name)-1"), issued: start - age * Self.day)
            try add(shop)
            try serve(shop)
        }
    }

    func path(_ name: String) -> String { folder.file(name).description }
    func config(_ name: String) -> String { path("store/v1/mobile/workspaces/\(name)/config") }
    func claim(_ name: String, _ version: Int64) -> String {
        path("store/v1/mobile/workspaces/\(name)/versions/")
            + String(format: "%016ld.json", Int(version))
    }

    private func write(_ path: String, _ bytes: [UInt8], permissions: Int = 0o644) throws {
        let url = URL(filePath: path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: url)
        try FileManager.default.setAttributes(
            [.posixPermissions: permissions], ofItemAtPath: path)
    }

    // MARK: What is there

    /// A key with its keyring, and a policy.
    ///
    /// - Parameter signer: where the key is; nil for a file beside the keyring.
    func add(_ shop: Shop, signer: String? = nil) throws {
        shops[shop.name] = shop
        try writeKey(shop.key, of: shop.name)
        try write(
            path("keys/\(shop.name)/keyring.json"),
            JSONValue.object([
                ("format", .integer(1)), ("id", .string(id(shop.name))),
                ("workspace", .string(shop.name)),
                (
                    "keys",
                    .array([
                        .object([
                            ("kid", .string(shop.key.kid)), ("use", .string("config")),
                            ("state", .string("current")),
                            ("thumbprint", .string(shop.key.thumbprint)),
                            ("public", .string(shop.key.publicText)),
                            (
                                "signer", .string(signer ?? "file:\(shop.key.kid).pem")
                            ),
                            (
                                "history",
                                .array([
                                    .object([
                                        ("at", .integer(start - 100 * Self.day)),
                                        ("bootstrap", .boolean(true)),
                                        ("state", .string("current")),
                                    ])
                                ])
                            ),
                        ])
                    ])
                ),
            ]).canonical())
        try write(
            path("campaigns/\(shop.name)/workspace.json"),
            Array(#"{"workspace":"\#(shop.name)","min_sdk":"1.0.0","ttl_seconds":900}"#.utf8))
    }

    func writeKey(_ key: TestKey, of name: String, as kid: String? = nil) throws {
        let pem = try key.privateKey.pkcs8PEM().withSpan { span in
            span.indices.map { span[$0] }
        }
        try write(
            path("keys/\(name)/\(kid ?? key.kid).pem"), pem, permissions: 0o600)
    }

    private func id(_ name: String) -> String {
        String(SHA256.digest(Array(name.utf8)).hex.prefix(32))
    }

    func payload(_ shop: Shop) -> [UInt8] {
        JSONValue.object([
            ("schema", .integer(1)), ("version", .integer(shop.version)),
            ("workspace", .string(shop.name)), ("min_sdk", .string("1.0.0")),
            ("issued_at", .integer(shop.issued)),
            ("expires_at", .integer(shop.issued + shop.lifetime)),
            ("ttl_seconds", .integer(900)),
            ("settings", .object([("content", .integer(shop.content))])),
            (
                "campaigns",
                .array([
                    .object([
                        ("id", .string("news")), ("kind", .string("banner")),
                        ("enabled", .boolean(true)), ("unit", .string("device")),
                        ("placements", .array([.string("home")])),
                        (
                            "variants",
                            .array([
                                .object([("id", .string("only")), ("weight", .integer(10_000))])
                            ])
                        ),
                    ])
                ])
            ),
        ]).canonical()
    }

    func envelope(_ shop: Shop, by key: TestKey? = nil) throws -> [UInt8] {
        try (key ?? shop.key).envelope(payload(shop)).serialized()
    }

    /// Signed here, claimed, served and seen, as after a push.
    @discardableResult
    func serve(_ shop: Shop) throws -> [UInt8] {
        shops[shop.name] = shop
        let envelope = try envelope(shop)
        try signed(shop)
        if store.hasPrefix("file:") {
            try write(config(shop.name), envelope)
            try write(claim(shop.name, shop.version), envelope)
        }
        let digest = SHA256.digest(envelope).hex
        try write(stateOfStore + "/envelopes/\(digest).json", envelope, permissions: 0o600)
        ledger.append(
            .object([
                ("event", .string("observed")), ("workspace", .string(shop.name)),
                ("time", .integer(min(shop.issued, start))), ("user", .string("tester")),
                ("version", .integer(shop.version)), ("kid", .string(shop.key.kid)),
                ("payload", .string(SHA256.digest(payload(shop)).hex)),
                ("envelope", .string(digest)),
            ]))
        return envelope
    }

    private var logs: [String: [JSONValue]] = [:]

    /// A line of the signer's memory.
    func signed(_ shop: Shop) throws {
        let payload = payload(shop)
        logs[shop.name, default: []].append(
            .object([
                ("act", .string("sign")), ("at", .integer(min(shop.issued, start))),
                ("user", .string("tester")), ("workspace", .string(shop.name)),
                ("role", .string("config")), ("kid", .string(shop.key.kid)),
                ("thumbprint", .string(shop.key.thumbprint)),
                ("digest", .string(SHA256.digest(payload).hex)),
                ("version", .integer(shop.version)), ("issued_at", .integer(shop.issued)),
                ("expires_at", .integer(shop.issued + shop.lifetime)),
            ]))
    }

    var ledgerFile: String { stateOfStore + "/ledger.ndjson" }

    private var stateOfStore: String {
        path("state/stores/" + SHA256.digest(Array(store.utf8)).hex.prefix(16))
    }

    /// Writes the ledger and the signer's logs; after that, only the programs do.
    func settle() throws {
        for (name, lines) in logs {
            try write(
                path("state/\(id(name))/audit.ndjson"), Self.chain(lines), permissions: 0o600)
        }
        try write(stateOfStore + "/ledger.ndjson", Self.chain(ledger), permissions: 0o600)
        let probe =
            #"{"format":1,"store":"\#(store)","time":1,"report":{"checks":[],"#
            + #""if_match":"quoted","versioned":false,"weak_tags":false}}"#
        if !store.hasPrefix("file:") { try write(stateOfStore + "/probe.json", Array(probe.utf8)) }
        var folders = [path("state"), path("state/stores"), stateOfStore]
        folders += [stateOfStore + "/envelopes"] + logs.keys.map { path("state/\(id($0))") }
        for folder in folders {
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o700], ofItemAtPath: folder)
        }
    }

    private static func chain(_ records: [JSONValue]) -> [UInt8] {
        var (text, previous): ([UInt8], String) = ([], String(repeating: "0", count: 64))
        for (index, record) in records.enumerated() {
            guard case .object(let members) = record else { continue }
            let line = JSONValue.object(
                members + [
                    ("format", .integer(1)), ("seq", .integer(Int64(index + 1))),
                    ("prev", .string(previous)),
                ]
            ).canonical()
            previous = SHA256.digest(line).hex
            text += line + [0x0A]
        }
        return text
    }

    // MARK: Runs

    var signer: String { Program.folder.appending("grona-sign").description }
    var publisher: String { Program.folder.appending("grona-publish").description }

    func environment(_ more: [String: String] = [:]) -> [String: String] {
        [
            "HOME": folder.path.description, "PATH": "/usr/bin:/bin",
            "GRONA_STATE": path("state"), "GRONA_KEYS": path("keys"),
            "GRONA_CAMPAIGNS": path("campaigns"), "GRONA_STORE": store, "GRONA_ALLOW_HTTP": "1",
        ].merging(more) { $1 }
    }

    func refresh(
        _ words: [String] = [], environment more: [String: String] = [:]
    ) throws -> Program.Answer {
        try Program.run(
            [publisher, "refresh", "--all", "--json"] + words, environment: environment(more))
    }

    /// A shell script that is called as the signer, with `$SIGN` for the real one.
    func script(_ name: String, _ text: String) throws -> String {
        try write(
            path(name), Array("#!/bin/sh\nSIGN=\(signer)\n\(text)\n".utf8), permissions: 0o755)
        return path(name)
    }

    /// A member of each workspace's line in the answer.
    func column(_ answer: Program.Answer, _ member: String) throws -> [String: String] {
        let root = try JSONDocument.parse(Array(answer.output.utf8)).root
        let lines = try #require(root["workspaces"], "\(answer.errors)")
        var column: [String: String] = [:]
        for line in lines.elements {
            let value = line[member]
            column[line["workspace"]?.string ?? ""] =
                value?.string ?? value?.integer.map { "\($0)" } ?? "-"
        }
        return column
    }

    /// How many lines the signer's log of a workspace has.
    func signatures(_ name: String) throws -> Int {
        try String(contentsOfFile: path("state/\(id(name))/audit.ndjson"), encoding: .utf8)
            .split(separator: "\n").count { $0.contains(#""role":"renew""#) }
    }

    func served(_ name: String) throws -> JSONElement {
        let envelope = try JSONDocument.parse(
            Array(try Data(contentsOf: URL(filePath: config(name))))
        ).root
        let text = try #require(envelope["payload"]?.string)
        return try JSONDocument.parse(try #require(Base64URL.decode(Array(text.utf8)))).root
    }
}
