#if DEBUG
    import Foundation
    import LinuxIO
    import StrictJSON
    import TestSupport
    import Testing

    /// Runs that were ended between the signature and the claim: the version is in no file of
    /// anybody's and in no store, and the signer takes nothing below it any more.
    @Suite struct PublishUnfinishedTests {
        private let setting: PublishSetting

        init() throws {
            setting = try PublishSetting()
            try setting.publish(1)
        }

        /// The number of the kill that is kept: a signature that came before it may have used one up.
        private func keptKill() throws -> Int64 {
            let status = try setting.run(["status", "acme-market"])
            let match = try #require(
                status.output.firstMatch(of: /and version (\d+), which switches/))
            return try #require(Int64(match.1))
        }

        /// Gives up what is kept, and what was signed before it and is lost.
        private func giveUp(through number: Int64) throws {
            for version in 2...number {
                let withdrawn = try setting.signing.run([
                    "audit", "withdraw", "acme-market", "\(version)", "--reason", "a mistake",
                ])
                #expect(withdrawn.isSuccess, "\(withdrawn.errors)")
            }
        }

        @Test func `A kill of something else finishes it first`() throws {
            try setting.cutShort(["kill", "acme-market", "news"])
            #expect(try setting.isOn("news") == true)
            let number = try keptKill()

            let status = try setting.run(["status", "acme-market"])
            #expect(status.exit == .exited(1))
            #expect(status.output.contains("unpublished.newer"))
            #expect(status.output.contains("a kill waits: news is STILL ON"), "\(status.output)")
            #expect(status.output.contains("$ grona-publish refresh acme-market\n"))
            let rehearsed = try setting.run(["kill", "acme-market", "weekend-offer", "--dry-run"])
            #expect(rehearsed.isSuccess, "\(rehearsed.errors)")
            #expect(rehearsed.errors.contains("warning[unpublished.newer]"))
            #expect(
                rehearsed.errors.contains(
                    "a kill waits: version \(number), which switches news off"))
            #expect(try setting.isKept())

            let answer = try setting.run(["kill", "acme-market", "weekend-offer"])
            #expect(answer.isSuccess, "\(answer.errors)")
            #expect(answer.errors.contains("version \(number), which an earlier run had"))
            #expect(try setting.servedPayload()["version"]?.integer == number + 1)
            #expect(try setting.isOn("news") == false)
            #expect(try setting.isOn("weekend-offer") == false)
            #expect(try !setting.isKept())
            #expect(try setting.run(["status", "acme-market"]).isSuccess)
        }

        @Test func `A refresh finishes it`() throws {
            try setting.cutShort(["kill", "acme-market", "news"])
            let plan = try setting.run(["refresh", "acme-market", "--dry-run"])
            #expect(plan.output.contains("a kill waits: it switches off news"), "\(plan.output)")
            // Due or not.
            let answer = try setting.run(["refresh", "acme-market"])
            #expect(answer.isSuccess, "\(answer.errors)")
            #expect(answer.errors.contains("finished a kill of news that could not be published"))
            #expect(answer.output.contains("1 due, 1 renewed"), "\(answer.output)")
            #expect(try setting.isOn("news") == false)
            #expect(try !setting.isKept())
            #expect(try setting.run(["status", "acme-market"]).isSuccess)
        }

        @Test func `A refresh does not finish what was given up`() throws {
            try setting.cutShort(["kill", "acme-market", "news"])
            try giveUp(through: try keptKill())
            let answer = try setting.run(["refresh", "acme-market"])
            #expect(answer.isSuccess, "\(answer.errors)")
            #expect(!answer.errors.contains("kill.finished"))
            #expect(try setting.isOn("news") == true)
            #expect(try !setting.isKept())
        }

        @Test func `The same command finishes it`() throws {
            try setting.cutShort(["kill", "acme-market", "news"])
            try setting.killed(["news"])
            #expect(try setting.isOn("news") == false)
            #expect(try !setting.isKept())
        }

        @Test func `What brings something back is left to a person, who has it at hand`() throws {
            try setting.signing.folder.write(
                "campaigns/acme-market/more.json",
                #"{"id":"more","kind":"banner","enabled":true,"unit":"device","#
                    + #""placements":["home"],"variants":[{"id":"only","weight":10000}]}"#)
            try setting.publish(2)
            try setting.cutShort(["rollback", "acme-market", "--to-version", "1"])
            let kill = ["kill", "acme-market", "weekend-offer"]
            let refused = try setting.run(kill)
            expectRefusal(refused, 65, "transition.stale-source")
            #expect(refused.errors.contains("of acme-market, which is not published"))
            // A signature that came before the one that is kept may have used up a number.
            let pattern = /fetch acme-market --claimed (\d+) -o/
            let number = String(try #require(refused.errors.firstMatch(of: pattern)).1)
            let file = setting.path("kept.json")
            let fetched = try setting.run([
                "fetch", "acme-market", "--claimed", number, "-o", file,
            ])
            #expect(fetched.isSuccess, "\(fetched.errors)")
            expectRefusal(
                try setting.run(["fetch", "acme-market", "--claimed", "9"]), 66, "version.missing")
            let pushed = try setting.run(["push", file])
            #expect(pushed.isSuccess, "\(pushed.errors)")
            #expect(try setting.run(kill).isSuccess)
            #expect(try setting.isOn("weekend-offer") == false)
        }

        @Test func `What was given up is not published`() throws {
            try setting.cutShort(["kill", "acme-market", "news"])
            let number = try keptKill()
            try giveUp(through: number)
            let answer = try setting.run(["kill", "acme-market", "weekend-offer"])
            #expect(answer.isSuccess, "\(answer.errors)")
            #expect(!answer.errors.contains("which an earlier run had signed"))
            // The number is used up all the same.
            #expect(try setting.servedPayload()["version"]?.integer == number + 1)
            #expect(!(try setting.ledger()).contains(#""version":\#(number)"#))
            #expect(try setting.isOn("weekend-offer") == false)
            #expect(try !setting.isKept())
        }
    }
#endif
