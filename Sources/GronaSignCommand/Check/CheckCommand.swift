import CampaignCompiler
package import CommandLineKit
import GronaCommand
import LinuxIO
import ProjectFiles
import StrictJSON

/// `check`: lints campaign folders; needs no key.
package enum CheckCommand {
    private static let folders = Operand(
        ValueReader<FilePath>.folder("CAMPAIGNS_DIR"), .many(minimum: 0),
        help: "a workspace's folder, or a folder of such folders; --campaigns where none is given")

    package static let command = Command(
        "check", .reads, summary: "lint the campaign files of workspaces",
        discussion: [
            "Reads workspace.json and every campaign beside it, and names each finding with its"
                + " code, place and JSON Pointer. Nothing is signed and no key is needed.",
            "Findings about judgement (an e-mail address, what looks like a phone number or a"
                + " customer's id, a segment that is not opaque, times and lifetimes) can be accepted"
                + " in \"waivers\" of workspace.json, with a reason.",
            "A workspace that cannot be read is a finding, and the others are checked all the same.",
            "Ends with 0 when there is no error, and with 1 when there is one; with --strict,"
                + " warnings are errors.",
        ],
        operands: [folders], options: [SharedOptions.campaigns, SharedOptions.strict],
        examples: [
            .init("grona-sign check", "all workspaces below ./campaigns"),
            .init(
                "grona-sign check --strict --json campaigns/acme-market",
                "one workspace, for a script"),
        ]
    ) { context throws(Failure) in
        let strict = try context.isStrict()
        let meant = try workspaces(context.call.all(folders), in: context)
        var report = CheckFindings()
        for entry in meant {
            do throws(ProjectFileError) {
                if let problem = entry.problem { throw problem }
                report.add(
                    CampaignCompiler.check(try CampaignFolder.read(entry.path), strict: strict))
            } catch {
                report.add(Failure(error), at: entry.path)
            }
        }
        if context.wantsJSON {
            context.console.json(report.json)
        } else {
            report.write(to: context.console)
        }
        return report.errors == 0 ? .success : .negative
    }

    /// The workspaces that are meant: each operand is one, or holds some.
    private static func workspaces(
        _ given: [FilePath], in context: CommandContext
    ) throws(Failure) -> [CampaignFolder.Entry] {
        let roots = given.isEmpty ? [try context.campaigns()] : given
        var found: [CampaignFolder.Entry] = []
        do throws(ProjectFileError) {
            for root in roots {
                if try CampaignFolder.isWorkspace(root) {
                    found.append(.init(path: root))
                } else {
                    found += try CampaignFolder.workspaces(below: root)
                }
            }
        } catch {
            throw Failure(error)
        }
        return found
    }
}
