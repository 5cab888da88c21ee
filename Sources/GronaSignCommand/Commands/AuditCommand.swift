import CommandLineKit
import GronaCommand
import GronaFormats
import Ledger
import Libcrypto
import LinuxIO
import ProjectFiles
import Signing
import StrictJSON

/// `audit`: what was signed here, and who took what in or gave what up.
enum AuditCommand {
    private static let envelopes = Operand(
        ValueReader<FilePath>.file("ENVELOPE"), .many(minimum: 1),
        help: "a config that was signed elsewhere")
    private static let workspace = Operand(
        ValueReader<WorkspaceName>.workspace("W"), help: "the workspace")
    private static let version = Operand(
        ValueReader<ConfigVersion>.version("VERSION"), help: "a version that was never published")
    private static let head = Option(
        "head", ValueReader<SHA256Digest>.digest("HASH"),
        help: "a head that was kept elsewhere: the only way to see that the end was cut off")

    static let command = Command(
        group: "audit", summary: "the log of everything that was signed here",
        [
            Command(
                "show", .reads, summary: "show the audit log, one line a record",
                options: [SharedOptions.keys, SharedOptions.state, SharedOptions.workspace],
                run: show),
            Command(
                "verify", .reads, summary: "check the chain of the audit log",
                discussion: [
                    "A line that was changed, removed or moved is found. An end that was cut off"
                        + " shows only against --head."
                ],
                options: [
                    SharedOptions.keys, SharedOptions.state, SharedOptions.workspace, head,
                ], run: verify),
            Command(
                "adopt", .acts, summary: "take envelopes in that were signed elsewhere",
                discussion: [
                    "From then on they count as signed here, and versions below them are stale."
                ],
                operands: [envelopes],
                options: [
                    SignOptions.reason, SharedOptions.keys, SharedOptions.campaigns,
                    SharedOptions.state, SharedOptions.workspace, SharedOptions.strict,
                ], run: adopt),
            Command(
                "withdraw", .acts, summary: "give up a version that was signed and never published",
                discussion: [
                    "The signer makes nothing of it any more. Its file is to be removed, since a"
                        + " publisher that is given it cannot tell; what a publisher keeps to"
                        + " publish it later is dropped by its next 'refresh', which asks."
                ],
                operands: [workspace, version],
                options: [
                    SignOptions.reason, SharedOptions.keys, SharedOptions.campaigns,
                    SharedOptions.state, SharedOptions.strict,
                ], run: withdraw),
        ])

    /// The keyring of `--workspace`, or the only one there is.
    private static func keyring(_ context: CommandContext) throws(Failure) -> KeyringFile {
        let keys = try context.keys()
        let all = try worded(Failure.init) { () throws(ProjectFileError) in
            try KeyringFiles.read(below: keys)
        }
        let asked = try context.workspace()
        if asked == nil, all.files.count == 1, all.failures.isEmpty, let only = all.files.first {
            return only
        }
        let name = try context.requireWorkspace()
        return try worded(Failure.init) { () throws(ProjectFileError) in
            try all.usable(name, below: keys)
        }
    }

    private static func log(
        _ context: CommandContext, _ keyring: KeyringFile
    ) throws(Failure) -> HashChainLog {
        let state = try context.stateFolder()
        try Ownership.warn(about: state, mayBeMissing: true, on: context.console)
        return HashChainLog(at: StateFolder(state).keyring(keyring.keyring.id).auditLog)
    }

    @Sendable private static func show(_ context: CommandContext) throws(Failure) -> ExitStatus {
        let log = try log(context, keyring(context))
        var lines: [JSONElement] = []
        try worded(LogWords(log).failure) { () throws(LedgerError) in
            var reader = try log.reader()
            while let line = try reader.next() { lines.append(line.root) }
        }
        if context.wantsJSON {
            context.console.json(.array(lines.map { .element($0) }))
        } else {
            context.console.write(
                AuditTable.text(lines, style: context.console.style))
        }
        return .success
    }

