import Foundation
import LinuxIO
import StrictJSON
import TestSupport
import Testing

/// `grona-publish refresh` over a hundred workspaces, with the real signer as its child.
@Suite struct RefreshFleetTests {
    private func names(_ count: Int) -> [String] { (0..<count).map { "shop-\(1_000 + $0)" } }

    /// What goes wrong, with what is said of it: why it is not renewed, and the alarms.
    private static let faults: [(name: String, result: String, code: String, alarms: [String])] = [
        ("corrupt", "renewed", "-", ["served.unusable", "served.rolled-back"]),
        ("expired", "renewed", "-", ["served.unusable"]),
        ("future", "not-due", "-", ["served.future"]),
        ("junk-claim", "renewed", "-", ["claim.untrusted"]),
        ("missing", "renewed", "-", ["served.rolled-back"]), ("new", "new", "-", []),
        ("no-key", "failed", "input.missing", []),
        ("no-keyring", "failed", "keyring.missing", []),
        ("no-policy", "failed", "json.truncated", []),
        ("rolled-back", "renewed", "-", ["served.rolled-back"]),
        ("stranger", "renewed", "-", ["served.unusable", "served.rolled-back"]),
        ("unknown-junk", "failed", "served.unusable", ["served.unusable"]),
        ("unpublished", "failed", "unpublished.newer", []),
        ("wrong-key", "failed", "key.mismatch", []),
    ]

    private func breakIt(_ name: String, _ fleet: FleetSetting) throws {
        let files = FileManager.default
        func put(_ bytes: [UInt8]) throws {
            try Data(bytes).write(to: URL(filePath: fleet.config(name)))
        }
        if name == "new" {
            try fleet.add(.init(name: name, key: try TestKey("new-1"), issued: fleet.start))
            return
        }
        var shop = FleetSetting.Shop(
            name: name, key: try TestKey("\(name)-1"), issued: fleet.start - 20 * FleetSetting.day)
        if name == "expired" { shop.issued = fleet.start - 31 * FleetSetting.day }
        try fleet.add(shop)
        if name == "unknown-junk" {
            try files.createDirectory(
                at: URL(filePath: fleet.config(name)).deletingLastPathComponent(),
                withIntermediateDirectories: true)
            try put(Array("junk".utf8))
            return
        }
        let first = try fleet.serve(shop)
        switch name {
        case "corrupt": try put(Array(first.dropLast(9)))
        case "future":
            shop.version = 2
            shop.issued = fleet.start + 5 * FleetSetting.day
            shop.lifetime = 10 * FleetSetting.day
            try fleet.serve(shop)
        case "junk-claim":
            try Data("junk".utf8).write(
                to: URL(filePath: fleet.claim(name, 9_007_199_254_740_991)))
        case "missing": try files.removeItem(atPath: fleet.config(name))
        case "no-key": try files.removeItem(atPath: fleet.path("keys/no-key/no-key-1.pem"))
        case "no-keyring": try files.removeItem(atPath: fleet.path("keys/no-keyring"))
        case "no-policy":
            try Data("{".utf8).write(
                to: URL(filePath: fleet.path("campaigns/no-policy/workspace.json")))
        case "rolled-back":
            shop.version = 2
            shop.content = 7
            try fleet.serve(shop)
            try put(first)
        case "stranger": try put(try fleet.envelope(shop, by: try TestKey()))
        case "unpublished":
            shop.version = 2
            shop.content = 7
            try fleet.signed(shop)
        case "wrong-key":
            try fleet.writeKey(try TestKey("other"), of: name, as: "wrong-key-1")
        default: break
        }
    }

    @Test func `One fault each, and all the others are renewed`() throws {
        let fine = names(100 - Self.faults.count)
        let fleet = try FleetSetting(fine)
        for fault in Self.faults { try breakIt(fault.name, fleet) }
        try fleet.settle()
        let metrics = fleet.path("refresh.prom")
        let answer = try fleet.refresh(["--metrics", metrics, "--jobs", "6"])
        #expect(answer.exit == .exited(76), "\(answer.errors)")
        let (results, codes) = (
            try fleet.column(answer, "result"), try fleet.column(answer, "code")
        )
        let text = try String(contentsOfFile: metrics, encoding: .utf8)
        #expect(results.count == 100)
        #expect(results.filter { fine.contains($0.key) }.values.allSatisfy { $0 == "renewed" })
        for fault in Self.faults {
            #expect(results[fault.name] == fault.result, "\(fault.name)")
            #expect(codes[fault.name] == fault.code, "\(fault.name)")
            let workspace = "{workspace=\"\(fault.name)\",code="
            let hand = "grona_refresh_needs_a_hand\(workspace)\"\(fault.code)\"} 1\n"
            #expect(text.contains(hand) == (fault.result == "failed"), "\(fault.name)")
            for alarm in fault.alarms {
                let line = "grona_refresh_alarms\(workspace)\"\(alarm)\"} 1\n"
                #expect(text.contains(line), "\(line)")
            }
        }
        let renewed = results.values.count { $0 == "renewed" }
        for line in ["workspaces 100", "renewed \(renewed)", "last_exit_code 76"] {
            #expect(text.contains("grona_refresh_\(line)\n"), "\(line)")
        }
        // What was mended stays so.
        let next = try fleet.refresh()
        let after = try fleet.column(next, "result")
        for name in ["corrupt", "missing", "rolled-back", "stranger", "expired"] {
            #expect(after[name] == "not-due", "\(name)")
        }
        #expect(try fleet.served("rolled-back")["settings"]?["content"]?.integer == 7)
        #expect(try fleet.served("rolled-back")["version"]?.integer == 3)
    }
}
