import CommandLineKit
import GronaCommand
import GronaFormats
import PublishProtocol
import Publishing

/// Tells each warning of a run once; under `--strict` the first one stops the run before it has
/// changed anything.
final class PublishWarnings {
    private let context: CommandContext
    private let store: String
    private var told: Set<Alarm> = []
    /// Why the run was stopped.
    private(set) var stop: Failure?

    init(_ context: CommandContext, store: String) {
        self.context = context
        self.store = store
    }

    /// Tells alarms and other warnings; answers the code of one that is an error here.
    func heed(_ alarms: [Alarm], _ others: [Diagnostic] = []) -> String? {
        let news = alarms.filter { told.insert($0).inserted }
        let all = AlarmWording.diagnostics(news, file: store) + others
        for warning in all where stop == nil {
            do throws(Failure) { try context.warn(warning) } catch { stop = error }
        }
        return stop?.reason.code
    }

    /// Tells the alarms that came up later; what is done is done.
    func tellRest(_ alarms: [Alarm]) {
        let news = alarms.filter { told.insert($0).inserted }
        for alarm in AlarmWording.diagnostics(news, file: store) { context.console.report(alarm) }
    }
}

extension CommandContext {
    /// Ends a run that changed something: where the answer cannot be written, the error still says
    /// what was done.
    func deliver(done: String) throws(Failure) {
        do { try console.flush() } catch {
            var failure = error
            failure.reason.message += "; \(done)"
            throw failure
        }
    }
}
