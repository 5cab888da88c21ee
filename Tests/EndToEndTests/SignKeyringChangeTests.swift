import Foundation
import LinuxIO
import StrictJSON
import TestSupport
import Testing

@Suite("grona-sign, changes of a keyring that are cut short or beside others")
struct SignKeyringChangeTests {
    private let setting: SignSetting

    init() throws {
        setting = try SignSetting()
    }

    private var generate: [String] {
        [
            "keys", "generate", "--workspace", "acme-market", "--use", "config", "--kid",
            "acme-market-2027-10", "--signer", "file:acme-market-2027-10.pem",
        ]
    }

    private var dryRun: [String] { ["config", setting.campaigns, "--version", "1", "--dry-run"] }

    @Test("wherever keys generate is killed, the next command signs")
    func killed() throws {
        for name in ["keys", "state"] {
            try FileManager.default.copyItem(
                atPath: setting.path(name), toPath: setting.path("saved-\(name)"))
        }
        let words =
            [
                "env", "GRONA_KEYS=\(setting.path("keys"))",
                "GRONA_STATE=\(setting.path("state"))", setting.program,
            ] + generate
        let kills = try KillPoints.run(words) {
            for name in ["keys", "state"] {
                try FileManager.default.removeItem(atPath: setting.path(name))
                try FileManager.default.copyItem(
                    atPath: setting.path("saved-\(name)"), toPath: setting.path(name))
            }
        } after: { call in
            let signed = try setting.run(dryRun)
            #expect(signed.isSuccess, "\(call): \(signed.errors)")
            let checked = try setting.run(["keys", "check", "--workspace", "acme-market"])
            #expect(checked.isSuccess, "\(call): \(checked.errors)")
        }
        guard let kills else { return }
        print("keys generate: \(kills) kills")
        #expect(kills > 5)
    }

    /// Puts the keyring back as it was before the change that was last recorded.
    private func cutShort(staged: Bool) throws {
        let keyring = setting.path("keys/acme-market/keyring.json")
        let before = try readFile(FilePath(keyring), limit: 1 << 20)
        try #require(try setting.run(generate).isSuccess)
        let after = try readFile(FilePath(keyring), limit: 1 << 20)
        try setting.folder.write(
            "keys/acme-market/keyring.json", before, permissions: 0o600)
        if staged {
            try setting.folder.write(
                "keys/acme-market/keyring.json.next", after, permissions: 0o600)
        }
    }

    @Test("a change that is on record and staged is finished, and told")
    func finished() throws {
        try cutShort(staged: true)
        let answer = try setting.run(dryRun)
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(answer.errors.contains("warning[keyring.finished]"))
        #expect(!setting.exists("keys/acme-market/keyring.json.next"))
        let list = try setting.run(["keys", "list", "--workspace", "acme-market"])
        #expect(list.output.contains("acme-market-2027-10"))
        #expect(!(try setting.run(dryRun)).errors.contains("keyring.finished"))
    }

    @Test("the command that was cut short can be repeated")
    func repeated() throws {
        try cutShort(staged: true)
        let answer = try setting.run(generate)
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(answer.output.contains("acme-market-2027-10 is generated"))
    }

    @Test("where nothing is staged a person decides, with the command that mends it")
    func notStaged() throws {
        try cutShort(staged: false)
        let answer = try setting.run(dryRun)
        expectRefusal(answer, 78, "keyring.changed")
        #expect(answer.errors.contains("did not reach the disk"))
        let digest = try #require(answer.errors.split(separator: "--accept ").last?.prefix(64))
        let accepted = try setting.run([
            "keys", "check", "--workspace", "acme-market", "--accept", String(digest),
        ])
        #expect(accepted.isSuccess, "\(accepted.errors)")
        #expect(try setting.run(dryRun).isSuccess)
    }

    @Test("what is staged and not on record is never written")
    func notRecorded() throws {
        try cutShort(staged: true)
        let next = setting.path("keys/acme-market/keyring.json.next")
        let bytes = try readFile(FilePath(next), limit: 1 << 20)
        try setting.folder.write(
            "keys/acme-market/keyring.json.next", bytes + [0x0A], permissions: 0o600)
        expectRefusal(try setting.run(dryRun), 78, "keyring.changed")
    }

    @Test("a dry run beside changes of the keyring never sees a changed one")
    func race() throws {
        let script = """
            for n in 1 2 3 4; do
              "$SIGN" keys generate --workspace acme-market --use config --kid k-$n \
                --signer file:k-$n.pem >/dev/null || exit 1 &
              for m in 1 2 3 4 5 6; do
                "$SIGN" config "$DIR/campaigns/acme-market" --version 1 -n >/dev/null || exit 1
              done
              wait
            done
            """
        let answer = try setting.shell(script)
        #expect(answer.isSuccess, "\(answer.errors)")
    }

    @Test("a rehearsal changes no keyring that signs for real, and may sign with its key files")
    func rehearsal() throws {
        let rehearsal = ["GRONA_REHEARSAL": "1"]
        let before = try readFile(
            FilePath(setting.path("keys/acme-market/keyring.json")), limit: 1 << 20)
        let digest = try #require(
            try setting.json(
                try setting.run(["keys", "check", "--workspace", "acme-market", "--json"])
            )["digest"]?.string)
        for words in [
            generate,
            ["keys", "check", "--workspace", "acme-market", "--accept", digest],
        ] {
            expectRefusal(
                try setting.run(words, environment: rehearsal), 78, "rehearsal.real")
        }
        let after = try readFile(
            FilePath(setting.path("keys/acme-market/keyring.json")), limit: 1 << 20)
        #expect(after == before)
        let signed = try setting.run(
            ["config", setting.campaigns, "--version", "1"], environment: rehearsal)
        #expect(signed.isSuccess, "\(signed.errors)")
        #expect(signed.errors.contains("real to every device that pins the key"))
        // A keyring that was made in a rehearsal can be changed there.
        try setting.writeCampaigns(workspace: "second-shop")
        for number in 1...2 {
            let made = try setting.run(
                [
                    "keys", "generate", "--workspace", "second-shop", "--use", "config", "--kid",
                    "second-\(number)", "--signer", "file:second-\(number).pem",
                ], environment: rehearsal)
            #expect(made.isSuccess, "\(made.errors)")
        }
    }
}
