import CampaignCompiler
import GronaFormats
import StrictJSON
import Testing

/// One edit of a valid source, and what checking it says.
struct LintCase: Sendable, CustomTestStringConvertible {
    let change: String
    let into: String
    /// Nil: no finding at all.
    let rule: String?
    let severity: Severity
    /// Where the finding stands.
    let pointer: String
    /// With what the source goes on at the finding's line and column.
    let at: String

    var testDescription: String { "\(change) → \(into.prefix(80)): \(rule ?? "fine")" }

    static func refused(
        _ change: String, _ into: String, _ rule: String, at pointer: String, _ at: String
    ) -> LintCase {
        LintCase(
            change: change, into: into, rule: rule, severity: .error, pointer: pointer, at: at)
    }

    static func warned(
        _ change: String, _ into: String, _ rule: String, at pointer: String, _ at: String
    ) -> LintCase {
        LintCase(
            change: change, into: into, rule: rule, severity: .warning, pointer: pointer, at: at)
    }

    static func accepted(_ change: String, _ into: String) -> LintCase {
        LintCase(
            change: change, into: into, rule: nil, severity: .error, pointer: "", at: "")
    }

    /// Applies the edit to one file of the base and compares everything that is found.
    func run(on file: String) throws {
        let base = try #require(Source.base[file])
        #expect(base.occurrences(of: change) == 1, "the edit has to name one place")
        let edited = base.replacing(change, with: into)
        var files = Source.base
        files[file] = edited
        let lint = CampaignCompiler.check(Source.workspace(files))
        guard let rule else {
            #expect(lint.findings.isEmpty, "\(lint.findings)")
            #expect(lint.workspace != nil)
            return
        }
        #expect(lint.findings.count == 1, "\(lint.findings)")
        let finding = try #require(lint.findings.first)
        #expect(finding.rule.rawValue == rule)
        #expect(finding.severity == severity)
        #expect(finding.file == "campaigns/acme-market/\(file)")
        #expect(finding.pointer == pointer)
        #expect(edited.rest(from: finding.position).hasPrefix(at), "\(finding.position)")
        #expect((lint.workspace == nil) == (severity == .error))
    }
}

/// A workspace without findings, as text.
enum Source {
    static let base: [String: String] = [
        "workspace.json": policy, "weekend-offer.json": offer, "b.json": banner,
    ]

    static let policy = """
        {
          "workspace": "acme-market",
          "min_sdk": "1.2.0",
          "ttl_seconds": 900,
          "settings": {"currency": "EUR"},
          "environment": "production",
          "delivery": "served",
          "lifetimes": {
            "config": "30d",
            "bundle": "14d",
            "bundle_with_offers": "3d",
            "grant": "1h",
            "preview": "2h"
          },
          "renew_before": "10d",
          "order_backends": ["checkout"],
          "waivers": []
        }
        """

    static let offer = """
        {
          "$schema": "../schema/campaign.schema.json",
          "id": "weekend-offer",
          "kind": "offer",
          "enabled": true,
          "unit": "customer",
          "placements": ["home.hero"],
          "variants": [
            {"id": "A", "weight": 2000, "control": true},
            {"id": "B", "weight": 8000, "content": {"title": "10% off"}}
          ],
          "treatment": {"type": "percent_off", "value": 10000},
          "min_sdk": "1.3.0",
          "segments": ["seg-1"],
          "priority": 10,
          "starts_at": 1793264400,
          "ends_at": 1793268000,
          "call_to_action": {"action": "open"},
          "x_more": {"text": "plain"}
        }
        """

    static let banner = """
        {
          "id": "b",
          "kind": "banner",
          "enabled": true,
          "unit": "device",
          "placements": [],
          "variants": [{"id": "only", "weight": 10000}]
        }
        """

    static func workspace(
        _ files: [String: String], folder: String = "acme-market"
    ) -> WorkspaceSource {
        WorkspaceSource(
            folder: folder, label: "campaigns/\(folder)",
            files: files.map { SourceFile(name: $0.key, bytes: Array($0.value.utf8)) })
    }

    static func files(_ changes: [String: String]) -> [String: String] {
        base.merging(changes) { _, new in new }
    }
}

extension String {
    func occurrences(of text: String) -> Int {
        ranges(of: text).count
    }

    /// The text from a line and column on, which count as an editor does.
    func rest(from position: JSONPosition) -> String {
        let lines = split(separator: "\n", omittingEmptySubsequences: false)
        guard position.line <= lines.count else { return "" }
        let line = lines[position.line - 1].unicodeScalars.dropFirst(position.column - 1)
        return ([String(line)] + lines.dropFirst(position.line).map(String.init))
            .joined(separator: "\n")
    }
}
