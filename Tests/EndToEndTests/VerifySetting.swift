import Foundation
import GronaFormats
import JOSE
import LinuxIO
import StrictJSON
import TestSupport

/// A folder with a pins file and a keyring, and `grona-sign` to run in its sight.
struct VerifySetting {
    /// 2026-10-29T09:00:00Z.
    static let now: Int64 = 1_793_264_400

    let folder: TestFolder
    let config: TestKey
    let grant: TestKey

    init() throws {
        folder = try TestFolder()
        config = try TestKey("acme-market-2026-10")
        grant = try TestKey("acme-market-grants-2026-10")
        try folder.write("pins.json", Self.pins(config: [config], grant: [grant]))
        try keyring("acme-market", [(config, "config", "current"), (grant, "grant", "current")])
    }

    static func pins(
        config: [TestKey], grant: [TestKey], workspace: String = "acme-market"
    ) -> String {
        func list(_ keys: [TestKey]) -> String {
            keys.map { #"{"kid":"\#($0.kid)","public":"\#($0.publicText)"}"# }
                .joined(separator: ",")
        }
        return #"{"format":1,"workspace":"\#(workspace)","config":[\#(list(config))],"#
            + #""grant":[\#(list(grant))]}"#
    }

    func keyring(
        _ workspace: String, _ keys: [(key: TestKey, use: String, state: String)]
    ) throws {
        let records = keys.map { key, use, state in
            #"{"kid":"\#(key.kid)","use":"\#(use)","state":"\#(state)","#
                + #""signer":"file:\#(key.kid).pem","public":"\#(key.publicText)","#
                + #""thumbprint":"\#(key.thumbprint)","#
                + #""history":[{"state":"\#(state)","at":\#(Self.now)}]}"#
        }
        try folder.folder("keys/\(workspace)")
        let id = String(repeating: "0", count: 31) + String(workspace.utf8.count % 10)
        try folder.write(
            "keys/\(workspace)/keyring.json",
            #"{"format":1,"id":"\#(id)","workspace":"\#(workspace)","keys":["#
                + records.joined(separator: ",") + "]}")
    }

    var pins: [String] { ["--pins", folder.file("pins.json").description] }
    var keys: [String] { ["--keys", folder.file("keys").description] }

    static func payload(_ version: Int64 = 7, _ more: String = "") -> [UInt8] {
        let text =
            #"{"schema":1,"version":\#(version),"workspace":"acme-market","issued_at":\#(now),"#
            + #""expires_at":\#(now + 86_400),"ttl_seconds":3600,"min_sdk":"1.4.0"\#(more)}"#
        return Array(text.utf8)
    }

    static func claims(_ jti: String = "n1", _ prv: Bool = false) -> [UInt8] {
        let text =
            #"{"sub":"cus_7Hq2Lm9x","wks":"acme-market","cmp":"weekend-offer","var":"B","#
            + #""trt":"percent_off","val":10000,"iat":\#(now),"exp":\#(now + 3600),"#
            + #""jti":"\#(jti)","prv":\#(prv)}"#
        return Array(text.utf8)
    }

    func envelope(_ payload: [UInt8] = payload(), by key: TestKey? = nil) throws -> [UInt8] {
        try (key ?? config).envelope(payload).serialized()
    }

    func token(_ jti: String = "n1") throws -> String {
        String(decoding: try grant.token(Self.claims(jti)).serialized(), as: UTF8.self)
    }

    /// Runs `grona-sign`, without settings from outside.
    func run(
        _ words: [String], input: [UInt8] = [], now: Int64 = now
    ) throws -> Program.Answer {
        try Program.run(
            [Program.folder.appending("grona-sign").description] + words
                + ["--now", "\(now)"], input: input,
            environment: ["HOME": folder.path.description, "PATH": "/usr/bin:/bin"])
    }

    /// The one JSON value of an answer.
    func json(_ answer: Program.Answer) throws -> JSONElement {
        try JSONDocument.parse(Array(answer.output.utf8)).root
    }
}
