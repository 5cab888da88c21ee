import CommandLineKit
import LinuxIO

/// Finds and reads the settings file; one that others could have written is left out.
struct SettingsFileLookup {
    private static let sizeLimit = 64 << 10

    let call: Invocation

    init(_ call: Invocation) {
        self.call = call
    }

    /// The settings file, nil where there is none or it is unsafe (which is told as a warning).
    func file() throws(Failure) -> SettingsFile? {
        let home = call.environment["HOME"].map { FilePath($0) }
        guard let path = SettingsSearch(name: SharedSettings.fileName, home: home).run() else {
            return nil
        }
        if var problem = try Ownership.problem(with: path) {
            problem.severity = .warning
            problem.message += "; the settings in it are left out"
            call.console.report(problem)
            return nil
        }
        let bytes: [UInt8]
        do {
            bytes = try readFile(path, limit: Self.sizeLimit)
        } catch {
            throw Failure(reading: error, exit: .configuration)
        }
        return try SettingsFile(bytes, path: path)
    }
}
