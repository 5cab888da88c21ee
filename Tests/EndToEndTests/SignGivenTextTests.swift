import Foundation
import LinuxIO
import StrictJSON
import TestSupport
import Testing

/// What a caller gives by name or as text: none of it may spoil a log, or be passed over.
@Suite("grona-sign, names and texts that were given")
struct SignGivenTextTests {
    private let setting: SignSetting
    private let served: String

    init() throws {
        setting = try SignSetting()
        served = try setting.config(1)
    }

    private func grant(_ subject: String) -> [String] {
        ["grant", served, "--campaign", "weekend-offer", "--variant", "B", "--sub", subject]
    }

    @Test(
        "a customer id with a noncharacter is refused before anything is recorded",
        arguments: ["\u{FFFF}", "a\u{FFFE}", "\u{1FFFE}b", "\u{10FFFF}"])
    func subject(subject: String) throws {
        let lines = try setting.auditLines()
        expectRefusal(try setting.run(grant(subject)), 65, "grant.subject")
        #expect(try setting.auditLines() == lines)
    }

    @Test("its neighbours are taken", arguments: ["\u{FFFD}", "\u{10FFFD}"])
    func neighbours(subject: String) throws {
        let answer = try setting.run(grant(subject))
        #expect(answer.isSuccess, "\(answer.errors)")
    }

    @Test("a reason or a signer with a noncharacter never reaches the log or the keyring")
    func noncharacters() throws {
        let lines = try setting.auditLines()
        expectRefusal(
            try setting.run(["audit", "withdraw", "acme-market", "1", "--reason", "x\u{FFFF}"]),
            64, "usage.value")
        expectRefusal(
            try setting.run([
                "keys", "generate", "--workspace", "acme-market", "--use", "config", "--kid", "c9",
                "--signer", "file:a\u{FFFF}.pem",
            ]), 64, "usage.value")
        #expect(try setting.auditLines() == lines)
    }

    @Test(
        "a folder of another workspace than --workspace names is refused; its own is taken",
        arguments: [
            ["config", "--version", "9"], ["bundle", "--dry-run"],
            ["grant", "--campaign", "weekend-offer", "--variant", "B", "--sub", "c"],
            ["preview", "--campaign", "weekend-offer", "--variant", "B"],
        ])
    func workspace(words: [String]) throws {
        let (verb, rest) = (words.prefix(1), words.dropFirst())
        func run(_ workspace: String) throws -> Program.Answer {
            try setting.run(verb + [setting.campaigns, "--workspace", workspace] + rest)
        }
        let lines = try setting.auditLines()
        expectRefusal(try run("other"), 64, "usage.workspace")
        #expect(try setting.auditLines() == lines)
        // A bundle of a workspace with a config URL is refused later, for what it is.
        let answer = try run("acme-market")
        #expect(answer.isSuccess || answer.errors.contains("[bundle.source]"), "\(answer.errors)")
    }

    @Test(
        "a result that has nowhere to go is an error, whatever the command",
        arguments: [
            "config \"$DIR/campaigns/acme-market\" --version 2 --dry-run", "check", "settings",
            "help",
            "inspect \"$DIR/version-1.json\"", "verify \"$DIR/version-1.json\"", "--version",
            "man", "completions bash", "renew \"$DIR/version-1.json\"",
            "restore \"$DIR/version-1.json\" --served \"$DIR/version-1.json\"",
            "bundle \"$DIR/version-1.json\"", "keys list --workspace acme-market",
            "keys show acme-market-2026-10 --workspace acme-market",
            "keys pins --workspace acme-market", "keys check --workspace acme-market",
            "audit show", "audit verify",
            "grant \"$DIR/version-1.json\" --campaign weekend-offer --variant B --sub c",
            "preview \"$DIR/version-1.json\" --campaign weekend-offer --variant B",
        ])
    func closedOutput(words: String) throws {
        let closed = try setting.shell("\"$SIGN\" \(words) >&-")
        #expect(closed.exit == .exited(74), "\(closed.errors)")
        #expect(closed.errors.contains("error[output."), "\(closed.errors)")
        let open = try setting.shell("\"$SIGN\" \(words)")
        #expect(open.isSuccess, "\(open.errors)")
    }

    @Test("a batch without standard input has no requests; one without output fails")
    func closedBatch() throws {
        for verb in ["renew", "restore", "bundle"] {
            let answer = try setting.shell("\"$SIGN\" \(verb) --batch <&-")
            #expect(answer.isSuccess && answer.output == "", "\(answer.errors)")
        }
        let lost = try setting.shell("echo x | \"$SIGN\" renew --batch >&-")
        #expect(lost.exit == .exited(74), "\(lost.errors)")
    }
}
