import Foundation
import LinuxIO

/// The software token of NSS, over a database in a folder of its own.
package final class NSSToken: Sendable {
    package static let module =
        ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"]
        .map { "\($0)/libsoftokn3.so" }
        .first { FileManager.default.fileExists(atPath: $0) } ?? "libsoftokn3.so is missing"

    package let folder: TestFolder
    package let access: TokenAccess

    /// - Parameter pin: empty for a token that wants no login.
    package init(pin: String = TokenAccess.usualPIN) throws {
        folder = try TestFolder()
        try folder.folder("db", permissions: 0o700)
        let pinFile = try folder.write("pin", "\(pin)\n", permissions: 0o600)
        let password = pin.isEmpty ? ["--empty-password"] : ["-f", pinFile.description]
        let database = "sql:\(folder.file("db"))"
        let answer = try Program.run(
            ["/usr/bin/env", "certutil", "-N", "-d", database] + password)
        guard answer.isSuccess else { throw TokenAccess.Failure(reason: answer.errors) }
        access = TokenAccess(
            module: Self.module,
            initString: "configdir='\(database)' certPrefix='' keyPrefix='' secmod='secmod.db'",
            label: "NSS Certificate DB", pin: pin, pinFile: pinFile, environment: [:])
    }
}
