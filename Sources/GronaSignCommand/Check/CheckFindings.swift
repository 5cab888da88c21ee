import CampaignCompiler
import CommandLineKit
import GronaCommand
import GronaFormats
import StrictJSON

/// What checking a few workspaces found, as text for people and as JSON.
struct CheckFindings {
    private let lints: [WorkspaceLint]
    let errors: Int
    private let warnings: Int

    init(_ lints: [WorkspaceLint]) {
        self.lints = lints
        let findings = lints.flatMap(\.findings)
        errors = findings.count { $0.severity == .error }
        warnings = findings.count - errors
    }

    /// `{"workspaces": n, "findings": [{"code", "severity", "file", "line", "column", "pointer",
    /// "message"}]}`.
    var json: JSONValue {
        .object([
            ("workspaces", .integer(Int64(lints.count))),
            ("findings", .array(lints.flatMap(\.findings).map(Self.json))),
        ])
    }

    private static func json(_ finding: Finding) -> JSONValue {
        .object([
            ("code", .string(finding.rule.rawValue)),
            ("severity", .string(finding.severity.rawValue)),
            ("file", .string(finding.file)),
            ("line", .integer(Int64(finding.position.line))),
            ("column", .integer(Int64(finding.position.column))),
            ("pointer", .string(finding.pointer)),
            ("message", .string(FindingWording.message(finding.detail))),
        ])
    }

    /// One line a finding, its help, and a last line with the counts.
    func write(to console: Console) {
        for finding in lints.flatMap(\.findings) {
            console.write(Self.line(finding, console.style))
        }
        for finding in lints.flatMap(\.waived) {
            console.detail("accepted: \(finding.rule) at \(Self.place(finding))")
        }
        guard !console.preferences.quiet else { return }
        console.line(summary(console.style))
    }

    private static func line(_ finding: Finding, _ style: TextStyle) -> String {
        let word = "\(finding.severity.rawValue)[\(finding.rule)]"
        let label = finding.severity == .error ? style.red(style.bold(word)) : style.yellow(word)
        let message = DisplayText.escaped(FindingWording.message(finding.detail))
        var text = "\(label): \(place(finding)): \(message)\n"
        if let help = FindingWording.help(finding.detail) {
            text += "  \(style.bold("help")): \(DisplayText.escaped(help))\n"
        }
        return text
    }

    private static func place(_ finding: Finding) -> String {
        let file = DisplayText.escaped(finding.file)
        let place = "\(file):\(finding.position.line):\(finding.position.column)"
        return finding.pointer.isEmpty
            ? place : "\(place) \(DisplayText.escaped(finding.pointer))"
    }

    private func summary(_ style: TextStyle) -> String {
        let checked = Self.count(lints.count, "workspace")
        guard errors + warnings > 0 else { return style.green("\(checked): no findings") }
        var parts: [String] = []
        if errors > 0 { parts.append(Self.count(errors, "error")) }
        if warnings > 0 { parts.append(Self.count(warnings, "warning")) }
        return "\(checked): \(parts.joined(separator: ", "))"
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
    }
}
