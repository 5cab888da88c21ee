import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import ProjectFiles
import Publishing

/// Where the ledger of a store lies: a file that was named, a folder (`file:DIR`), or a file of this
/// host's own.
enum LedgerPlace {
    private static let scheme = "file:"

    /// Opens the ledger for a command, and warns about one that others may change.
    static func open(
        _ context: CommandContext, of store: any PublicationStore
    ) throws(Failure) -> FileLedger {
        let (path, envelopes) = try find(context, of: store)
        try context.warnOfOwner(of: path)
        var ledger = FileLedger(at: path, envelopes: envelopes, isRehearsal: context.isRehearsal)
        let console = context.console
        ledger.onRepair = { path, count in
            console.report(
                .warning(
                    code: "log.repaired",
                    message: "\(count) bytes of a line that a crash had torn were removed",
                    file: path.description,
                    help: "what the line announced is settled by what the store shows"))
        }
        return ledger
    }

    /// The paths of the ledger and of the envelopes beside it.
    static func find(
        _ context: CommandContext, of store: any PublicationStore
    ) throws(Failure) -> (path: FilePath, envelopes: FilePath) {
        guard let given = try context.ledger() else {
            let place = StateFolder(try context.stateFolder()).store(store.name)
            return (place.ledger, place.envelopes)
        }
        let path = try path(given)
        if context.isRehearsal { try requireBelow(try context.stateFolder(), path) }
        return (path, path.parent.appending("envelopes"))
    }

    /// The file of this host's own; nil where no store or no state folder is known.
    static func builtIn(_ context: CommandContext) -> SettingValue? {
        guard let address = try? context.to(), let store = try? FileStore(address),
            let state = try? context.stateFolder()
        else { return nil }
        return SettingValue(
            StateFolder(state).store(store.name).ledger.bytes, .builtIn("state and to"))
    }

    private static func path(_ given: String) throws(Failure) -> FilePath {
        guard AddressScheme.isAddress(given) else { return FilePath(given) }
        let rest = given.dropFirst(scheme.utf8.count)
        guard given.utf8.starts(with: scheme.utf8), !rest.isEmpty else {
            throw Failure(
                Diagnostic(
                    code: "ledger.address", message: "'\(given)' is no place for a ledger",
                    help: "a ledger is a file, or a folder as file:DIR, that all publishers of the"
                        + " store can reach",
                    exit: .configuration))
        }
        let folder = rest.utf8.starts(with: "///".utf8) ? rest.dropFirst(2) : rest
        return FilePath(String(folder)).appending("ledger.ndjson")
    }

    /// What is rehearsed is written where nothing real is.
    private static func requireBelow(_ folder: FilePath, _ path: FilePath) throws(Failure) {
        let isBelow: Bool
        do throws(SystemError) {
            let outer = try FileSystem.resolveExistingPart(of: folder)
            isBelow = try FileSystem.resolveExistingPart(of: path).relative(to: outer) != nil
        } catch {
            // Where it leads is not known, so it is not known to be the rehearsal's.
            isBelow = false
        }
        guard !isBelow else { return }
        throw Failure(
            Diagnostic(
                code: RuleCode.rehearsalReal.rawValue,
                message: "a rehearsal would write into this ledger", file: path.description,
                help: "leave --ledger and GRONA_LEDGER out, or name a file below \(folder)",
                exit: .configuration))
    }
}
