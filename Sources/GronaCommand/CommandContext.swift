package import CommandLineKit
package import GronaFormats
package import LinuxIO

/// What a command does to the world outside; decides when `--now` is taken.
package enum CommandEffect: Sendable {
    /// Only reads: takes `--now` freely.
    case reads
    /// Signs or publishes: takes `--now` only in a rehearsal.
    case acts
}

/// One run of a command: its arguments, its settings, the time, and whether it is a rehearsal.
///
/// Settings are looked up when they are asked for; the settings file is read at the first
/// question.
package final class CommandContext {
    package let call: Invocation
    /// The present time, read once.
    package let now: UnixTime
    /// Whether `GRONA_REHEARSAL=1` is set: state is kept apart, real stores are not touched.
    package let isRehearsal: Bool
    private var loaded: Settings?
    private var judged: Set<FilePath> = []
    private var endings: [() -> Void] = []

    package var console: Console { call.console }

    /// - Throws: `usage.now` where the time is given and not taken, `rehearsal.value`.
    package init(_ call: Invocation, effect: CommandEffect) throws(Failure) {
        self.call = call
        isRehearsal = try Rehearsal.isOn(call.environment)
        if isRehearsal {
            call.console.announce(
                "rehearsal: state is kept in the folder rehearsal of the state folder; what a key"
                    + " signs is real to every device that pins the key")
        }
        let given = call[SharedOptions.now]
        if given != nil, effect == .acts, !isRehearsal {
            throw Failure(
                .usage(
                    "now", "--now is taken here only in a rehearsal",
                    help: "set GRONA_REHEARSAL=1, with keys and stores made for it"))
        }
        now = given ?? UnixTime(SystemClock.unixTime())
    }

    // MARK: The end

    /// Has something done when the command is over, whether it went well or not; the last first.
    package func atEnd(_ ending: @escaping () -> Void) {
        endings.append(ending)
    }

    /// Does what was asked for with `atEnd`.
    package func end() {
        while let ending = endings.popLast() { ending() }
    }

    // MARK: Settings

    /// All settings of this run.
    package func settings() throws(Failure) -> Settings {
        if let loaded { return loaded }
        let file = try SettingsFileLookup(call).file()
        let settings = try Settings(SharedSettings.all, call: call, file: file)
        loaded = settings
        return settings
    }

    /// The folder of the keyrings, `./keys` when nobody says otherwise.
    package func keys() throws(Failure) -> FilePath {
        try path(SharedSettings.keys) ?? "keys"
    }

    /// The pins file, nil where trust comes from the keyrings.
    package func pins() throws(Failure) -> FilePath? {
        try path(SharedSettings.pins)
    }

    /// The folder of the campaign folders, `./campaigns` when nobody says otherwise.
    package func campaigns() throws(Failure) -> FilePath {
        try path(SharedSettings.campaigns) ?? "campaigns"
    }

    package func workspace() throws(Failure) -> WorkspaceName? {
        try settings().value(SharedSettings.workspace).flatMap { WorkspaceName($0.text) }
    }

    package func requireWorkspace() throws(Failure) -> WorkspaceName {
        guard let workspace = try workspace() else {
            throw call.usage("missing-option", "--workspace is missing")
        }
        return workspace
    }

    /// The store to publish to.
    package func to() throws(Failure) -> String { try store(SharedSettings.to) }

    /// The store to read from.
    package func from() throws(Failure) -> String { try store(SharedSettings.from) }

    /// The ledger that publishers share, nil for the file below the state folder.
    package func ledger() throws(Failure) -> String? {
        try settings().value(SharedSettings.ledger)?.text
    }

    /// How to call the signer, nil for the `grona-sign` beside this program.
    package func signer() throws(Failure) -> String? {
        try settings().value(SharedSettings.signer)?.text
    }

    package func signerTimeout() throws(Failure) -> DurationSeconds {
        let text = try settings().value(SharedSettings.signerTimeout)?.text ?? "30s"
        return (try? DurationSeconds(parsing: text)) ?? DurationSeconds(30)
    }

    /// The folder of this host's memory; in a rehearsal the folder `rehearsal` below it.
    ///
    /// - Throws: `settings.state`, status 78, where nobody says where it is.
    package func stateFolder() throws(Failure) -> FilePath {
        let folder = try realStateFolder()
        return isRehearsal ? folder.appending("rehearsal") : folder
    }

    /// The folder of this host's memory, also in a rehearsal.
    package func realStateFolder() throws(Failure) -> FilePath {
        guard let folder = try path(SharedSettings.state) else {
            throw Failure(
                Diagnostic(
                    code: "settings.state", message: "there is no place for this host's memory",
                    help: "give --state DIR or set GRONA_STATE", exit: .configuration))
        }
        return folder
    }

    /// Whether warnings are errors.
    package func isStrict() throws(Failure) -> Bool {
        try settings().isOn(SharedSettings.strict)
    }

    package var force: Bool { call[SharedOptions.force] }
    package var assumesYes: Bool { call[SharedOptions.yes] }
    package var isDryRun: Bool { call[SharedOptions.dryRun] }
    package var wantsJSON: Bool { console.preferences.json }

    /// Tells a warning, which `--strict` makes an error.
    ///
    /// - Parameter exit: the status under `--strict`.
    package func warn(_ warning: Diagnostic, strictExit: ExitStatus = .refused) throws(Failure) {
        guard try isStrict() else { return console.report(warning) }
        var error = warning
        error.severity = .error
        error.exit = strictExit
        throw Failure(error)
    }

    /// Warns, once in a run, about a path that others may change; it need not be there yet.
    package func warnOfOwner(of path: FilePath) throws(Failure) {
        guard judged.insert(path).inserted else { return }
        do throws(Failure) {
            try Ownership.warn(about: path, mayBeMissing: true, on: console)
        } catch {
            // Who cannot be seen is not judged: whoever reads or writes there says what is wrong.
            guard error.status == .noInput else { throw error }
        }
    }

    private func path(_ setting: Setting) throws(Failure) -> FilePath? {
        try settings().value(setting).map { FilePath(bytes: $0.bytes) }
    }

    private func store(_ setting: Setting) throws(Failure) -> String {
        guard let value = try settings().value(setting) else {
            throw Failure(
                Diagnostic(
                    code: "settings.store", message: "no store is given",
                    help:
                        "give --\(setting.name) STORE, set GRONA_STORE or make the folder ./public",
                    exit: .configuration))
        }
        return value.text
    }
}
