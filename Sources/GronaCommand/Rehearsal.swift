import CommandLineKit

/// A rehearsal: the whole way with another time, with keys and stores made for it.
enum Rehearsal {
    static let variable = "GRONA_REHEARSAL"

    /// Whether the variable is `1`; `0` and nothing are off.
    ///
    /// - Throws: `rehearsal.value`, status 78, for anything else: who sets it to `true` must not
    ///   sign for real.
    static func isOn(_ environment: EnvironmentValues) throws(Failure) -> Bool {
        switch environment[variable] {
        case nil, "0": return false
        case "1": return true
        case let other?:
            throw Failure(
                Diagnostic(
                    code: "rehearsal.value", message: "\(variable) is '\(other)', not 1",
                    help: "set it to 1 for a rehearsal, or unset it", exit: .configuration))
        }
    }
}