    @Sendable private static func verify(_ context: CommandContext) throws(Failure) -> ExitStatus {
        let log = try log(context, keyring(context))
        let head = context.call[head]
        let report = try worded(LogWords(log).failure) {
            () throws(LedgerError) in
            try log.verify(head: head)
        }
        if context.wantsJSON {
            context.console.json(AuditTable.json(report))
        } else if let fault = report.fault {
            context.console.line(
                "\(log.path):\(fault.line): \(LedgerWording.message(fault.kind))")
        } else {
            context.console.line("\(report.tip.lines) lines, each continues the one before")
            context.console.line("head \(report.tip.head.hex)")
            context.console.line(
                report.headLine.map { "the head that was kept stands in line \($0)" }
                    ?? "an end that was cut off would not show: --head HASH compares with a head"
                    + " kept elsewhere")
            if report.tornBytes > 0 {
                context.console.line(
                    "\(report.tornBytes) bytes of a torn last line, which the next append repairs")
            }
        }
        return report.fault == nil ? .success : .negative
    }

    @Sendable private static func adopt(_ context: CommandContext) throws(Failure) -> ExitStatus {
        let setup = try SignerSetup(context)
        let reason = try context.call.require(SignOptions.reason)
        let all = try setup.keyrings()
        var desks: [WorkspaceName: SigningDesk] = [:]
        var sources: [WorkspaceName: [SignedSource]] = [:]
        var order: [WorkspaceName] = []
        let now = context.now
        for path in context.call.all(envelopes) {
            let file = try EnvelopeFile(path, .adopted)
            let ring = try setup.keyring(having: file.kid, in: all, file: file.name)
            let workspace = ring.keyring.workspace
            if desks[workspace] == nil {
                desks[workspace] = try setup.desk(ring)
                order.append(workspace)
            }
            let source = try worded(setup.wording(files: [.adopted: file.name]).failure) {
                () throws(SigningError) in
                try SignedSource(
                    file.envelope, byteCount: file.bytes.count, role: .adopted,
                    keyring: ring.keyring, trusted: ring.keyring.trusted(.config),
                    expiry: .mayBeOver, now: now)
            }
            sources[workspace, default: []].append(source)
        }
        var given: [(workspace: WorkspaceName, source: SignedSource, isKnown: Bool)] = []
        for workspace in order {
            guard var desk = desks[workspace] else { continue }
            let wording = setup.wording(desk.keyring.keyring.id)
            let list = sources[workspace] ?? []
            for source in list
            where desk.memory.history.isTaken(source.version, byOtherThan: source.digest) {
                context.console.report(NoteWording.diagnostic(.otherPayload(source.version)))
            }
            let taken = try worded(wording.failure) { () throws(SigningError) in
                try desk.adopt(list, reason: reason, now: now)
            }
            given += list.map { source in
                (workspace, source, !taken.contains { $0.digest == source.digest })
            }
        }
        if context.wantsJSON {
            context.console.json(
                .array(
                    given.map { workspace, source, isKnown in
                        .object([
                            ("workspace", .string(workspace.text)),
                            ("version", .integer(source.version.number)),
                            ("digest", .string(source.digest)), ("kid", .string(source.kid.text)),
                            ("already", .boolean(isKnown)),
                        ])
                    }))
        } else {
            for (workspace, source, isKnown) in given {
                context.console.line(
                    (isKnown ? "known already: " : "adopted ")
                        + "\(workspace) version \(source.version)")
            }
        }
        return .success
    }

    @Sendable private static func withdraw(
        _ context: CommandContext
    ) throws(Failure) -> ExitStatus {
        let setup = try SignerSetup(context)
        let name = try context.call.require(workspace)
        let version = try context.call.require(version)
        let reason = try context.call.require(SignOptions.reason)
        var desk = try setup.desk(name)
        let now = context.now
        let isNew = try worded(setup.wording(desk.keyring.keyring.id).failure) {
            () throws(SigningError) in
            try desk.withdraw(version, reason: reason, now: now)
        }
        if context.wantsJSON {
            context.console.json(
                .object([
                    ("workspace", .string(name.text)), ("version", .integer(version.number)),
                    ("floor", .integer(desk.memory.history.floor)),
                    ("result", .string(isNew ? "withdrawn" : "unchanged")),
                ]))
        } else {
            context.console.line(
                isNew ? "\(name) version \(version) is given up" : "it was given up before")
            context.console.note(
                "remove its file, so that nobody pushes it: a publisher cannot tell. Where one keeps"
                    + " it to publish it later (stores/*/staged/\(name).json below its state folder),"
                    + " its next 'refresh' asks this signer and drops it; one that does not ask, or"
                    + " cannot, would publish it, so remove that file too")
        }
        return .success
    }
}

extension ValueReader where Value == SHA256Digest {
    static func digest(_ name: String) -> ValueReader<SHA256Digest> {
        parsing(name, expected: "64 hexadecimal digits in lower case") { SHA256Digest(hex: $0) }
    }
}
