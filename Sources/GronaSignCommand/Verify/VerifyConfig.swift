import CommandLineKit
import DeviceModel
import GronaCommand
import GronaFormats
import GronaVerification
import LinuxIO
import StrictJSON

/// `verify FILE`: what an install does with a config.
struct VerifyConfig {
    let context: CommandContext

    init(_ context: CommandContext) {
        self.context = context
    }

    func run(_ path: FilePath) throws(Failure) -> ExitStatus {
        let reading = try VerifyInput.envelope(path)
        let kid = try? reading.header?.get().kid
        let verifier = EnvelopeVerifier(trust: try VerifyTrust(context: context).keys(for: kid))
        let outcome = verifier.verify(reading, try query(), at: context.now)
        if context.wantsJSON {
            context.console.json(json(outcome))
        } else {
            show(outcome, InputDocument.name(path))
        }
        return outcome.accepted ? .success : .negative
    }

    private func query() throws(Failure) -> EnvelopeQuery {
        let call = context.call
        return EnvelopeQuery(
            workspace: try context.workspace()?.text, sdkVersion: call[VerifyOptions.sdkVersion],
            highestVersion: call[VerifyOptions.highestVersion].map(HighestVersion.accepted)
                ?? .notAsked,
            isDemo: call[VerifyOptions.demo],
            channel: call[VerifyOptions.channel].flatMap(Channel.init(rawValue:)) ?? .remote)
    }

    private func json(_ outcome: Outcome) -> JSONValue {
        let root = outcome.head?.root
        return .object([
            ("accepted", .boolean(outcome.accepted)),
            ("code", VerifyJSON.text(outcome.code?.rawValue)),
            ("kid", VerifyJSON.text(outcome.kid?.text)),
            ("workspace", VerifyJSON.text(outcome.head?.workspace)),
            ("version", VerifyJSON.number(outcome.head?.version.number)),
            ("issued_at", VerifyJSON.number(root?["issued_at"]?.integer)),
            ("expires_at", VerifyJSON.number(root?["expires_at"]?.integer)),
            ("checks", CheckReport.json(outcome.namedChecks)),
            ("warnings", CheckReport.json(warnings: outcome.warnings)),
        ])
    }

    private func show(_ outcome: Outcome, _ name: String) {
        let console = context.console
        if let head = outcome.head, let kid = outcome.kid {
            console.line(
                DisplayText.escaped(
                    "\(head.workspace) version \(head.version), signed by \(kid)"))
        }
        if let times = outcome.payload?.times {
            console.line(
                "issued \(times.issuedAt), expires \(times.expiresAt)"
                    + remaining(times.expiresAt))
        }
        console.write(CheckReport.table(outcome.namedChecks).text(style: console.style))
        if outcome.supersedes {
            console.line(
                "supersedes: the install stops its offers, host decisions and banners that add to"
                    + " the basket")
        }
        if outcome.accepted { showCampaigns(outcome) }
        CheckReport.tell(outcome.warnings, file: name, on: console)
        VerifyVerdict.tell(outcome.violation, file: name, on: console)
    }

    private func remaining(_ end: UnixTime) -> String {
        let left = end.since(context.now)
        return left.seconds > 0 ? ", \(DurationWording.short(left)) from now" : ""
    }

    /// A line about what runs, and with `-v` a row a campaign.
    private func showCampaigns(_ outcome: Outcome) {
        let console = context.console
        let activity = outcome.install.activity(at: context.now)
        guard !activity.isEmpty else { return }
        let count = activity.filter(\.runs).count
        console.line("accepted: \(count) of \(activity.count) campaigns run")
        guard console.preferences.verbose else { return }
        var table = Table(["campaign", "kind", "state"])
        for campaign in activity {
            let state = campaign.stop?.rawValue ?? (campaign.needsGrant ? "with a grant" : "runs")
            table.add([
                .init(campaign.id.text), .init(campaign.kind.rawValue),
                .init(state, campaign.runs ? .plain : .faint),
            ])
        }
        console.write(table.text(style: console.style))
    }
}
