import CommandLineKit
import GronaFormats
import LinuxIO
import StrictJSON

/// What `init` has made, and what comes next.
struct InitReport {
    let plan: InitPlan
    let keys: [KeyRecord]
    /// Folders that were named on the command line, by option.
    let options: [String: String]

    /// The commands from here to a published config.
    var next: [String] {
        let workspace = plan.workspace.text
        return [
            "grona-sign check \(Self.shell(plan.campaignFolder))",
            "grona-sign config \(Self.shell(plan.campaignFolder)) --version 1 -o \(workspace).json"
                + given(["keys", "state"]),
            "grona-publish push \(workspace).json" + given(["keys", "campaigns", "state"]),
        ]
    }

    var json: JSONValue {
        .object([
            ("workspace", .string(plan.workspace.text)),
            ("campaigns", .string(plan.campaignFolder.description)),
            ("keyring", .string(plan.keyringFolder.description)),
            ("store", .string("file:./\(InitPlan.store)")),
            (
                "keys",
                .array(
                    keys.map { key in
                        .object([
                            ("kid", .string(key.kid.text)), ("use", .string(key.use.rawValue)),
                            ("state", .string(key.state.rawValue)),
                            ("thumbprint", .string(key.thumbprint)),
                        ])
                    })
            ),
            ("next", .array(next.map { .string($0) })),
        ])
    }

    func write(to console: Console) {
        let files = plan.campaignFiles.map(\.name).joined(separator: ", ")
        console.line("\(DisplayText.escaped(plan.campaignFolder.description)): \(files)")
        console.line("\(DisplayText.escaped(plan.keyringFolder.description)):")
        var table = Table(["", "", "", ""])
        for key in keys {
            table.add(["  \(key.kid)", key.use.rawValue, key.state.rawValue, key.thumbprint])
        }
        console.write(table.text(style: console.style))
        console.line("file:./\(InitPlan.store): a store to try it with")
        guard !console.preferences.quiet else { return }
        console.line()
        console.line("Next, after a look at \(InitPlan.firstCampaign).json:")
        for command in next { console.line("  \(DisplayText.escaped(command))") }
        console.line("For the app, the pins:")
        console.line(
            "  grona-sign keys pins --workspace \(plan.workspace) --format swift"
                + DisplayText.escaped(given(["keys", "state"])))
        console.line("The keys are files; 'grona-sign help keys' says where others may be.")
    }

    private func given(_ names: [String]) -> String {
        names.compactMap { name in
            options[name].map { " --\(name) \(Self.shell(FilePath($0)))" }
        }.joined()
    }

    /// A path as a shell takes it.
    private static func shell(_ path: FilePath) -> String {
        let isPlain = path.bytes.allSatisfy { byte in
            ASCII.isLetter(byte) || ASCII.isDigit(byte) || "/._-+:@%".utf8.contains(byte)
        }
        let text = path.description
        return isPlain
            ? text
            : "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
    }
}
