import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import ProjectFiles
import Signing
import SigningKeys
import StrictJSON

/// `init`: from nothing to what a first signed config needs.
enum InitCommand {
    private static let workspace = Operand(
        ValueReader<WorkspaceName>.workspace("WORKSPACE"), help: "the workspace key")

    static let command = Command(
        "init", .acts, summary: "make a campaign folder, a keyring and a store to try them with",
        discussion: [
            "Makes a campaign folder with a policy and a first campaign, a keyring with the current"
                + " and the next key for configs and for grants, and the folder public as a store."
                + " The folder of the keys tells git to ignore it.",
            "Nothing that is there is overwritten: where one of the files exists, nothing is made."
                + " Only what an 'init' left that was stopped half way is taken up.",
            "The keys are files, and encrypted when a passphrase file is given. For real shoppers"
                + " make them on a host that only signs, and encrypted.",
        ],
        operands: [workspace],
        options: [
            SharedOptions.campaigns, SharedOptions.keys, SharedOptions.state,
            SignOptions.passphraseFile, SharedOptions.strict,
        ],
        examples: [.init("grona-sign init my-shop", "everything for a first signed config")]
    ) { context throws(Failure) in
        let workspace = try context.call.require(workspace)
        let setup = try SignerSetup(context)
        let campaigns = try context.campaigns()
        let plan = InitPlan(
            workspace: workspace, campaigns: campaigns, keys: setup.keys, now: context.now,
            hasSchemas: InitPlan.hasSchemas(below: campaigns))
        let remains = try InitRemains(plan)
        if !remains.isEmpty { context.console.note("going on where an 'init' was stopped") }
        try KeyFolder.make(at: plan.keys)
        var keys = remains.recorded
        for key in plan.newKeys where !keys.contains(where: { $0.kid == key.kid }) {
            let signer = try setup.signerURI(plan.signer(key.kid), key.kid)
            keys.append(
                try KeysAddCommand.add(
                    workspace, use: key.use, kid: key.kid, signer: signer,
                    change: remains.unrecorded.contains(key.kid) ? .imported : .generated,
                    setup: setup))
        }
        try plan.makeStore()
        try plan.makeCampaigns()
        let report = InitReport(plan: plan, keys: keys, options: givenOptions(context))
        if context.wantsJSON {
            context.console.json(report.json)
        } else {
            report.write(to: context.console)
        }
        return .success
    }

    /// The folders that were named here and that the next commands have to be told again.
    private static func givenOptions(_ context: CommandContext) -> [String: String] {
        var given: [String: String] = [:]
        for name in ["keys", "campaigns", "state"] {
            given[name] = context.call.rawValue(ofOption: name)
                .map { String(decoding: $0, as: UTF8.self) }
        }
        return given
    }
}
