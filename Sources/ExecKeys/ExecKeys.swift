package import ES256
package import GronaFormats
package import LinuxIO
package import SigningKeys
import Synchronization

/// Keys behind a program that answers one JSON line a request: `exec:/PATH`.
///
/// One process a program and run: it is started with the first request, and asked for every key and
/// every signature of the run, one at a time. It gets no arguments and no shell, works in `/`, and
/// has this process's environment. A program that once broke the protocol, ended or was silent is
/// not asked again; each later request fails in the same way.
package final class ExecKeys: KeyBackEnd {
    private let owners: TrustedOwners
    private let timeout: DurationSeconds
    private let sessions = Mutex<[FilePath: ExecSession]>([:])

    /// - Parameter timeout: how long one answer may take, the start of the program included.
    package init(owners: TrustedOwners, timeout: DurationSeconds) {
        self.owners = owners
        self.timeout = timeout
    }

    package var schemes: Set<SignerScheme> { [.exec] }

    package func open(
        _ signer: SignerURI, kid: KeyID, expecting expected: P256PublicKey?
    ) throws(SigningKeyError) -> any SigningKey {
        guard case .exec(let path) = signer else { throw .unsupportedScheme(signer.scheme) }
        return try ExecKey(kid: kid, session: session(FilePath(path)))
    }

    /// The protocol has no request for it: a key service has its own way to make keys.
    package func generate(
        _ signer: SignerURI, kid: KeyID
    ) throws(SigningKeyError) -> any SigningKey {
        throw .cannotGenerate(signer.scheme)
    }

    /// Ends the programs: their input is closed, and who does not end by that is ended.
    package func shutDown() {
        for session in sessions.withLock({ Array($0.values) }) { session.close() }
    }

    private func session(_ path: FilePath) throws(SigningKeyError) -> ExecSession {
        let known = sessions.withLock { $0[path] }
        if let known { return known }
        let program = try trusted(path)
        return sessions.withLock { sessions in
            if let known = sessions[path] { return known }
            let session = ExecSession(program, timeout: timeout)
            sessions[path] = session
            return session
        }
    }

    /// The program's path without links, which nobody else may change.
    private func trusted(_ path: FilePath) throws(SigningKeyError) -> FilePath {
        let found: TrustedOwnership
        let kind: FileKind
        do {
            found = try TrustedOwnership.check(path, trusting: owners)
            kind = try FileSystem.status(of: found.resolved).kind
        } catch {
            throw .program(ExecSignerError(path, .cannotStart(error.number)))
        }
        // A device or a pipe is no program, and who may write to it does not matter.
        guard kind == .regular else {
            throw .program(ExecSignerError(path, .cannotStart(.noPermission)))
        }
        if let violation = found.violation {
            throw .program(ExecSignerError(path, .changeable(violation)))
        }
        return found.resolved
    }
}
