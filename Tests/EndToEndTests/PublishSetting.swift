import Foundation
import JOSE
import LinuxIO
import StrictJSON
import TestSupport
import Testing

/// A workspace whose configs the built `grona-publish` puts into a folder.
struct PublishSetting {
    let signing: SignSetting

    init() throws {
        signing = try SignSetting()
        try signing.folder.folder("public")
        let pins = try signing.run([
            "keys", "pins", "--workspace", "acme-market", "--format", "json",
        ])
        try #require(pins.isSuccess, "\(pins.errors)")
        try signing.folder.write("pins.json", pins.output)
    }

    var program: String { Program.folder.appending("grona-publish").description }
    var store: String { "file:\(path("public"))" }
    var served: String { path("public/v1/mobile/workspaces/acme-market/config") }

    func path(_ name: String) -> String { signing.path(name) }

    func environment(_ more: [String: String] = [:]) -> [String: String] {
        signing.environment(["GRONA_STORE": store]).merging(more) { _, new in new }
    }

    func run(_ words: [String], _ more: [String: String] = [:]) throws -> Program.Answer {
        try Program.run([program] + words, environment: environment(more))
    }

    func shell(_ script: String) throws -> Program.Answer {
        try Program.run(
            ["/bin/sh", "-c", script],
            environment: environment(["PUBLISH": program, "DIR": path(".")]))
    }

    /// Signs and publishes the campaigns as they are.
    func publish(_ version: Int, _ more: [String] = []) throws {
        let answer = try run(["push", try signing.config(version)] + more)
        try #require(answer.isSuccess, "\(answer.errors)")
    }

    func bundle(_ more: [String] = []) throws -> Program.Answer {
        try run(
            ["bundle", "acme-market", "--pins", path("pins.json"), "-o", path("bundle.json")] + more
        )
    }

    /// The signer with its own state, whatever the publisher's is.
    var signerWords: String {
        "\(signing.program) --keys \(path("keys")) --campaigns \(path("campaigns"))"
            + " --state \(path("state"))"
    }

    func remove(_ name: String) throws {
        try FileManager.default.removeItem(atPath: path(name))
    }

    func killed(_ words: [String]) throws {
        let answer = try run(["kill", "acme-market"] + words)
        try #require(answer.isSuccess, "\(answer.errors)")
    }

    /// The payload of what is served.
    func servedPayload() throws -> JSONElement {
        let envelope = try JSONDocument.parse(
            Array(try Data(contentsOf: URL(filePath: served)))
        ).root
        let text = try #require(envelope["payload"]?.string)
        return try JSONDocument.parse(try #require(Base64URL.decode(Array(text.utf8)))).root
    }

    /// Whether a campaign is on in what is served; nil where it is not there.
    func isOn(_ campaign: String) throws -> Bool? {
        try servedPayload()["campaigns"]?.elements.first { $0["id"]?.string == campaign }?[
            "enabled"]?
            .boolean
    }

    /// Every file of the store and of this host's memory, with its bytes.
    func tree() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for root in ["public", "state"] {
            let names = FileManager.default.enumerator(atPath: path(root))
            while let name = names?.nextObject() as? String {
                files["\(root)/\(name)"] =
                    try? Data(contentsOf: URL(filePath: path("\(root)/\(name)")))
            }
        }
        return files
    }

    /// The ledger of this host, as text.
    func ledger() throws -> String {
        let stores = path("state/stores")
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: stores).first)
        return try String(contentsOfFile: "\(stores)/\(name)/ledger.ndjson", encoding: .utf8)
    }
}

#if DEBUG
    extension PublishSetting {
        /// Whether a signed envelope waits on this host to be published.
        func isKept() throws -> Bool {
            try FileManager.default.subpathsOfDirectory(atPath: path("state/stores"))
                .contains { $0.hasSuffix("staged/acme-market.json") }
        }

        /// Ends the command as soon as what was signed for it is kept.
        func cutShort(_ words: [String]) throws {
            // The signer has boundaries of its own, at which it is not to end.
            let signer = ["--signer", "env -u GRONA_STOP_STEP \(signerWords)"]
            for step in 1...60 {
                let answer = try run(words + signer, ["GRONA_STOP_STEP": String(step)])
                if try isKept() {
                    #expect(!answer.isSuccess)
                    return
                }
                try #require(!answer.isSuccess, "it ended without keeping anything")
            }
            Issue.record("nothing was kept")
        }
    }
#endif
