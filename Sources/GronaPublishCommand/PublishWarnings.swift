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
    /// Whether this run is what the warnings would tell to do.
    var isRecovering = false
    /// Why the run was stopped.
    private(set) var stop: Failure?

    init(_ context: CommandContext, store: String) {
        self.context = context
        self.store = store
    }

    /// Tells alarms and other warnings; answers the code of one that is an error here.
    func heed(_ alarms: [Alarm], _ others: [Diagnostic] = []) -> String? {
        let news = alarms.filter { told.insert($0).inserted }
        let all = words(news) + others
        for warning in all where stop == nil {
            do throws(Failure) { try context.warn(warning) } catch { stop = error }
        }
        return stop?.reason.code
    }

    /// Tells the alarms that came up later; what is done is done.
    func tellRest(_ alarms: [Alarm]) {
        let news = alarms.filter { told.insert($0).inserted }
        for alarm in words(news) { context.console.report(alarm) }
    }

    private func words(_ alarms: [Alarm]) -> [Diagnostic] {
        AlarmWording.diagnostics(alarms, file: store).map { warning in
            guard isRecovering, warning.code.utf8.starts(with: "served.".utf8) else {
                return warning
            }
            var warning = warning
            warning.help = nil
            return warning
        }
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
