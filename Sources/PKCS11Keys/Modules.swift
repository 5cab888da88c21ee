import LinuxIO
import SigningKeys
import Synchronization

/// The modules of this process, each once: by what its path leads to.
package final class Modules: Sendable {
    /// Modules belong to the process, so there is one of this in a program; tests make others.
    package static let ofProcess = Modules()

    private let known = Mutex<[FilePath: Module]>([:])

    package init() {}

    /// The module of a URI, checked for who may change it before its code is loaded.
    func module(
        of uri: PKCS11URI, trusting owners: TrustedOwners,
        _ loading: @escaping @Sendable () -> Void
    ) throws(TokenError) -> Module {
        let ownership: TrustedOwnership
        do throws(SystemError) {
            ownership = try TrustedOwnership.check(uri.module, trusting: owners)
            let kind = try FileSystem.status(of: ownership.resolved, links: .refuse).kind
            guard kind == .regular else {
                throw SystemError(
                    operation: "open", path: uri.module,
                    errno: (kind == .folder ? ErrorNumber.isFolder : .notExecutable).rawValue)
            }
        } catch {
            throw TokenError(.moduleUnreadable(error), module: uri.module)
        }
        if let violation = ownership.violation {
            throw TokenError(.unsafeModule(violation), module: uri.module)
        }
        let made = known.withLock { known -> Result<Module, TokenProblem> in
            if let module = known[ownership.resolved] { return .success(module) }
            return Result { () throws(TokenProblem) in
                let module = try Module(
                    path: uri.module, resolved: ownership.resolved, initString: uri.initString,
                    loading: loading)
                known[ownership.resolved] = module
                return module
            }
        }
        do throws(TokenProblem) {
            let module = try made.get()
            guard module.takes(initString: uri.initString) else { throw .otherInitString }
            return module
        } catch {
            throw TokenError(error, module: uri.module)
        }
    }

    /// Logs out, closes and ends all of them, before the process exits: handlers that run at its
    /// exit find nothing open.
    ///
    /// Their threads stay and wait: a thread that ends while the handlers of libcrypto and of the
    /// module's libraries run tears down what they tear down.
    ///
    /// - Returns: `false` where a module hangs.
    @discardableResult
    package func shutDown() -> Bool {
        let modules = known.withLock { Array($0.values) }
        return modules.reduce(true) { $1.shutDown(within: Self.endTime) && $0 }
    }

    /// Whether no module's code is in the process.
    package var isEmpty: Bool { known.withLock { $0.isEmpty } }

    /// In seconds.
    private static let endTime: UInt64 = 5
}
