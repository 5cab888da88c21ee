import Foundation
package import LinuxIO

/// Running programs from tests.
package enum Program {
    /// What a program left.
    package struct Answer: Sendable {
        package let exit: ChildExit
        package let output: String
        package let errors: String

        package var isSuccess: Bool { exit == .exited(0) }
    }

    /// Whether the tests run as root, as they do where they are run for every change.
    package static var isRoot: Bool { UserIdentity.current().userID == 0 }

    /// A user without rights, for what must be refused.
    package static let nobody: UInt32 = 65_534

    /// The folder of the built programs, beside the tests.
    package static let folder = (FileSystem.ownProgram() ?? "/").parent

    /// Runs a program to its end, at most a minute.
    package static func run(
        _ words: [String], input: [UInt8] = [], environment: [String: String]? = nil,
        asUser user: UInt32? = nil
    ) throws -> Answer {
        var words = words
        if let user {
            words =
                ["setpriv", "--reuid", "\(user)", "--regid", "\(user)", "--clear-groups"] + words
        }
        let entries = environment.map { $0.map { [UInt8]("\($0)=\($1)".utf8) } }
        let result = try ChildProcess.run(
            ChildProcess.Command(words.map { FilePath($0) }, environment: entries),
            input: input, outputLimit: 64 << 20,
            deadline: SystemClock.deadline(after: 60_000_000_000))
        return Answer(
            exit: result.exit, output: String(decoding: result.output, as: UTF8.self),
            errors: String(decoding: result.errorOutput, as: UTF8.self))
    }

    /// Whether a program is in `PATH`.
    package static func exists(_ name: String) -> Bool {
        (Environment.value("PATH") ?? "").split(separator: ":").contains {
            FileSystem.isExecutable(FilePath(String($0)).appending(name))
        }
    }

    /// The test helper's path: a copy of it in a place where any user may run it.
    package static func helper() throws -> String {
        try helperCopy.get().description
    }

    private static let helperCopy: Result<FilePath, any Error> = Result {
        let copy = FilePath("/tmp/grona-test-helper-\(UserIdentity.processID)")
        _ = try? FileSystem.removeFile(copy)
        try FileManager.default.copyItem(
            atPath: folder.appending("TestHelper").description, toPath: copy.description)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: copy.description)
        atexit {
            let copy = "/tmp/grona-test-helper-\(UserIdentity.processID)"
            _ = unsafe unlink(copy)
        }
        return copy
    }
}
