import CommandLineKit
import GronaCommand
import GronaFormats
import PublishProtocol
import Publishing
import StrictJSON

/// One change that is signed on whatever is served and published: what `kill`, `rollback` and
/// `recover` have in common, from the options to the exit status.
struct ChangeRun {
    /// What each of these commands takes, after its own options.
    static let options: [any OptionDeclaration] =
        [
            allowJump, EdgeRun.urls, EdgeRun.wait, SharedOptions.to, SharedOptions.keys,
            SharedOptions.campaigns, SharedOptions.state, SharedOptions.ledger,
            SharedOptions.signer, SharedOptions.signerTimeout, SharedOptions.strict,
            SharedOptions.dryRun,
        ] + StoreOptions.writing

    private static let allowJump = Option(
        "allow-jump", ValueReader<ConfigVersion>.version(),
        help: "take a number up to this one, where the signer has none that is at most 1,000 above"
            + " the highest known: no install can ever go back")

    let context: CommandContext
    let workspace: WorkspaceName
    let publisher: Publisher
    let policy: WorkspacePolicy
    let warnings: PublishWarnings
    /// What a kill is to switch off; nil for another change.
    var campaigns: [String]?
    /// The addresses to wait for; nil where none is named, or nothing is written.
    private(set) var edges: EdgeRun?

    var store: String { publisher.store.name }

    /// Opens everything that a change needs, from the options.
    init(
        _ context: CommandContext, _ workspace: WorkspaceName, for use: StoreUse = .writing
    ) throws(Failure) {
        self.context = context
        self.workspace = workspace
        edges = try EdgeRun(context)
        let store = try context.openStore(try context.to(), for: use)
        policy = try context.policy(workspace)
        guard policy.delivery == .served else {
            throw Failure(RefusalWording.diagnostic(.bundleOnly, file: store.name))
        }
        try context.warnOfPrivateKeys(policy)
        publisher = try context.publisher(
            store, try context.keyringJudge(workspace), isUrgent: use == .urgent)
        warnings = PublishWarnings(context, store: store.name)
    }

    // MARK: Acting

    /// Has the change signed and publishes it; tells what came up, and throws where there is no
    /// result to show.
    ///
    /// - Parameters:
    ///   - source: the document that it is made of, in place of what is served.
    ///   - known: the highest number that whoever chose the source knew to have been served.
    mutating func publish(
        _ change: ContentChange, from source: JudgedDocument? = nil, known: Int64 = 0
    ) throws(Failure) -> ChangeOutput {
        let signer = try SignerLookup.command(context)
        edges?.begin()
        return try told(
            publisher.rebase(
                change, from: source, known: known, signer: signer, policy: policy,
                isDryRun: context.isDryRun, allowedNumber: context.call[Self.allowJump]?.number
            ) { [warnings] in warnings.heed($0) },
            (signer, campaigns == nil ? .restore : .kill))
    }

    /// Puts a document that is signed already back under its own number.
    mutating func republish(
        _ content: RecoveryEvidence.Content
    ) throws(Failure) -> ChangeOutput {
        edges?.begin()
        return try told(
            publisher.republish(content, isDryRun: context.isDryRun) { [warnings] in
                warnings.heed($0)
            }, nil)
    }

    private func told(
        _ report: PublishReport, _ signer: (SignerCommand, SignerVerb)?
    ) throws(Failure) -> ChangeOutput {
        let output = ChangeOutput(
            context: context, report: report, workspace: workspace, store: store,
            warnings: warnings, signer: signer)
        do throws(Failure) { try output.begin() } catch {
            guard !context.isDryRun else { throw error }
            throw ChangeStanding(
                publisher: publisher, workspace: workspace, campaigns: campaigns
            ).after(error)
        }
        return output
    }

    /// Waits until the addresses show what was published; not where it failed.
    mutating func waitForEdges(_ output: ChangeOutput) {
        guard output.isDone, let facts = output.report.facts else { return }
        let judge = publisher.judge
        edges?.wait(for: facts, judge)
    }

    // MARK: Ending

    /// The addresses that do not show what was published.
    var late: [Diagnostic] { (edges?.failure).map { [$0.reason] + $0.others } ?? [] }

    /// Shows the lines of the addresses that show it.
    func showEdges() {
        for line in edges?.lines ?? [] { context.console.line(line) }
    }

    /// Delivers the answer; the status is that of the change, of `problems`, or of an address that
    /// does not show it.
    func end(
        _ output: ChangeOutput, problems: [Diagnostic] = []
    ) throws(Failure) -> ExitStatus {
        try output.deliver()
        if let failure = output.failure { return failure.status }
        let problems = problems + late
        guard let first = problems.first else { return .success }
        // The result says it already.
        guard !context.wantsJSON else { return first.exit }
        throw Failure(first, others: Array(problems.dropFirst()))
    }
}
