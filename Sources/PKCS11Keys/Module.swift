import LinuxIO
import SigningKeys
import Synchronization

/// A PKCS#11 module in this process: one thread calls it, with a deadline for each piece of work,
/// and it is never unloaded.
final class Module: Sendable {
    /// As the URI names it, for messages.
    let path: FilePath
    private let resolved: FilePath
    private let initString: [UInt8]?
    private let loading: @Sendable () -> Void
    private let thread: SerialThread
    private let mark = CallMark()
    private let process = UserIdentity.processID
    private let driver = Mutex<ModuleDriver?>(nil)
    /// The call that did not come back, for all that is asked afterwards.
    private let stuck = Mutex<TokenProblem?>(nil)

    /// - Parameter loading: is called before the module's code is loaded, and after.
    init(
        path: FilePath, resolved: FilePath, initString: [UInt8]?,
        loading: @escaping @Sendable () -> Void
    ) throws(TokenProblem) {
        self.loading = loading
        self.path = path
        self.resolved = resolved
        self.initString = initString
        do throws(SystemError) {
            thread = try SerialThread()
        } catch {
            throw .noThread(error)
        }
    }

    func takes(initString other: [UInt8]?) -> Bool { initString == other }

    /// Whether each call came back so far.
    var isHealthy: Bool { thread.isUsable }

    /// Runs calls on the module's thread; loads it first where it is not.
    ///
    /// - Parameter seconds: how long all of it may take. What does not come back is left behind,
    ///   and nothing is asked of the module afterwards.
    func run<Answer: Sendable>(
        within seconds: UInt64, for token: TokenName? = nil,
        _ work: @escaping @Sendable (ModuleDriver, UInt64) throws(TokenProblem) -> Answer
    ) throws(TokenError) -> Answer {
        guard UserIdentity.processID == process else { throw TokenError(.forked, module: path) }
        let deadline = SystemClock.deadline(after: seconds * 1_000_000_000)
        let answer = thread.run(until: deadline) { [self] in
            Result<Answer, TokenProblem> { () throws(TokenProblem) in
                try work(try loaded(), deadline)
            }
        }
        switch answer {
        case .success(let answer): return answer
        case .failure(let problem): throw TokenError(problem, module: path, token: token)
        case nil:
            let problem = stuck.withLock { stuck in
                let told = stuck ?? .noAnswer(function: mark.current.name, seconds: Int(seconds))
                stuck = told
                return told
            }
            throw TokenError(problem, module: path, token: token)
        }
    }

    /// The orderly end; `false` where the module hangs, so that its exit handlers may, too.
    func shutDown(within seconds: UInt64) -> Bool {
        guard UserIdentity.processID == process else { return true }
        guard isHealthy else { return false }
        let deadline = SystemClock.deadline(after: seconds * 1_000_000_000)
        return thread.run(until: deadline) { [self] in
            driver.withLock { $0 }?.shutDown()
        } != nil
    }

    private func loaded() throws(TokenProblem) -> ModuleDriver {
        if let driver = driver.withLock({ $0 }) { return driver }
        loading()
        defer { loading() }
        let library: DynamicLibrary
        do throws(DynamicLibrary.Failure) {
            library = try DynamicLibrary(resolved)
        } catch {
            throw .notLoadable(error.words)
        }
        let made = ModuleDriver(try Cryptoki(library, mark: mark), initString: initString)
        driver.withLock { $0 = made }
        return made
    }
}
