import Foundation
package import LinuxIO

/// What the tests build out of C: the misbehaving PKCS#11 module and a tool that makes keys on any
/// token.
package enum NativeTools {
    package struct Failure: Error {
        package let reason: String
    }

    /// The module, to be copied: what it is told and what it records is beside it.
    package static func misbehavingModule() throws -> FilePath {
        try built.get().appending("misbehaving.so")
    }

    /// See `token.c`.
    package static func tokenTool() throws -> FilePath {
        try built.get().appending("token")
    }

    private static let sources = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("MisbehavingModule").path

    private static let path = FilePath("/tmp/grona-test-native-\(UserIdentity.processID)")

    private static let built: Result<FilePath, any Error> = Result {
        try? FileManager.default.removeItem(atPath: path.description)
        try FileSystem.createFolder(path, permissions: 0o755)
        atexit {
            try? FileManager.default.removeItem(
                atPath: "/tmp/grona-test-native-\(UserIdentity.processID)")
        }
        let compiler = Program.exists("clang") ? "clang" : "cc"
        let common = [
            compiler, "-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror",
            "-I/usr/include/p11-kit-1",
        ]
        let module = ["module.c", "control.c", "keys.c", "attributes.c"].map { "\(sources)/\($0)" }
        try compile(
            common + ["-fPIC", "-shared", "-o", "\(path)/misbehaving.so"] + module + ["-lcrypto"])
        try compile(common + ["-o", "\(path)/token", "\(sources)/token.c", "-ldl"])
        return path
    }

    private static func compile(_ words: [String]) throws {
        let answer = try Program.run(["/usr/bin/env"] + words)
        guard answer.isSuccess else { throw Failure(reason: answer.errors) }
    }
}
