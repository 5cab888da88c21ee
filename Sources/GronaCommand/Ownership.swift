package import CommandLineKit
import GronaFormats
package import LinuxIO

/// Who may change the files that a command believes.
package enum Ownership {
    /// The owners that are trusted: root, the user, and those of `GRONA_TRUST_UID`.
    ///
    /// - Throws: `settings.value`, status 78, where the variable is no list of numbers.
    package static func trustedOwners() throws(Failure) -> TrustedOwners {
        do {
            return try TrustedOwners.current()
        } catch {
            switch error {
            case .malformed(let entry):
                throw Failure(
                    Diagnostic(
                        code: "settings.value",
                        message: "GRONA_TRUST_UID has '\(String(decoding: entry, as: UTF8.self))',"
                            + " which is no number of a user",
                        exit: .configuration))
            }
        }
    }

    /// What is wrong with a path or a folder above it, nil when nothing is; `unsafe.owner`.
    ///
    /// - Parameter mayBeMissing: judges what is there of the path.
    package static func problem(
        with path: FilePath, mayBeMissing: Bool = false
    ) throws(Failure) -> Diagnostic? {
        let owners = try trustedOwners()
        do {
            let found =
                mayBeMissing
                ? try TrustedOwnership.checkExistingPart(of: path, trusting: owners)
                : try TrustedOwnership.check(path, trusting: owners)
            return found.violation.map { diagnostic($0, of: path) }
        } catch {
            throw Failure(reading: .system(error))
        }
    }

    /// Refuses a path that others may change: for commands that sign, print pins or change keys.
    package static func require(
        _ path: FilePath, mayBeMissing: Bool = false
    ) throws(Failure) {
        if let problem = try problem(with: path, mayBeMissing: mayBeMissing) {
            throw Failure(problem)
        }
    }

    /// Warns about a path that others may change: for all other commands.
    package static func warn(
        about path: FilePath, mayBeMissing: Bool = false, on console: Console
    ) throws(Failure) {
        guard var problem = try problem(with: path, mayBeMissing: mayBeMissing) else { return }
        problem.severity = .warning
        console.report(problem)
    }

    /// The words for a component that others may change, of a path that was asked for.
    package static func diagnostic(
        _ violation: TrustedOwnership.Violation, of path: FilePath
    ) -> Diagnostic {
        let component = violation.component.description
        let (message, help): (String, String) =
            switch violation.reason {
            case .foreignOwner:
                (
                    "it belongs to user \(violation.status.owner), who is not trusted",
                    "chown it, or name the user in GRONA_TRUST_UID"
                )
            case .writableByOthers:
                ("others than its owner may write to it", help(violation, component))
            }
        return Diagnostic(
            code: RuleCode.unsafeOwner.rawValue,
            message: violation.component == path || component.hasSuffix(path.description)
                ? message : "\(message); it holds \(path)",
            file: component, help: help, exit: .configuration)
    }

    /// What is shared on purpose, a device or a folder such as `/tmp`, is not to be closed.
    private static func help(
        _ violation: TrustedOwnership.Violation, _ component: String
    ) -> String {
        switch violation.status.kind {
        case .folder where violation.status.permissions & 0o1000 != 0:
            "it is a folder for all: take one of your own below it"
        case .folder, .regular: "chmod go-w '\(component)'"
        default: "name a file or folder of your own"
        }
    }
}
