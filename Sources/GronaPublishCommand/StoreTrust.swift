import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import ProjectFiles
import Publishing
import Synchronization

/// Whether a store that is reached over a network compares and swaps: from what is remembered of
/// it, else by a probe.
struct StoreTrust {
    private let context: CommandContext
    private let name: String
    private let objects: ConditionalObjects
    private let makeProbe: () -> StoreProbe

    /// The locks that are held until this process ends.
    private static let held = Mutex<[HeldLock]>([])

    private final class HeldLock: Sendable {
        private let lock: FileLock
        init(_ lock: consuming FileLock) { self.lock = lock }
    }

    init(_ context: CommandContext, _ remote: RemoteStore) {
        self.context = context
        name = remote.store.name
        objects = remote.objects
        makeProbe = { StoreProbe(remote.objects, scratch: remote.scratch, url: remote.url) }
    }

    /// For a ledger, in which nothing is ever replaced.
    init(_ context: CommandContext, _ place: RemoteLedgerPlace, _ objects: ConditionalObjects) {
        self.context = context
        name = place.name
        self.objects = objects
        makeProbe = {
            StoreProbe(objects, lasting: nil) {
                place.scratch(String(decoding: SystemRandom.hexadecimal(16), as: UTF8.self))
            }
        }
    }

    private func place() throws(Failure) -> StateFolder.OfStore {
        StateFolder(try context.stateFolder()).store(name)
    }

    /// Lets a store be written to, or throws `store.no-cas`, status 76.
    func require(_ use: StoreUse) throws(Failure) {
        let place = try place()
        let known = try remembered()
        let record: ProbeRecord
        if let known {
            record = known
        } else if use == .urgent {
            return try context.warn(Self.unprobed(name, nil))
        } else {
            let report: ProbeReport
            do throws(StoreProbe.Failure) {
                report = try probe()
            } catch {
                switch error {
                case .unprobed(let why):
                    return try context.warn(
                        Self.unprobed(name, why.status, isAnonymous: objects.isAnonymous))
                case .store(let error): throw Failure(error, store: name)
                case .disturbed: throw Self.disturbed(name)
                }
            }
            record = try remember(report)
        }
        objects.learn(wantsBareTags: record.report.wantsBareTags, comparesItself: false)
        guard !record.report.isTrusted else { return }
        guard let promise = record.singlePublisher else { throw Self.refused(record) }
        try lock(place)
        objects.learn(wantsBareTags: record.report.wantsBareTags, comparesItself: true)
        try context.warn(
            .warning(
                code: "store.single-publisher",
                message: "the store does not compare and swap; since \(promise.time),"
                    + " \(promise.user) answers for publishing from this host alone",
                file: name))
    }

    /// What is remembered of the store.
    func remembered() throws(Failure) -> ProbeRecord? {
        let memory = ProbeMemory(try place())
        do { return try memory.read(store: name) } catch {
            throw Failure(reading: error)
        }
    }

    func probe() throws(StoreProbe.Failure) -> ProbeReport {
        var probe = makeProbe()
        return try probe.run()
    }

    @discardableResult
    func remember(
        _ report: ProbeReport, singlePublisher: ProbeRecord.Promise? = nil
    ) throws(Failure) -> ProbeRecord {
        let record = ProbeRecord(
            store: name, time: UnixTime(SystemClock.unixTime()), report: report,
            singlePublisher: singlePublisher)
        let memory = ProbeMemory(try place())
        do { try memory.write(record) } catch { throw Failure(writing: error) }
        return record
    }

    /// One publisher of this host at a time; the kernel lifts the lock when the process ends.
    private func lock(_ place: StateFolder.OfStore) throws(Failure) {
        do throws(FileError) {
            let lock = HeldLock(
                try FileLock(
                    at: place.lock, permissions: 0o600,
                    waitingNanoseconds: FileStore.lockNanoseconds))
            Self.held.withLock { $0.append(lock) }
        } catch {
            throw Failure(.file(error, during: .writing), store: name)
        }
    }

    // MARK: Words

    static func refused(_ record: ProbeRecord) -> Failure {
        let failed = record.report.checks.filter { $0.name.isNeeded && $0.outcome == .fails }
        return Failure(
            Diagnostic(
                code: "store.no-cas",
                message: "the store does not compare and swap ("
                    + failed.map(\.name.rawValue).joined(separator: ", ")
                    + "), so publishers could undo each other's work",
                file: record.store,
                help: "'grona-publish doctor' says what it does; with --single-publisher you answer"
                    + " for publishing from this host alone",
                exit: .otherSide))
    }

    static func disturbed(_ store: String) -> Failure {
        Failure(
            Diagnostic(
                code: "store.busy",
                message: "other hosts probed the store at the same moment, again and again",
                file: store, help: "try again", exit: .tryAgain))
    }

    /// - Parameter isAnonymous: whether no credentials were shown.
    static func unprobed(
        _ store: String, _ status: Int?, isAnonymous: Bool = false
    ) -> Diagnostic {
        .warning(
            code: "store.unprobed",
            message: status.map {
                "whether the store compares and swaps is not known: it answers \($0) to the"
                    + " workspace grona-probe"
            } ?? "whether the store compares and swaps is not known: it was never probed",
            file: store,
            help: status == nil
                ? "'grona-publish doctor STORE' finds out"
                : isAnonymous
                    ? "no token was given: --token-file, GRONA_TOKEN_FILE or the credential"
                        + " store-token"
                    : "let the publisher write to the workspace grona-probe, which nobody fetches")
    }
}
