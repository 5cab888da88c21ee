import CommandLineKit
import GronaFormats
import PublishProtocol

/// What needs a hand in words, and the commands that a hand would type next.
struct StatusAdvice {
    /// `--from` or `--to` in front of the store, where the commands would not find it themselves.
    let store: String?

    /// The store as a word for a shell, where it has to be named at all.
    ///
    /// - Parameter name: nil where the settings of the next command name the same store.
    init(store name: String?) {
        store = name.map(Self.word)
    }

    func findings(_ alarms: [Alarm], in workspace: WorkspacePicture) -> [StatusFinding] {
        AlarmWording.diagnostics(alarms, file: nil).map { diagnostic in
            StatusFinding(
                code: diagnostic.code, message: diagnostic.message, help: diagnostic.help,
                commands: commands(diagnostic.code, workspace))
        }
    }

    /// What the state alone asks for, where no alarm says it.
    func finding(of workspace: WorkspacePicture) -> StatusFinding? {
        switch workspace.state {
        case .missing where workspace.findings.isEmpty:
            StatusFinding(
                code: "served.missing", message: "nothing is served",
                help: "sign a config and publish it", commands: publish(workspace))
        case .expiring:
            StatusFinding(
                code: "served.expiring", message: "less than a quarter of its life is left",
                help: "sign the same content again, and publish it", commands: renew(workspace))
        case .fine, .expired, .missing, .untrusted, .refused, .rolledBack, .otherContent,
            .bundleOnly, .unreadable:
            nil
        }
    }

    /// A workspace that cannot be looked at.
    static func finding(_ diagnostic: Diagnostic) -> StatusFinding {
        StatusFinding(
            code: diagnostic.code,
            message: (diagnostic.file.map { "\($0): " } ?? "") + diagnostic.message,
            help: diagnostic.help)
    }

    private func commands(_ code: String, _ workspace: WorkspacePicture) -> [String] {
        switch code {
        case "served.unusable" where workspace.state == .expired: renew(workspace)
        case "served.unusable", "served.rolled-back", "served.other-content":
            publish(workspace)
        default: ["grona-publish history \(workspace.workspace)\(option("--from"))"]
        }
    }

    private func renew(_ workspace: WorkspacePicture) -> [String] {
        [
            "grona-publish fetch \(workspace.workspace)\(option("--from")) -o served.json --force",
            "grona-sign renew served.json -o next.json --force",
            "grona-publish push next.json\(option("--to"))",
        ]
    }

    private func publish(_ workspace: WorkspacePicture) -> [String] {
        let version = workspace.nextVersion.map { " --version \($0)" } ?? ""
        return [
            "grona-sign config campaigns/\(workspace.workspace)\(version) -o next.json --force",
            "grona-publish push next.json\(option("--to"))",
        ]
    }

    private func option(_ name: String) -> String {
        store.map { " \(name) \($0)" } ?? ""
    }

    /// A text as one word of a POSIX shell.
    static func word(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "/:._-=,@%+".utf8.contains(byte)
            }
        }
        if isPlain, !text.isEmpty { return text }
        var quoted = "'"
        for scalar in text.unicodeScalars {
            if scalar == "'" { quoted += "'\\''" } else { quoted.unicodeScalars.append(scalar) }
        }
        return quoted + "'"
    }
}
