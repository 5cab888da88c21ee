import Foundation
import LinuxIO
import Synchronization

/// A TPM simulator with a token on it (tpm2-pkcs11). It locks for real after wrong PINs.
package final class SoftwareTPM: Sendable {
    package static let module =
        ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"]
        .map { "\($0)/pkcs11/libtpm2_pkcs11.so" }
        .first { FileManager.default.fileExists(atPath: $0) } ?? "libtpm2_pkcs11.so is missing"

    /// Why there are none here; `nil` where there are.
    package static let missing: String? = reason {
        _ = try SoftwareTPM()
    }

    package let folder: TestFolder
    package let access: TokenAccess
    /// Of the simulator; the next one controls it.
    private let port: Int
    private let simulator = Mutex<BackgroundProgram?>(nil)

    package init() throws {
        folder = try TestFolder()
        try folder.folder("state", permissions: 0o700)
        try folder.folder("store", permissions: 0o700)
        port = Int.random(in: 10_000..<16_000) * 2
        let address = "swtpm:host=127.0.0.1,port=\(port)"
        access = TokenAccess(
            module: Self.module, initString: nil, label: "grona", pin: TokenAccess.usualPIN,
            pinFile: try folder.write("pin", "\(TokenAccess.usualPIN)\n", permissions: 0o600),
            environment: [
                "TPM2_PKCS11_TCTI": address, "TPM2TOOLS_TCTI": address,
                "TPM2_PKCS11_STORE": folder.file("store").description, "TSS2_LOG": "all+NONE",
            ])
        try start()
        let tool = ["pkcs11-tool", "--module", Self.module]
        try run(
            tool + [
                "--slot-index", "0", "--init-token", "--label", "grona", "--so-pin", "87654321",
            ]
        )
        try run(
            tool + [
                "--token-label", "grona", "--login", "--login-type", "so", "--so-pin", "87654321",
                "--init-pin", "--pin", TokenAccess.usualPIN,
            ])
    }

    /// Switches it on; what it knows has stayed.
    package func start() throws {
        let log = folder.file("swtpm.log").description
        let program = try BackgroundProgram(
            [
                "swtpm", "socket", "--tpm2", "--tpmstate", "dir=\(folder.file("state"))",
                "--server", "type=tcp,port=\(port),bindaddr=127.0.0.1", "--ctrl",
                "type=tcp,port=\(port + 1),bindaddr=127.0.0.1", "--flags",
                "not-need-init,startup-clear", "--pid", "file=\(folder.file("pid"))",
            ],
            environment: [:], log: log)
        // It writes this file when it listens.
        for _ in 0..<100 where program.isRunning {
            if FileManager.default.fileExists(atPath: folder.file("pid").description) {
                simulator.withLock { $0 = program }
                return
            }
            Thread.sleep(forTimeInterval: 0.05)
        }
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        throw TokenAccess.Failure(reason: "swtpm does not start: \(text)")
    }

    package func stop() {
        simulator.withLock {
            $0?.end()
            $0 = nil
        }
        try? FileManager.default.removeItem(atPath: folder.file("pid").description)
    }

    /// Forgets the wrong PINs.
    package func unlock() throws {
        try run(["tpm2_dictionarylockout", "--clear-lockout"])
    }

    private func run(_ words: [String]) throws {
        let environment = ["PATH": "/usr/bin:/bin"].merging(access.environment) { _, new in new }
        let answer = try Program.run(["/usr/bin/env"] + words, environment: environment)
        guard answer.isSuccess else { throw TokenAccess.Failure(reason: answer.errors) }
    }
}
