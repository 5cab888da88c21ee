import Libcrypto
package import LinuxIO
import SigningKeys
import StrictJSON

/// Remembers which PINs tokens have refused, so that a timer does not lock a token: by the token and
/// the identity of the PIN file, never by the PIN.
///
/// One small file a token and source below `<state>/refused-pins`, written before the log-in and
/// removed when the token has taken the PIN, so that a run which is killed in it counts as refused;
/// and one empty file a token, locked meanwhile, so that processes which start together try a PIN
/// once. A PIN that a person has typed is not remembered.
package struct RefusedPINMemory: Sendable {
    package let folder: FilePath
    /// Whether a PIN is tried again that was refused, or with one try left.
    package let retries: Bool

    /// - Parameter state: the state folder.
    package init(state: FilePath, retries: Bool) {
        folder = state.appending("refused-pins")
        self.retries = retries
    }

    /// Lets a PIN pass that was not refused as it stands, and makes the folder: a PIN whose refusal
    /// cannot be remembered is not tried.
    func check(_ identity: PINIdentity?, at token: TokenName) throws(TokenProblem) {
        guard let identity else { return }
        do throws(SystemError) {
            try FileSystem.createFolders(folder, permissions: 0o700)
        } catch {
            throw .pinMemory(.system(error))
        }
        guard !retries, let entry = try entry(identity, token) else { return }
        if entry.source == Self.text(of: identity) {
            throw .pinRemembered(
                at: entry.time, entry.answer, memory: folder.appending(Self.name(identity, token)))
        }
    }

    /// Keeps other processes from trying a PIN of that token meanwhile; who waits longer than twice
    /// the time of an answer is told who holds it.
    ///
    /// - Parameter seconds: how long an answer of the module may take.
    func exclusively(
        _ identity: PINIdentity?, at token: TokenName, of module: Module, _ seconds: UInt64,
        _ body: () throws(SigningKeyError) -> Void
    ) throws(SigningKeyError) {
        guard identity != nil else { return try body() }
        let lock: FileLock
        do throws(FileError) {
            do throws(SystemError) {
                try FileSystem.createFolders(folder, permissions: 0o700)
            } catch {
                throw .system(error)
            }
            lock = try FileLock(
                at: folder.appending(Self.lockName(token)),
                waitingNanoseconds: 2 * seconds * 1_000_000_000)
        } catch {
            throw .token(TokenError(.pinMemory(error), module: module.path, token: token))
        }
        let result = Result<Void, SigningKeyError> { () throws(SigningKeyError) in try body() }
        _ = lock.unlock()
        try result.get()
    }

    /// - Parameter now: Unix seconds.
    func remember(
        _ identity: PINIdentity?, at token: TokenName, _ answer: PINAnswer, now: Int64
    ) throws(TokenProblem) {
        guard let identity else { return }
        let value = JSONValue.object([
            ("format", .integer(1)), ("token", .string(token.label)),
            ("serial", .string(token.serial)), ("at", .integer(now)),
            ("answer", .string(answer.rawValue)),
            ("source", .object(Self.members(of: identity))),
        ])
        do throws(FileError) {
            let folder = try Folder(creating: folder, permissions: 0o700)
            try folder.replaceFile(
                Self.name(identity, token), value.canonical() + [0x0A], permissions: 0o600)
        } catch {
            throw .pinMemory(error)
        }
    }

    /// Forgets a refusal once a PIN from that source was taken.
    func forget(_ identity: PINIdentity?, at token: TokenName) throws(TokenProblem) {
        guard let identity else { return }
        do throws(FileError) {
            let folder = try Folder(at: folder)
            try folder.removeFile(Self.name(identity, token))
        } catch {
            throw .pinMemory(error)
        }
    }

    // MARK: The file

    private struct Entry {
        let source: [UInt8]
        let time: Int64
        let answer: PINAnswer
    }

    private func entry(
        _ identity: PINIdentity, _ token: TokenName
    ) throws(TokenProblem) -> Entry? {
        let path = folder.appending(Self.name(identity, token))
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try readFile(path, limit: Self.limit, links: .refuse)
        } catch {
            if error.isNotFound { return nil }
            throw .pinMemory(error)
        }
        guard let root = try? JSONDocument.parse(bytes).root, root["format"]?.integer == 1,
            let time = root["at"]?.integer, let source = root["source"], source.kind == .object,
            let answer = PINAnswer(rawValue: root["answer"]?.string ?? PINAnswer.refused.rawValue)
        else { throw .pinMemoryMalformed(path) }
        return Entry(source: source.canonical(), time: time, answer: answer)
    }

    private static let limit = 16 * 1024

    /// A name that says nothing and is the same for one token and one source.
    private static func name(_ identity: PINIdentity, _ token: TokenName) -> FilePath {
        var source = Array(text(of: identity.source).utf8)
        // Units may have different credentials of one name; a file is known by its place.
        if case .credential = identity.source { source += [0] + Array("\(identity.size)".utf8) }
        return FilePath(String(SHA256.digest(text(of: token) + source).hex.prefix(32)) + ".json")
    }

    private static func lockName(_ token: TokenName) -> FilePath {
        FilePath(String(SHA256.digest(text(of: token)).hex.prefix(32)) + ".lock")
    }

    private static func text(of token: TokenName) -> [UInt8] {
        var text: [UInt8] = []
        for part in [token.serial, token.label, token.manufacturer, token.model] {
            text += Array(part.utf8) + [0]
        }
        return text
    }

    private static func text(of source: PINSource) -> String {
        switch source {
        case .file(let path): path.description
        case .credential(let name): "credential:\(name)"
        }
    }

    private static func text(of identity: PINIdentity) -> [UInt8] {
        JSONValue.object(members(of: identity)).canonical()
    }

    /// As texts: inode numbers do not fit into what JSON's numbers hold exactly (RFC 8259, 6).
    private static func members(of identity: PINIdentity) -> [(String, JSONValue)] {
        [
            ("path", .string(text(of: identity.source))),
            ("device", .string(String(identity.device))),
            ("inode", .string(String(identity.inode))),
            ("size", .string(String(identity.size))),
            ("modified", .string(text(of: identity.modified))),
            ("changed", .string(text(of: identity.changed))),
        ]
    }

    private static func text(of time: FileTime) -> String {
        "\(time.seconds)s \(time.nanoseconds)ns"
    }
}
