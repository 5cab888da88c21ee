#if DEBUG
    import Foundation
    import JOSE
    import LinuxIO
    import StrictJSON
    import TestSupport
    import Testing

    /// What was signed and never published is given up, or somebody has to decide about it.
    @Suite struct PublishGivenUpTests {
        private let setting: PublishSetting

        init() throws {
            setting = try PublishSetting()
            try setting.publish(1)
        }

        /// The version that is kept: a signature that came before it may have used up a number.
        private func keptVersion() throws -> Int64 {
            let stores = setting.path("state/stores")
            let name = try #require(
                FileManager.default.subpathsOfDirectory(atPath: stores).first {
                    $0.hasSuffix("staged/acme-market.json")
                })
            let kept = try JSONDocument.parse(
                Array(try Data(contentsOf: URL(filePath: "\(stores)/\(name)")))
            ).root
            let text = try #require(kept["envelope"]?["payload"]?.string)
            let payload = try #require(Base64URL.decode(Array(text.utf8)))
            return try #require(try JSONDocument.parse(payload).root["version"]?.integer)
        }

        private func withdraw(_ version: Int64) throws {
            let withdrawn = try setting.signing.run([
                "audit", "withdraw", "acme-market", "\(version)", "--reason", "a mistake",
            ])
            #expect(withdrawn.isSuccess, "\(withdrawn.errors)")
            #expect(withdrawn.errors.contains("staged/acme-market.json"), "\(withdrawn.errors)")
        }

        @Test(arguments: [[], ["--within", "400d"]] as [[String]])
        func `What was given up is dropped by a refresh, and renewals go on`(_ within: [String])
            throws
        {
            try setting.cutShort(["refresh", "acme-market", "--within", "400d"])
            let kept = try keptVersion()
            try withdraw(kept)
            // The very same content within one second would be the very same document.
            Thread.sleep(forTimeInterval: 1.1)
            let status = try setting.run(["status", "acme-market"])
            #expect(status.output.contains("grona-publish refresh acme-market"))
            #expect(!status.output.contains("audit withdraw"), "\(status.output)")
            let answer = try setting.run(["refresh", "acme-market"] + within)
            #expect(answer.isSuccess, "\(answer.errors)")
            #expect(try !setting.isKept())
            let version = try #require(try setting.servedPayload()["version"]?.integer)
            let log = try setting.signing.run(["audit", "show"]).output
            #expect(
                within.isEmpty ? version == 1 : version > kept, "\(kept) \(answer.errors) \(log)")
            #expect(try setting.run(["status", "acme-market"]).isSuccess)
            let next = try setting.run(["refresh", "acme-market", "--within", "400d"])
            #expect(next.isSuccess, "\(next.errors)")
        }

        /// The signer of an earlier release knows no question, and one that is down answers nothing.
        @Test(arguments: [
            #"case $line in *standing*) echo '{"id":"1","error":{"code":"request.member","#
                + #""message":"not known"}}';; *) exit 9;; esac"#,
            "exit 9",
        ])
        func `A signer that does not say stops no publication`(_ answer: String) throws {
            try setting.cutShort(["refresh", "acme-market", "--within", "400d"])
            let kept = try keptVersion()
            try setting.signing.folder.write(
                "quiet.sh", "while read -r line; do \(answer); done\n")
            let refresh = try setting.run([
                "refresh", "acme-market", "--within", "400d", "--signer",
                "/bin/sh \(setting.path("quiet.sh"))",
            ])
            #expect(refresh.isSuccess, "\(refresh.errors)")
            #expect(try setting.servedPayload()["version"]?.integer == kept)
        }

        @Test func `What no later run gets over is 1, and status tells it`() throws {
            // Published by a push, which cannot know that it was given up.
            let file = try setting.signing.config(2)
            try withdraw(2)
            #expect(try setting.run(["push", file]).isSuccess)
            let refresh = ["refresh", "acme-market", "--within", "400d"]
            let answer = try setting.run(refresh)
            #expect(answer.exit == .exited(1), "\(answer.errors)")
            #expect(answer.errors.contains("transition.foreign-source"), "\(answer.errors)")
            let status = try setting.run(["status", "acme-market"])
            #expect(status.exit == .exited(1))
            #expect(status.output.contains("transition.foreign-source"), "\(status.output)")
            #expect(status.output.contains("the last 'refresh' could not renew it"))
            #expect(try setting.run(["status"]).output.contains("transition.foreign-source"))
            let adopted = try setting.signing.run(["audit", "adopt", file, "--reason", "is served"])
            #expect(adopted.isSuccess, "\(adopted.errors)")
            #expect(try setting.run(refresh).isSuccess)
            #expect(try setting.run(["status", "acme-market"]).isSuccess)
        }

        @Test func `A version that was given up elsewhere is asked about when nothing is due`()
            throws
        {
            _ = try setting.signing.config(2)
            let held = try setting.run(["refresh", "acme-market", "--within", "400d"])
            #expect(held.exit == .exited(1), "\(held.errors)")
            func status() throws -> String { try setting.run(["status"]).output }
            #expect(try status().contains("unpublished.newer"))
            // Not due, and it still stands.
            #expect(try setting.run(["refresh", "acme-market"]).isSuccess)
            #expect(try status().contains("told until a 'refresh' finds"))
            try withdraw(2)
            #expect(try setting.run(["refresh", "acme-market"]).isSuccess)
            #expect(try !status().contains("unpublished.newer"))
        }

        @Test(arguments: [true, false])
        func `A config that nobody pushed stops a kill, which names both ways on`(_ pushes: Bool)
            throws
        {
            let file = try setting.signing.config(2)
            let kill = ["kill", "acme-market", "news"]
            let refused = try setting.run(kill)
            expectRefusal(refused, 65, "transition.stale-source")
            #expect(refused.errors.contains("signed version 2 of acme-market"), "\(refused.errors)")
            if pushes {
                #expect(refused.errors.contains("grona-publish push FILE"), "\(refused.errors)")
                #expect(try setting.run(["push", file]).isSuccess)
            } else {
                #expect(
                    refused.errors.contains(
                        "'grona-sign audit withdraw acme-market 2 --reason TEXT'"))
                try withdraw(2)
            }
            #expect(try setting.run(kill).isSuccess)
            #expect(try setting.isOn("news") == false)
        }
    }
#endif
