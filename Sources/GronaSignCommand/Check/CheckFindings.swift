import CampaignCompiler
import CommandLineKit
import GronaCommand
import LinuxIO
import StrictJSON

/// What checking a few workspaces found, as text for people and as JSON.
struct CheckFindings {
    private var workspaces = 0
    private var findings: [Diagnostic] = []
    private var waived: [Finding] = []

    var errors: Int { findings.count { $0.severity == .error } }
    private var warnings: Int { findings.count - errors }

    mutating func add(_ lint: WorkspaceLint) {
        workspaces += 1
        findings += lint.findings.map { Diagnostic($0, exit: .negative) }
        waived += lint.waived
    }

    /// A workspace that could not be read, which is a finding at its first character.
    mutating func add(_ failure: Failure, at path: FilePath) {
        workspaces += 1
        for var finding in [failure.reason] + failure.others {
            finding.file = finding.file ?? path.description
            findings.append(finding)
        }
    }

    /// `{"workspaces": n, "findings": [{"code", "severity", "file", "line", "column", "pointer",
    /// "message"}]}`.
    var json: JSONValue {
        .object([
            ("workspaces", .integer(Int64(workspaces))),
            ("findings", .array(findings.map(Self.json))),
        ])
    }

    private static func json(_ finding: Diagnostic) -> JSONValue {
        .object([
            ("code", .string(finding.code)),
            ("severity", .string(finding.severity.rawValue)),
            ("file", .string(finding.file ?? "")),
            ("line", .integer(Int64(finding.line ?? 1))),
            ("column", .integer(Int64(finding.column ?? 1))),
            ("pointer", .string(finding.pointer ?? "")),
            ("message", .string(finding.message)),
        ])
    }

    /// One line a finding, its help, and a last line with the counts.
    func write(to console: Console) {
        for finding in findings { console.write(Self.line(finding, console.style)) }
        for finding in waived {
            console.detail(
                "accepted: \(finding.rule) at "
                    + Self.place(Diagnostic(finding, exit: .negative)))
        }
        guard !console.preferences.quiet else { return }
        console.line(summary(console.style))
    }

    private static func line(_ finding: Diagnostic, _ style: TextStyle) -> String {
        let word = "\(finding.severity.rawValue)[\(finding.code)]"
        let label = finding.severity == .error ? style.red(style.bold(word)) : style.yellow(word)
        var text = "\(label): \(place(finding)): \(DisplayText.escaped(finding.message))\n"
        if let help = finding.help {
            text += "  \(style.bold("help")): \(DisplayText.escaped(help))\n"
        }
        return text
    }

    private static func place(_ finding: Diagnostic) -> String {
        let file = DisplayText.escaped(finding.file ?? "")
        let place = "\(file):\(finding.line ?? 1):\(finding.column ?? 1)"
        guard let pointer = finding.pointer, !pointer.isEmpty else { return place }
        return "\(place) \(DisplayText.escaped(pointer))"
    }

    private func summary(_ style: TextStyle) -> String {
        let checked = Self.count(workspaces, "workspace")
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
