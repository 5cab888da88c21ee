import Foundation
import LinuxIO
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

    /// The ledger of this host, as text.
    func ledger() throws -> String {
        let stores = path("state/stores")
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: stores).first)
        return try String(contentsOfFile: "\(stores)/\(name)/ledger.ndjson", encoding: .utf8)
    }
}
