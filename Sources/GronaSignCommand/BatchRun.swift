import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import ProjectFiles
import Signing
import StrictJSON

/// A batch: requests on standard input, answers on standard output, line by line and in order.
struct BatchRun: BatchWorld {
    let setup: SignerSetup
    let keyrings: KeyringFiles
    /// Whether requests may be kills.
    let kills: Bool

    /// Ends with 65 where a request was refused; each answer says why.
    static func run(_ kind: BatchKind, _ context: CommandContext) throws(Failure) -> ExitStatus {
        let setup = try SignerSetup(context)
        let world = BatchRun(
            setup: setup, keyrings: try setup.keyrings(),
            kills: kind == .renew(allowsDisable: true))
        var signer = BatchSigner(kind, world: world)
        var reader = try worded(FileWords.reading) { () throws(FileError) in
            try LineReader.standardInput(limit: Limits.Reader.envelopeLine)
        }
        var (refused, read) = (0, 0)
        var told: Set<SigningNote> = []
        while let group = try nextGroup(&reader, limit: signer.groupLimit) {
            let places = group.indices.filter { !group[$0].isBlank }
            for (place, answer) in zip(places, signer.answer(group)) {
                switch answer.result {
                case .failure: refused += 1
                case .success(.signed(let signed)): world.warn(signed.notes, &told)
                case .success(.standing): break
                }
                context.console.json(line: world.text(answer, line: read + place + 1))
            }
            read += group.count
            try context.console.flush()
        }
        guard refused > 0 else { return .success }
        context.console.note(
            "\(refused) request\(refused == 1 ? " was" : "s were") refused; the answers say why, and"
                + " some may be asked again with another number")
        return .refused
    }

    /// One line, waited for, and those that are there behind it; nil at the end.
    private static func nextGroup(
        _ reader: inout LineReader, limit: Int
    ) throws(Failure) -> [LineReader.Line]? {
        do throws(FileError) {
            guard let first = try reader.next() else { return nil }
            var group = [first]
            while group.count < limit, let line = try reader.nextReady() { group.append(line) }
            return group
        } catch {
            throw Failure(reading: error)
        }
    }

    // MARK: The world of the signer

    func desk(having kid: KeyID?) throws(Failure) -> SigningDesk {
        try setup.desk(setup.keyring(having: kid, in: keyrings), forKill: kills)
    }

    func open(_ key: KeyRecord, at desk: SigningDesk) throws(Failure) -> KeyInHand {
        try setup.open(key, of: desk.keyring)
    }

    /// A rehearsal has one time; else each group is signed at its own.
    func now() -> UnixTime {
        setup.context.isRehearsal ? setup.context.now : UnixTime(SystemClock.unixTime())
    }

    // MARK: Answers

    /// Warnings go to standard error, each once; remarks are for people at a terminal.
    private func warn(_ notes: [SigningNote], _ told: inout Set<SigningNote>) {
        for note in notes where told.insert(note).inserted {
            let diagnostic = NoteWording.diagnostic(note)
            if diagnostic.severity == .warning { setup.context.console.report(diagnostic) }
        }
    }

    /// The members stand in the order in which people read them.
    ///
    /// - Parameter line: which line of the input it answers, counted from 1.
    private func text(_ answer: BatchAnswer<Failure>, line: Int) -> [UInt8] {
        var text = Array("{\"id\":".utf8) + (answer.id?.canonical() ?? Array("null".utf8))
        switch answer.result {
        case .success(.standing(let standing, let floor)):
            text += Array(",\"standing\":\"\(standing.rawValue)\"".utf8)
            text += Array(",\"signed_version\":\(floor)".utf8)
        case .success(.signed(let signed)):
            text += Array(",\"envelope\":".utf8) + signed.bytes
            text += Array(",\"audit\":\"\(signed.auditHead)\"".utf8)
        case .failure(let fault):
            text += Array(",\"error\":".utf8) + failure(fault, line).json.canonical()
        }
        return text + Array("}".utf8)
    }

    /// What is wrong in no file is wrong in the line.
    private func failure(_ fault: BatchFault<Failure>, _ line: Int) -> Failure {
        var failure =
            switch fault {
            case .line(let problem): BatchWording.failure(problem)
            case .signing(let error): setup.wording().failure(error)
            case .world(let failure): failure
            }
        if failure.reason.file == nil { failure.reason.line = line }
        return failure
    }
}
