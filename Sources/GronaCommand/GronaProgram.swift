package import CommandLineKit
import LinuxIO

/// What both programs do from their first instruction to their last.
package enum GronaProgram {
    /// The version of the toolchain and the date of its manual pages.
    package static let version = "0.1.0"
    package static let manualDate = "November 30, 2026"

    /// Runs a program on the arguments of this process and ends the process.
    ///
    /// The process is hardened before anything is read: no core dump, not dumpable, umask 077,
    /// and a closed pipe is an error instead of a signal.
    ///
    /// - Parameter end: ends what commands have opened; answers whether the exit may run the exit
    ///   handlers of libraries, which wait for ever where a library hangs.
    package static func run(
        _ program: Program, ending end: () -> Bool = { true }
    ) -> Never {
        let console = Console(program: program.name, spellings: spellings(.process))
        do {
            try ProcessHardening.apply()
        } catch {
            console.report(Failure(error))
            ProcessExit.exit(.fault)
        }
        let status = program.run(arguments: ProcessArguments.bytes(), console: console)
        let written = console.closeOutput(after: status)
        // All is written: what ends the process now does not change how it went.
        ForeignCode.guardExit(status: written.rawValue, [])
        let mayWait = end()
        #if DEBUG
            StopPoint.over.reached()
        #endif
        guard mayWait else { ProcessExit.leave(written) }
        ProcessExit.exit(written)
    }

    /// How the two programs are called from here: a wrapper for others says how it is called itself.
    package static func spellings(_ environment: EnvironmentValues) -> [CommandSpelling] {
        var spellings: [CommandSpelling] = []
        if let typed = environment["GRONA_PUBLISH_AS"] {
            spellings.append(
                CommandSpelling(
                    program: "grona-publish", typed: typed,
                    except: ["push", "bundle", "settings", "completions", "man"]))
        }
        if let typed = environment["GRONA_SIGN_AS"] {
            spellings.append(CommandSpelling(program: "grona-sign", typed: typed))
        }
        return spellings
    }

    /// The environment variables of both programs, for their manuals.
    package static let environment: [Program.Entry] = [
        .init("GRONA_CAMPAIGNS", "Default of --campaigns."),
        .init("GRONA_KEYS", "Default of --keys."),
        .init("GRONA_LEDGER", "Default of --ledger."),
        .init("GRONA_PINS", "Default of --pins."),
        .init(
            "GRONA_PUBLISH_AS",
            "How grona-publish is called here, such as 'sudo -u grona-publish"
                + " /usr/local/libexec/grona/publish': messages name commands in that form."),
        .init(
            "GRONA_REHEARSAL",
            "1 makes a rehearsal of every command: --now is taken everywhere, the state is kept"
                + " below the folder rehearsal of the state folder, and only file: keys and file:"
                + " or loopback stores are taken."),
        .init("GRONA_SIGN_AS", "The same for grona-sign."),
        .init("GRONA_SIGNER", "Default of --signer."),
        .init("GRONA_SIGNER_TIMEOUT", "Default of --signer-timeout."),
        .init("GRONA_STATE", "Default of --state."),
        .init("GRONA_STORE", "Default of --to and --from."),
        .init("GRONA_STRICT", "1 or true is --strict."),
        .init(
            "GRONA_TRUST_UID",
            "Numbers of users, separated by commas, who may own keyrings and state besides root"
                + " and the user."),
        .init("GRONA_WORKSPACE", "Default of --workspace."),
        .init("HOME", "Where the state is kept when nothing else says so."),
        .init("NO_COLOR", "Anything: no colours."),
        .init("STATE_DIRECTORY", "Set by systemd(1): the state folder."),
        .init("XDG_STATE_HOME", "The state folder is grona below it."),
    ]

    /// The files of both programs, for their manuals.
    package static let files: [Program.Entry] = [
        .init("campaigns/WORKSPACE/workspace.json", "The policy of a workspace."),
        .init("campaigns/WORKSPACE/ID.json", "A campaign."),
        .init("keys/WORKSPACE/keyring.json", "The keys of a workspace: public halves and states."),
        .init(
            "grona.json",
            "Settings of a folder: {\"format\": 1, \"workspace\": \"…\"}. Never signer, keys, state"
                + " or pins."),
    ]
}
