import Foundation
import LinuxIO
import StrictJSON
import TestSupport
import Testing

/// A folder in which the built `grona-sign` works: campaigns, keys made by itself, its own state.
struct SignSetting {
    static let now: Int64 = 1_793_264_400

    let folder: TestFolder

    /// - Parameter makesKeys: whether a config and a grant key are there, both current.
    init(makesKeys: Bool = true) throws {
        folder = try TestFolder()
        try writeCampaigns()
        guard makesKeys else { return }
        for (use, kid) in [
            ("config", "acme-market-2026-10"), ("grant", "acme-market-grants-2026-10"),
        ] {
            let made = try run([
                "keys", "generate", "--workspace", "acme-market", "--use", use, "--kid", kid,
                "--signer", "file:\(kid).pem",
            ])
            try #require(made.isSuccess, "\(made.errors)")
        }
    }

    func writeCampaigns(
        enabled: Bool = true, policy: String = "", workspace: String = "acme-market"
    ) throws {
        try folder.folder("campaigns/\(workspace)")
        try folder.write(
            "campaigns/\(workspace)/workspace.json",
            #"{"workspace":"\#(workspace)","min_sdk":"1.0.0","ttl_seconds":900\#(policy)}"#)
        try folder.write(
            "campaigns/\(workspace)/weekend-offer.json",
            """
            {"id":"weekend-offer","kind":"offer","enabled":\(enabled),"unit":"customer",
             "placements":["cart.top"],"treatment":{"type":"percent_off","value":10000},
             "variants":[{"id":"A","weight":2000,"control":true},{"id":"B","weight":8000}]}
            """)
        try folder.write(
            "campaigns/\(workspace)/news.json",
            """
            {"id":"news","kind":"banner","enabled":true,"unit":"device","placements":["home"],
             "variants":[{"id":"only","weight":10000}]}
            """)
    }

    var program: String { Program.folder.appending("grona-sign").description }
    var campaigns: String { path("campaigns/acme-market") }

    func path(_ name: String) -> String { folder.file(name).description }

    func environment(_ more: [String: String] = [:]) -> [String: String] {
        [
            "HOME": folder.path.description, "PATH": "/usr/bin:/bin",
            "GRONA_STATE": path("state"), "GRONA_KEYS": path("keys"),
            "GRONA_CAMPAIGNS": path("campaigns"),
        ].merging(more) { _, new in new }
    }

    func run(
        _ words: [String], input: [UInt8] = [], environment more: [String: String] = [:]
    ) throws -> Program.Answer {
        try Program.run([program] + words, input: input, environment: environment(more))
    }

    /// Runs a command through the shell, where redirections matter.
    func shell(_ script: String) throws -> Program.Answer {
        try Program.run(
            ["/bin/sh", "-c", script],
            environment: environment(["SIGN": program, "DIR": folder.path.description]))
    }

    /// Signs a config of the campaigns; the path of the envelope.
    @discardableResult
    func config(_ version: Int, _ name: String? = nil) throws -> String {
        let output = path(name ?? "version-\(version).json")
        let answer = try run(["config", campaigns, "--version", "\(version)", "-o", output])
        try #require(answer.isSuccess, "\(answer.errors)")
        return output
    }

    func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: path(name))
    }

    /// How many lines the audit log has.
    func auditLines() throws -> Int {
        let answer = try run(["audit", "show", "--json", "--workspace", "acme-market"])
        return try json(answer).count
    }

    func json(_ answer: Program.Answer) throws -> JSONElement {
        try JSONDocument.parse(Array(answer.output.utf8)).root
    }

    /// The error line of `--json`.
    func error(_ answer: Program.Answer) throws -> JSONElement {
        let line = answer.errors.split(separator: "\n").last.map(String.init) ?? ""
        let root = try JSONDocument.parse(Array(line.utf8)).root
        return try #require(root["error"])
    }
}

/// Expects a refusal: its status, its code, and nothing on standard output.
func expectRefusal(
    _ answer: Program.Answer, _ status: Int32, _ code: String,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    #expect(
        answer.exit == .exited(status), "\(answer.output)\(answer.errors)",
        sourceLocation: sourceLocation)
    #expect(answer.output == "", sourceLocation: sourceLocation)
    #expect(
        answer.errors.contains("error[\(code)]: "), "\(answer.errors)",
        sourceLocation: sourceLocation)
}
