import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO

/// `status [WORKSPACE…]`: what is served, and what needs a hand.
enum StatusCommand {
    static let html = Option(
        "html", ValueReader<FilePath>.file(),
        help: "write the picture as one page; an earlier page is replaced")
    static let metrics = Option(
        "metrics", ValueReader<FilePath>.file(),
        help: "write metrics in Prometheus text format; earlier ones are replaced")

    /// How many of the last versions a workspace is shown with.
    private static let recentVersions = 5

    static let command = Command(
        "status", .reads, summary: "show what is served, and what needs a hand",
        discussion: [
            "Ends with 1 when something needs a hand: a copy that is missing, not ours, expired,"
                + " below a quarter of its life or older than what was served before, or"
                + " something in the store that none of our keys signed.",
            "The worst stands first, each with the commands to run next. --html FILE writes the"
                + " same as one page for a browser, which loads nothing: the time lines of what is"
                + " served and of the bundles, the last versions, the keys. A page and metrics"
                + " appear whole, with mode 0644; another file at their place is replaced only with"
                + " --force.",
        ],
        operands: [PublishOptions.workspaces],
        options: [
            html, metrics, SharedOptions.force, SharedOptions.from, SharedOptions.keys,
            SharedOptions.pins, SharedOptions.campaigns, SharedOptions.state, SharedOptions.ledger,
        ] + StoreOptions.all,
        examples: [
            .init("grona-publish status --html status.html", "makes a page to look at")
        ]
    ) { context throws(Failure) in
        let isOnOutput = [context.call[html], context.call[metrics]].filter { $0 == "-" }.count
        guard isOnOutput + (context.wantsJSON ? 1 : 0) <= 1 else {
            throw context.call.usage("output", "standard output has room for one of them")
        }
        let page = try StatusFile(context.call[html], mark: StatusPage.mark, context)
        let samples = try StatusFile(context.call[metrics], mark: StatusMetrics.firstLine, context)
        // A terminal does not show the last versions, so they are not read for it.
        let showsVersions = context.call[html] != nil || context.wantsJSON
        let picture = try StatusSurvey(context, recent: showsVersions ? recentVersions : 0)
            .picture()
        try page.commit { StatusPage(picture).bytes }
        try samples.commit { Array(StatusMetrics(picture).text.utf8) }
        if context.wantsJSON {
            context.console.json(picture.json)
        } else if isOnOutput == 0 {
            show(picture, context)
        }
        return picture.needsAHand ? .negative : .success
    }

    private static func show(_ picture: StatusPicture, _ context: CommandContext) {
        let console = context.console
        let environment = context.call.environment
        let locale = environment["LC_ALL"] ?? environment["LC_CTYPE"] ?? environment["LANG"] ?? ""
        let isUTF8 = locale.uppercased().hasSuffix("UTF-8") || locale.uppercased().hasSuffix("UTF8")
        console.write(
            StatusText(
                picture, style: console.style, columns: console.columns,
                glyphs: console.outputIsTerminal && isUTF8 ? .unicode : .plain
            ).text)
    }
}
