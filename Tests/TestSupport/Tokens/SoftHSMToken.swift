import Foundation
import LinuxIO

/// A token of SoftHSM in a folder of its own.
package final class SoftHSMToken: Sendable {
    package static let module = "/usr/lib/softhsm/libsofthsm2.so"

    /// OpenSC's module that writes down each call and hands it on.
    package static let spy =
        ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"]
        .map { "\($0)/pkcs11/pkcs11-spy.so" }
        .first { FileManager.default.fileExists(atPath: $0) } ?? "pkcs11-spy.so is missing"

    package let folder: TestFolder
    package let access: TokenAccess

    package init(label: String = "grona", pin: String = TokenAccess.usualPIN) throws {
        folder = try TestFolder()
        try folder.folder("tokens", permissions: 0o700)
        try folder.write(
            "softhsm2.conf",
            """
            directories.tokendir = \(folder.file("tokens"))
            objectstore.backend = file
            log.level = ERROR
            slots.removable = false
            library.reset_on_fork = true

            """)
        access = TokenAccess(
            module: Self.module, initString: nil, label: label, pin: pin,
            pinFile: try folder.write("pin", "\(pin)\n", permissions: 0o600),
            environment: ["SOFTHSM2_CONF": folder.file("softhsm2.conf").description])
        try addToken(label: label, pin: pin)
    }

    /// Makes a further token, maybe with a label that is there already.
    package func addToken(label: String, pin: String) throws {
        try run([
            "softhsm2-util", "--init-token", "--free", "--label", label, "--so-pin", "12345678",
            "--pin", pin,
        ])
    }

    /// Puts a private key in PKCS#8 on the token.
    ///
    /// - Parameter id: hexadecimal digits.
    package func importKey(_ file: String, object: String, id: String) throws {
        try run([
            "softhsm2-util", "--import", file, "--token", access.label, "--label", object, "--id",
            id, "--pin", access.pin,
        ])
    }

    /// The token is gone, as when an appliance is switched off.
    package func takeAway() throws {
        try FileManager.default.moveItem(
            atPath: folder.file("tokens").description, toPath: folder.file("away").description)
    }

    package func bringBack() throws {
        try FileManager.default.moveItem(
            atPath: folder.file("away").description, toPath: folder.file("tokens").description)
    }

    private func run(_ words: [String]) throws {
        let environment = ["PATH": "/usr/bin:/bin"].merging(access.environment) { _, new in new }
        let answer = try Program.run(["/usr/bin/env"] + words, environment: environment)
        guard answer.isSuccess else { throw TokenAccess.Failure(reason: answer.errors) }
    }
}
