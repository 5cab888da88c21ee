import CommandLineKit
import GronaCommand
import GronaFormats
import GronaVerification
import LinuxIO
import StrictJSON

/// A file of used nonces, `{"jti", "exp"}` a line.
///
/// It is read and replaced under a lock on its folder, so that of two runs with one grant exactly
/// one is the first; a run that ends in between leaves the old file or the new one.
///
/// Source: offers-and-grants: The order backend is the enforcement point, single use on `jti`.
struct UsedNonces {
    /// A nonce is kept a day beyond the end of its grant, whatever clock is looked at.
    static let margin = DurationSeconds.days(1)
    private static let limit = Limits.Reader.fleet
    private static let wait: UInt64 = 5_000_000_000

    let path: FilePath
    let console: Console

    /// Takes the nonce; `again` when the file has it.
    ///
    /// - Throws: status 65 for a file of another form, 73 or 74 where it cannot be written, 75 for
    ///   a lock that is held.
    func use(
        _ nonce: Identifier, until expiresAt: UnixTime, at now: UnixTime
    ) throws(Failure) -> NonceUse {
        guard let name = path.lastComponent, name.isName else {
            throw Failure(writing: .invalidName(path))
        }
        let folder = try folder()
        let lock = try locked(folder)
        do throws(Failure) {
            let use = try take(nonce, expiresAt, now, name, in: folder)
            _ = lock.unlock()
            return use
        } catch {
            _ = lock.unlock()
            throw error
        }
    }

    private func folder() throws(Failure) -> Folder {
        do { return try Folder(at: path.parent) } catch { throw Failure(writing: error) }
    }

    private func locked(_ folder: borrowing Folder) throws(Failure) -> FileLock {
        do {
            return try folder.lock(waitingNanoseconds: Self.wait)
        } catch {
            throw Failure(writing: error)
        }
    }

    private func take(
        _ nonce: Identifier, _ expiresAt: UnixTime, _ now: UnixTime, _ name: FilePath,
        in folder: borrowing Folder
    ) throws(Failure) -> NonceUse {
        let bytes: [UInt8]?
        do {
            bytes = try folder.readIfPresent(name, limit: Self.limit)
        } catch {
            throw Failure(writing: error)
        }
        let entries = try read(bytes ?? [])
        if entries.contains(where: { $0.nonce == nonce }) { return .again }
        let clock = min(now, UnixTime(SystemClock.unixTime()))
        let alive = entries.filter { entry in
            entry.expiresAt.adding(Self.margin).map { $0 > clock } ?? true
        }
        let lines = (alive + [Entry(nonce: nonce, expiresAt: expiresAt)]).flatMap(\.line)
        do {
            try folder.replaceFile(name, lines, permissions: 0o600)
        } catch {
            throw Failure(writing: error)
        }
        return .first
    }

    private struct Entry {
        let nonce: Identifier
        let expiresAt: UnixTime

        var line: [UInt8] {
            JSONValue.object([
                ("jti", .string(nonce.text)), ("exp", .integer(expiresAt.seconds)),
            ]).canonical() + [UInt8(ascii: "\n")]
        }
    }

    /// Whatever is not of the form is refused: a nonce that cannot be read may be the one asked for.
    /// Only the beginning of a last line is left out, with a warning: who wrote it died before the
    /// grant was accepted.
    private func read(_ bytes: [UInt8]) throws(Failure) -> [Entry] {
        var entries: [Entry] = []
        var number = 0
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for line in lines {
            number += 1
            guard !line.isEmpty else { continue }
            guard line.count <= Limits.Reader.line,
                let root = try? JSONDocument.parse(Array(line)).root,
                let nonce = root["jti"]?.string.flatMap(Identifier.init(_:)),
                let expiresAt = root["exp"]?.integer
            else {
                if number == lines.count, isBeginning(line) {
                    reportTorn(line: number)
                    break
                }
                throw Failure(
                    Diagnostic(
                        code: RuleCode.noncesMalformed.rawValue,
                        message: "not {\"jti\": ID, \"exp\": SECONDS}", file: path.description,
                        line: number, exit: .refused))
            }
            entries.append(Entry(nonce: nonce, expiresAt: UnixTime(expiresAt)))
        }
        return entries
    }

    /// Whether a text begins as our lines do.
    private func isBeginning(_ line: ArraySlice<UInt8>) -> Bool {
        let start = Array("{\"".utf8)
        return line.prefix(start.count).elementsEqual(start.prefix(line.count))
    }

    private func reportTorn(line: Int) {
        console.report(
            .warning(
                code: RuleCode.noncesTorn.rawValue, message: "a torn last line is left out",
                file: path.description, line: line,
                help: "its writer died before the grant was accepted"))
    }
}
