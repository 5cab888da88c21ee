import Foundation
import LinuxIO
import StrictJSON
import TestSupport
import Testing

@Suite("grona-sign, killed and in parallel")
struct SignCrashTests {
    private let setting: SignSetting

    init() throws {
        setting = try SignSetting()
    }

    @Test("killed before any call that writes, the same act passes again, and the log is whole")
    func kill() throws {
        let served = try setting.config(1)
        let saved = setting.path("saved-state")
        try FileManager.default.copyItem(atPath: setting.path("state"), toPath: saved)
        let output = setting.path("off.json")
        let words =
            [setting.program] + [
                "--keys", setting.path("keys"), "--state", setting.path("state"), "--campaigns",
                setting.path("campaigns"), "renew", served, "--disable", "weekend-offer", "-o",
                output, "--force",
            ]
        let kills = try KillPoints.run(words) {
            try? FileManager.default.removeItem(atPath: output)
            try FileManager.default.removeItem(atPath: setting.path("state"))
            try FileManager.default.copyItem(atPath: saved, toPath: setting.path("state"))
        } after: { call in
            // What is there is whole: a file that appeared verifies.
            if FileManager.default.fileExists(atPath: output) {
                #expect(try setting.run(["verify", output]).isSuccess, "\(call)")
            }
            let again = try Program.run(words)
            #expect(again.isSuccess, "\(call): \(again.errors)")
            #expect(try setting.run(["verify", output]).isSuccess, "\(call)")
            let report = try setting.run(["audit", "verify", "--workspace", "acme-market"])
            #expect(report.isSuccess, "\(call): \(report.output)")
        }
        guard let kills else { return }
        print("renew --disable: \(kills) kills")
        #expect(kills > 5)
    }

    @Test("processes that sign at once never sign two payloads for one version")
    func parallel() throws {
        var processes: [(Process, String)] = []
        for index in 0..<6 {
            let folder = "campaigns-\(index)/acme-market"
            try setting.folder.folder(folder)
            for name in ["workspace.json", "news.json"] {
                let text = String(
                    decoding: try readFile(
                        FilePath(setting.path("campaigns/acme-market/\(name)")), limit: 1 << 16),
                    as: UTF8.self)
                try setting.folder.write(
                    "\(folder)/\(name)",
                    text.replacingOccurrences(of: #""home""#, with: #""home-\#(index)""#))
            }
            let process = Process()
            process.executableURL = URL(fileURLWithPath: setting.program)
            let output = setting.path("parallel-\(index).json")
            process.arguments = [
                "config", setting.path(folder), "--version", "1", "-o", output,
            ]
            process.environment = setting.environment()
            process.standardError = FileHandle.nullDevice
            processes.append((process, output))
        }
        for (process, _) in processes { try process.run() }
        for (process, _) in processes { process.waitUntilExit() }
        let done = processes.filter { $0.0.terminationStatus == 0 }
        #expect(done.count == 1)
        #expect(
            processes.filter { FileManager.default.fileExists(atPath: $0.1) }.count == 1)
        #expect(
            processes.allSatisfy { $0.0.terminationStatus == 0 || $0.0.terminationStatus == 65 })
    }
}
