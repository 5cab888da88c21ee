import Foundation
import LinuxIO
import StrictJSON
import TestSupport
import Testing

/// Workspaces with keys and a served config each, in a rehearsal whose time a test sets.
struct RefreshSetting {
    static let start = SignSetting.now
    static let day: Int64 = 86_400

    let signing: SignSetting
    let names: [String]

    /// - Parameter served: whether version 1 of each is published at the start.
    init(_ names: [String], served: Bool = true) throws {
        signing = try SignSetting(makesKeys: false)
        self.names = names
        try FileManager.default.removeItem(atPath: signing.path("campaigns"))
        try signing.folder.folder("store")
        for name in names {
            try add(name)
            if served { try publish(name, 1) }
        }
    }

    func add(_ name: String) throws {
        try signing.writeCampaigns(workspace: name)
        let made = try signing.run([
            "keys", "generate", "--workspace", name, "--use", "config", "--kid", "\(name)-1",
            "--signer", "file:\(name).pem",
        ])
        try #require(made.isSuccess, "\(made.errors)")
    }

    func path(_ name: String) -> String { signing.path(name) }
    func config(_ name: String) -> String { path("store/v1/mobile/workspaces/\(name)/config") }

    var publisher: String { Program.folder.appending("grona-publish").description }

    func environment(isRehearsal: Bool = true) -> [String: String] {
        var more = ["GRONA_STORE": "file:" + path("store")]
        if isRehearsal { more["GRONA_REHEARSAL"] = "1" }
        return signing.environment(more)
    }

    /// Runs the publisher at a time.
    ///
    /// - Parameter day: after the start; nil for the present time of this machine.
    func run(_ words: [String], day: Int64?) throws -> Program.Answer {
        let now = day.map { ["--now", "\(Self.start + $0 * Self.day)"] } ?? []
        return try Program.run([publisher] + words + now, environment: environment())
    }

    func sign(_ name: String, _ version: Int, at time: Int64 = start) throws -> String {
        let output = path("\(name)-\(version).json")
        let answer = try signing.run(
            [
                "config", path("campaigns/\(name)"), "--version", "\(version)", "-o", output,
                "--now", "\(time)",
            ], environment: ["GRONA_REHEARSAL": "1"])
        try #require(answer.isSuccess, "\(answer.errors)")
        return output
    }

    func publish(_ name: String, _ version: Int, at time: Int64 = start) throws {
        let file = try sign(name, version, at: time)
        let answer = try Program.run(
            [publisher, "push", file, "--now", "\(time)"], environment: environment())
        try #require(answer.isSuccess, "\(answer.errors)")
    }

    /// A member of each workspace's line in the answer.
    func column(_ answer: Program.Answer, _ member: String) throws -> [String: String] {
        var column: [String: String] = [:]
        let lines = try #require(try signing.json(answer)["workspaces"], "\(answer.errors)")
        for line in lines.elements {
            let value = line[member]
            column[line["workspace"]?.string ?? ""] =
                value?.string ?? value?.integer.map { "\($0)" } ?? value?.boolean.map { "\($0)" }
                ?? "-"
        }
        return column
    }
}
