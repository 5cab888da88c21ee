import Foundation
import LinuxIO
import StrictJSON
import TestSupport
import Testing

/// `grona-publish refresh` on bad days of its signer, of this machine, and when it is killed.
@Suite struct RefreshBadDayTests {
    private let names = ["aa-shop", "bb-shop", "cc-shop", "dd-shop"]

    private func fleet(age: Int64 = 20) throws -> FleetSetting {
        let fleet = try FleetSetting(names, age: age)
        try fleet.settle()
        return fleet
    }

    private func expectAll(
        _ fleet: FleetSetting, _ answer: Program.Answer, _ member: String, _ value: String
    ) throws {
        #expect(
            try fleet.column(answer, member)
                == Dictionary(uniqueKeysWithValues: names.map { ($0, value) }), "\(answer.errors)")
    }

    @Test func `A signer that is slower than its time costs a run, and no number`() throws {
        let fleet = try fleet()
        let slow = try fleet.script("slow", "exec sleep 600")
        let down = try fleet.refresh(["--signer", slow, "--signer-timeout", "1s"])
        #expect(down.exit == .exited(75), "\(down.errors)")
        try expectAll(fleet, down, "code", "signer.timeout")
        let up = try fleet.refresh(["--jobs", "1"])
        #expect(up.exit == .exited(0), "\(up.errors)")
        try expectAll(fleet, up, "version", "2")
    }

    @Test func `Another key behind a name takes its own workspace out, and signs nothing`() throws {
        let fleet = try fleet()
        let bb = try #require(fleet.shops["bb-shop"])
        try fleet.writeKey(try TestKey(), of: "bb-shop", as: bb.key.kid)
        let answer = try fleet.refresh()
        #expect(answer.exit == .exited(78), "\(answer.errors)")
        #expect(try fleet.column(answer, "code")["bb-shop"] == "key.mismatch")
        #expect(try fleet.column(answer, "result").values.count { $0 == "renewed" } == 3)
        #expect(try fleet.served("bb-shop")["version"]?.integer == 1)
    }

    @Test func `A signer that signs with another key is a fault, and is not published`() throws {
        let fleet = try fleet()
        // It answers each line with what it was given: not what was asked for.
        let rogue = try fleet.script(
            "rogue",
            #"""
            while read -r line; do
              rest=${line#*\"envelope\":}
              id=${line#*\"id\":\"}
              printf '{"id":"%s","envelope":%s}\n' "${id%%\"*}" "${rest%,\"id\"*}"
            done
            """#)
        let answer = try fleet.refresh(["--signer", rogue])
        #expect(answer.exit == .exited(70), "\(answer.errors)")
        try expectAll(fleet, answer, "code", "signer.lied")
        for name in names { #expect(try fleet.served(name)["version"]?.integer == 1) }
        #expect(try fleet.refresh().exit == .exited(0))
    }

    @Test func `What was signed and never published is an alarm, until it is given up`() throws {
        let fleet = try FleetSetting(names)
        var newer = try #require(fleet.shops["cc-shop"])
        newer.version = 2
        newer.content = 7
        try fleet.signed(newer)
        try fleet.settle()
        let held = try fleet.refresh()
        #expect(held.exit == .exited(1), "\(held.errors)")
        #expect(try fleet.column(held, "code")["cc-shop"] == "unpublished.newer")
        #expect(held.errors.contains("grona-sign audit withdraw cc-shop 2"))
        func status() throws -> String {
            try Program.run([fleet.publisher, "status"], environment: fleet.environment()).output
        }
        #expect(try status().contains("unpublished.newer"))
        let given = try Program.run(
            [
                fleet.signer, "audit", "withdraw", "cc-shop", "2", "--reason", "never published",
            ], environment: fleet.environment())
        #expect(given.isSuccess, "\(given.errors)")
        let next = try fleet.refresh()
        #expect(next.exit == .exited(0), "\(next.errors)")
        #expect(try fleet.column(next, "result")["cc-shop"] == "renewed")
        #expect(try !status().contains("unpublished.newer"))
        #expect(try fleet.served("cc-shop")["settings"]?["content"]?.integer == 0)
    }

    @Test func `A new ledger does not take what vanished for what never was`() throws {
        let fleet = try fleet()
        try FileManager.default.removeItem(atPath: fleet.config("aa-shop"))
        try fleet.folder.folder("other", permissions: 0o700)
        let answer = try fleet.refresh(environment: ["GRONA_STATE": fleet.path("other")])
        #expect(answer.exit == .exited(76), "\(answer.errors)")
        #expect(try fleet.column(answer, "code")["aa-shop"] == "served.missing")
        #expect(try fleet.column(answer, "result")["aa-shop"] == "failed")
    }

    @Test(.enabled(if: Program.isRoot))
    func `A folder that the publisher may not look into stops nobody else`() throws {
        let fleet = try fleet()
        let own = try Tool.run(["chown", "-R", "\(Program.nobody)", fleet.folder.path.description])
        try #require(own.status == 0)
        for (name, mode) in [("aa-shop", 0o000), ("lost+found", 0o700), ("UPPER", 0o000)] {
            let path = fleet.path("campaigns/\(name)")
            try? FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false)
            try FileManager.default.setAttributes(
                [.posixPermissions: mode, .ownerAccountID: 0], ofItemAtPath: path)
        }
        let answer = try Program.run(
            [fleet.publisher, "refresh", "--all", "--json"], environment: fleet.environment(),
            asUser: Program.nobody)
        let codes = try fleet.column(answer, "code")
        #expect(codes.count > 2)
        #expect(codes["aa-shop"] == "input.unreadable", "\(answer.errors)")
        #expect(codes.filter { $0.value != "-" }.count == 1)
        let results = try fleet.column(answer, "result")
        #expect(results.filter { $0.value != "renewed" }.keys.sorted() == ["aa-shop"])
    }

    @Test func `A junk claim with the highest number there is holds nothing up`() throws {
        let fleet = try fleet()
        try Data("junk".utf8).write(
            to: URL(filePath: fleet.claim("aa-shop", 9_007_199_254_740_991)))
        let answer = try fleet.refresh()
        #expect(answer.exit == .exited(0), "\(answer.errors)")
        try expectAll(fleet, answer, "version", "2")
        #expect(answer.output.contains("claim.untrusted"))
    }

    @Test func `Asleep across the point where it was due, the next run renews at once`() throws {
        let fleet = try fleet(age: 29)
        let answer = try fleet.refresh()
        #expect(answer.exit == .exited(0), "\(answer.errors)")
        try expectAll(fleet, answer, "result", "renewed")
    }

    @Test func `Metrics in a folder that nobody may write stop no renewal`() throws {
        let fleet = try fleet()
        let metrics = "/proc/grona.prom"
        let answer = try fleet.refresh(["--metrics", metrics])
        #expect(answer.exit == .exited(75), "\(answer.errors)")
        try expectAll(fleet, answer, "result", "renewed")
    }

    @Test
    func `Killed at any step, the next run ends what it began, and wastes at most one number`()
        throws
    {
        let names = (10..<60).map { "shop-\($0)" }
        let fleet = try FleetSetting(names)
        try fleet.settle()
        func run(_ name: String, _ more: [String: String] = [:]) throws -> Program.Answer {
            try Program.run(
                [fleet.publisher, "refresh", name, "--json"],
                environment: fleet.environment(more))
        }
        var (killed, wasted) = (0, 0)
        for (index, name) in names.enumerated() {
            let first = try run(name, ["GRONA_STOP_STEP": "\(index + 1)"])
            if first.exit == .signalled(9) { killed += 1 }
            let next = try run(name)
            #expect(next.exit == .exited(0), "step \(index + 1): \(next.errors)")
            let version = try fleet.served(name)["version"]?.integer ?? 0
            let signatures = try fleet.signatures(name)
            #expect((2...3).contains(version), "step \(index + 1)")
            #expect((1...2).contains(signatures), "step \(index + 1)")
            if version > 2 || signatures > 1 { wasted += 1 }
            if first.exit == .exited(0) { break }
        }
        #expect(killed > 8)
        // Between the signature and the file in which it is kept.
        #expect(wasted <= 2)
    }

    @Test func `Killed in the middle of many, the next run does the rest`() throws {
        let names = (10..<40).map { "shop-\($0)" }
        let fleet = try FleetSetting(names)
        try fleet.settle()
        // Gives fifteen answers, and ends the run that asked.
        let deadly = try fleet.script(
            "deadly",
            #"""
            publisher=$PPID
            "$SIGN" "$@" | { n=0
              while read -r line; do
                n=$((n + 1))
                [ $n -lt 16 ] || { kill -9 $publisher; exit 0; }
                printf '%s\n' "$line"
              done; }
            """#)
        let first = try fleet.refresh(["--signer", deadly])
        #expect(first.exit == .signalled(9))
        let next = try fleet.refresh()
        #expect(next.exit == .exited(0), "\(next.errors)")
        let results = try fleet.column(next, "result")
        #expect(results.values.contains("not-due"))
        for name in names {
            let version = try fleet.served(name)["version"]?.integer ?? 0
            #expect((2...3).contains(version), "\(name)")
            // Of what was signed and not kept there may be two.
            #expect((1...2).contains(try fleet.signatures(name)), "\(name)")
        }
        #expect(
            try fleet.column(try fleet.refresh(), "result").values.allSatisfy { $0 == "not-due" })
    }

    @Test func `A PIN that is refused is tried once, and the next runs do not log in`() throws {
        let token = try SoftHSMToken()
        let key = try TestKey("aa-shop-1")
        let fleet = try FleetSetting([])
        let shop = FleetSetting.Shop(
            name: "aa-shop", key: key, issued: fleet.start - 20 * FleetSetting.day)
        let pin = try fleet.folder.write("pin", "wrong\n", permissions: 0o600)
        try fleet.add(
            shop, signer: token.access.signer("aa-shop-1", pinSource: "file:\(pin)"))
        try token.importKey(fleet.path("keys/aa-shop/aa-shop-1.pem"), object: "aa-shop-1", id: "01")
        try fleet.serve(shop)
        try fleet.settle()
        func run(_ words: [String] = []) throws -> Program.Answer {
            try fleet.refresh(words, environment: token.access.environment)
        }
        func code(_ answer: Program.Answer) throws -> String? {
            #expect(answer.exit == .exited(77), "\(answer.errors)")
            return try fleet.column(answer, "code")["aa-shop"]
        }
        #expect(try code(run()) == "key.pin-wrong")
        #expect(try code(run()) == "key.pin-remembered")
        #expect(try code(run(["--retry-pin"])) == "key.pin-wrong")
        try fleet.folder.write("pin", "\(token.access.pin)\n", permissions: 0o600)
        let right = try run()
        #expect(right.exit == .exited(0), "\(right.errors)")
        #expect(try fleet.column(right, "result") == ["aa-shop": "renewed"])
    }
}
