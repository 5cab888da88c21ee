import CommandLineKit
import GronaCommand
import GronaFormats
import HTTPTransport
import LinuxIO
import ProjectFiles
import Publishing

/// Where the ledger of a store lies: a file that was named, a folder (`file:DIR`), another store, or a
/// file of this host's own.
enum LedgerPlace {
    private static let scheme = "file:"

    /// Opens the ledger for a command, and warns about one that others may change.
    static func open(
        _ context: CommandContext, of store: any PublicationStore, isUrgent: Bool = false
    ) throws(Failure) -> any PublicationLedger {
        if let given = try context.ledger(), isRemote(given) {
            return try openRemote(context, given)
        }
        let (path, envelopes) = try find(context, of: store)
        try context.warnOfOwner(of: path)
        var ledger = FileLedger(at: path, envelopes: envelopes, isRehearsal: context.isRehearsal)
        let console = context.console
        if isUrgent {
            ledger.onCut = { lines, count in
                var warning = Failure(
                    PublicationLedgerError.cut(path, lines: lines, of: count)
                ).reason
                warning.severity = .warning
                warning.message +=
                    "; this goes by the store, and by the envelopes beside the ledger, all the same"
                console.report(warning)
            }
        }
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

    static func isRemote(_ given: String) -> Bool {
        StoreAddress.isHTTP(given) || given.utf8.starts(with: "s3:".utf8)
    }

    /// Has a ledger in a store probed before anything is written to it for the first time.
    static func require(_ context: CommandContext, _ use: StoreUse) throws(Failure) {
        guard let given = try context.ledger(), isRemote(given) else { return }
        let ledger = try openRemote(context, given)
        try StoreTrust(context, ledger.place, ledger.objects).require(use)
    }

    /// A ledger in a store.
    private static func openRemote(
        _ context: CommandContext, _ given: String
    ) throws(Failure) -> StoreLedger {
        let place: RemoteLedgerPlace
        do { place = try RemoteLedgerPlace(given) } catch { throw Failure(error, store: given) }
        if context.isRehearsal, !place.isOnThisHost { throw CommandContext.real(given) }
        try requireApart(place, context)
        let access: ObjectAccess =
            switch place {
            case .s3(let bucket): try context.s3Access(bucket, given)
            case .http:
                .http(
                    try context.bearer(
                        StoreSettings.ledgerTokenFile, credential: "ledger-token", store: given))
            }
        let objects = ConditionalObjects(
            client: try context.httpClient(), access: access,
            fields: [HTTPField("Content-Type", "application/json")])
        let memory = StateFolder(try context.stateFolder()).store(place.name)
        return StoreLedger(
            place, objects: objects, memory: memory, isRehearsal: context.isRehearsal)
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
        try requireFolder(path.parent)
        try requireApart(path, store)
        return (path, path.parent.appending("envelopes"))
    }

    /// The file of this host's own; nil where no store or no state folder is known.
    static func builtIn(_ context: CommandContext) -> SettingValue? {
        guard let text = try? context.to(), let address = try? context.storeAddress(text),
            let name = address.name ?? (try? FileStore(text))?.name,
            let state = try? context.stateFolder()
        else { return nil }
        return SettingValue(
            StateFolder(state).store(name).ledger.bytes, .builtIn("state and to"))
    }

    private static func path(_ given: String) throws(Failure) -> FilePath {
        guard AddressScheme.isAddress(given) else { return FilePath(given) }
        let rest = given.dropFirst(scheme.utf8.count)
        guard given.utf8.starts(with: scheme.utf8), !rest.isEmpty else {
            throw Failure(
                Diagnostic(
                    code: "ledger.address",
                    message: "'\(AddressText.redacted(given))' is no place for a ledger",
                    help: "a ledger is a file, a folder as file:DIR, or a store that all publishers"
                        + " can reach: s3://… or https://…/{name}",
                    exit: .configuration))
        }
        let folder = rest.utf8.starts(with: "///".utf8) ? rest.dropFirst(2) : rest
        return FilePath(String(folder)).appending("ledger.ndjson")
    }

    /// The folder of a ledger that was named is never made: where it is missing, a disk may not be
    /// mounted, and an empty ledger would stand in the place of the one that is meant.
    private static func requireFolder(_ folder: FilePath) throws(Failure) {
        let folder: FilePath = folder.isEmpty ? "." : folder
        do throws(SystemError) {
            if try FileSystem.statusIfPresent(of: folder, links: .follow)?.kind == .folder {
                return
            }
        } catch {
            // It may well be there.
            if error.number == .noPermission { throw Failure(reading: .system(error)) }
        }
        throw Failure(
            Diagnostic(
                code: "ledger.missing", message: "the folder of the ledger is not there",
                file: folder.description,
                help: "make it first: a folder that is missing may be a disk that is not mounted",
                exit: .noInput))
    }

    /// A ledger tells when a store was set back, so it is no part of it.
    private static func requireApart(
        _ path: FilePath, _ store: any PublicationStore
    ) throws(Failure) {
        guard store.name.utf8.starts(with: scheme.utf8) else { return }
        let root = FilePath(String(store.name.dropFirst(scheme.utf8.count)))
        guard let root = try? FileSystem.resolveExistingPart(of: root),
            let path = try? FileSystem.resolveExistingPart(of: path),
            path.relative(to: root) != nil
        else { return }
        throw inStore(path.description)
    }

    private static func inStore(_ ledger: String) -> Failure {
        Failure(
            Diagnostic(
                code: "ledger.in-store", message: "this ledger is a part of the store",
                file: ledger,
                help: "keep it elsewhere: it tells when the store was set back to an older state",
                exit: .configuration))
    }

    private static func requireApart(
        _ place: RemoteLedgerPlace, _ context: CommandContext
    ) throws(Failure) {
        for store in [try? context.to(), try? context.from()] {
            guard let store, let address = try? context.storeAddress(store),
                place.isPart(of: address)
            else { continue }
            throw inStore(place.name)
        }
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
