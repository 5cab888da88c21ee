import Foundation
import LinuxIO
import Synchronization

/// A SoftHSM token that lives in another process, behind `p11-kit server`.
package final class P11KitServer: Sendable {
    package static let module =
        ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"]
        .map { "\($0)/pkcs11/p11-kit-client.so" }
        .first { FileManager.default.fileExists(atPath: $0) } ?? "p11-kit-client.so is missing"

    /// Why there are none here; `nil` where there are.
    package static let missing: String? = reason {
        _ = try P11KitServer()
    }

    package let token: SoftHSMToken
    package let access: TokenAccess
    private let socket: String
    private let server = Mutex<BackgroundProgram?>(nil)

    package init() throws {
        token = try SoftHSMToken()
        try token.folder.folder("run", permissions: 0o700)
        socket = token.folder.file("run/pkcs11").description
        var access = token.access
        access.module = Self.module
        access.environment = [
            "P11_KIT_SERVER_ADDRESS": "unix:path=\(socket)",
            "XDG_RUNTIME_DIR": token.folder.file("run").description,
        ]
        self.access = access
        try start()
    }

    /// Starts it, again maybe, and waits until it listens.
    package func start() throws {
        let log = token.folder.file("server.log").description
        try? FileManager.default.removeItem(atPath: socket)
        let program = try BackgroundProgram(
            [
                "p11-kit", "server", "--foreground", "--name", socket, "--provider",
                SoftHSMToken.module, "pkcs11:token=\(token.access.label)",
            ],
            environment: token.access.environment, log: log)
        for _ in 0..<100 where program.isRunning {
            if FileManager.default.fileExists(atPath: socket) {
                server.withLock { $0 = program }
                return
            }
            Thread.sleep(forTimeInterval: 0.05)
        }
        let text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        throw TokenAccess.Failure(reason: "p11-kit server does not start: \(text)")
    }

    /// Ends it; who is connected stays so.
    package func stop() {
        server.withLock {
            $0?.end()
            $0 = nil
        }
    }
}

/// Why a part of a test cannot be made here.
func reason(_ make: () throws -> Void) -> String? {
    do {
        try make()
        return nil
    } catch let error as TokenAccess.Failure {
        return error.reason
    } catch {
        return "\(error)"
    }
}
