import Foundation
import LinuxIO
import StrictJSON
import TestSupport
import Testing

/// `grona-publish refresh` over a server that has a bad day.
@Suite struct RefreshStoreTests {
    private func fleet(
        _ names: [String], _ options: [String] = [], age: Int64 = 20
    ) throws -> (FleetSetting, StoreServer, [String: String]) {
        let server = try StoreServer(options)
        let fleet = try FleetSetting([], store: "\(server.http)/{workspace}/config")
        for name in names {
            let shop = FleetSetting.Shop(
                name: name, key: try TestKey("\(name)-1"),
                issued: fleet.start - age * FleetSetting.day)
            try fleet.add(shop)
            let envelope = try fleet.serve(shop)
            try server.put("/\(name)/config", envelope)
            try server.put("/\(name)/0000000000000001.json", envelope)
        }
        try fleet.settle()
        let claims = "\(server.http)/{workspace}/{version}.json"
        return (fleet, server, ["GRONA_CLAIMS_URL": claims, "GRONA_HTTP_TIMEOUT": "20s"])
    }

    @Test(
        "A store that takes nothing for hours costs no number: what was signed is published later",
        arguments: [
            ("status PUT:", ["--status", "503"], 75, "store.unsettled"),
            ("status PUT:/config", ["--status", "503"], 75, "store.unsettled"),
            ("status PUT:", ["--status", "429", "--retry-after", "1"], 75, "store.busy"),
            ("status PUT:", ["--status", "403"], 77, "store.denied"),
            ("status PUT:/config", ["--status", "403"], 77, "store.denied"),
        ] as [(String, [String], Int32, String)])
    func down(_ fault: String, _ options: [String], _ status: Int32, _ code: String) throws {
        let (fleet, server, more) = try fleet(["aa-shop"], options)
        try server.fault(fault)
        for _ in 0..<2 {
            let answer = try fleet.refresh(environment: more)
            #expect(answer.exit == .exited(status), "\(answer.errors)")
            #expect(try fleet.column(answer, "code") == ["aa-shop": code], "\(answer.errors)")
            #expect(try fleet.signatures("aa-shop") == 1)
        }
        try server.fault("none")
        let up = try fleet.refresh(environment: more)
        #expect(up.exit == .exited(0), "\(up.errors)")
        #expect(try fleet.column(up, "result") == ["aa-shop": "renewed"])
        #expect(try fleet.column(up, "version") == ["aa-shop": "2"])
        #expect(try fleet.signatures("aa-shop") == 1)
    }

    @Test func `One that asks for a little time gets it`() throws {
        let (fleet, server, more) = try fleet(
            ["aa-shop"], ["--status", "429", "--retry-after", "1"])
        try server.fault("status PUT:/config 2")
        let answer = try fleet.refresh(environment: more)
        #expect(answer.exit == .exited(0), "\(answer.errors)")
        #expect(try fleet.column(answer, "version") == ["aa-shop": "2"])
        #expect(try server.requests("PUT", "/aa-shop/config").map(\.status).last != 429)
    }

    @Test func `A part of the store that was silent in one run keeps nobody waiting in the next`()
        throws
    {
        let names = (1...8).map { "shop-\($0)" }
        let (fleet, server, more) = try fleet(names, ["--status", "503"])
        try server.fault("status GET:/shop-2/config")
        #expect(try fleet.refresh(environment: more).exit == .exited(75))
        // All are due again, and the one that was silent is looked at after everything is renewed.
        try server.fault("none")
        let before = try server.requests().count
        let answer = try fleet.refresh(["--within", "400d", "--jobs", "1"], environment: more)
        #expect(answer.exit == .exited(0), "\(answer.errors)")
        let later = try server.requests().dropFirst(before)
        let look = try #require(later.firstIndex { $0.path.hasPrefix("/shop-2/") })
        let swaps = later.indices.filter {
            later[$0].method == "PUT" && later[$0].path.hasSuffix("/config")
        }
        #expect(swaps.count == 8)
        #expect(swaps.count { $0 > look } == 1)
    }

    @Test func `One workspace that always fails stops no other`() throws {
        let names = ["aa-shop", "bb-shop", "cc-shop"]
        let (fleet, server, more) = try fleet(names, ["--status", "403"])
        try server.fault("status PUT:/bb-shop/config")
        for run in 0..<2 {
            let answer = try fleet.refresh(environment: more)
            #expect(answer.exit == .exited(77), "\(answer.errors)")
            let results = try fleet.column(answer, "result")
            #expect(results["bb-shop"] == "failed")
            #expect(results["aa-shop"] == (run == 0 ? "renewed" : "not-due"))
            #expect(results["cc-shop"] == (run == 0 ? "renewed" : "not-due"))
        }
    }

    @Test func `One that cannot be reached at all is 69, and asked no more than a few times`()
        throws
    {
        let names = (10..<30).map { "shop-\($0)" }
        let (fleet, server, more) = try fleet(names, ["--status", "503"])
        try server.fault("status GET:")
        let answer = try fleet.refresh(["--jobs", "2"], environment: more)
        #expect(answer.exit == .exited(69), "\(answer.errors)")
        #expect(try fleet.column(answer, "result").values.allSatisfy { $0 == "failed" })
        // Seven with all their tries, the others once.
        #expect(try server.requests("GET").count <= 7 * 4 + 13)
    }

    @Test func `Neighbours for whom nobody answers stop no other, and come last in the next run`()
        throws
    {
        let silent = (1...6).map { "aa\($0)-x" }
        let (fleet, server, more) = try fleet(silent + ["bb1-y", "bb2-y"], ["--status", "503"])
        try server.fault("status GET:-x/config")
        let answer = try fleet.refresh(["--jobs", "1"], environment: more)
        #expect(answer.exit == .exited(75), "\(answer.errors)")
        let results = try fleet.column(answer, "result")
        #expect(results["bb1-y"] == "renewed" && results["bb2-y"] == "renewed", "\(answer.errors)")
        #expect(results.values.count { $0 == "failed" } == 6)
        let before = try server.requests("GET").count
        let again = try fleet.refresh(["--jobs", "1"], environment: more)
        #expect(again.exit == .exited(75), "\(again.errors)")
        let first = try #require(try server.requests("GET").dropFirst(before).first)
        #expect(first.path == "/bb1-y/config")
    }

    @Test func `What cannot be read and ends soon by the ledger is no matter of trying again`()
        throws
    {
        for (age, status) in [(20, 75), (25, 1)] as [(Int64, Int32)] {
            let (fleet, server, more) = try fleet(
                ["aa-shop", "bb-shop"], ["--status", "503"], age: age)
            try server.fault("status GET:/aa-shop/config")
            let answer = try fleet.refresh(environment: more)
            #expect(answer.exit == .exited(status), "\(answer.errors)")
            #expect(try fleet.column(answer, "result")["bb-shop"] == "renewed")
            #expect(
                try fleet.column(answer, "expires_at")["aa-shop"]
                    == "\(fleet.start + (30 - age) * FleetSetting.day)")
        }
    }

    @Test(arguments: ["-34560000", "2592000"])
    func `A clock that all servers contradict is not believed`(_ offset: String) throws {
        let (fleet, server, more) = try fleet(["aa-shop"], ["--date-offset=\(offset)"])
        defer { withExtendedLifetime(server) {} }
        let answer = try fleet.refresh(environment: more)
        #expect(answer.exit == .exited(75), "\(answer.errors)")
        #expect(answer.errors.contains("clock.untrusted"), "\(answer.errors)")
        #expect(try fleet.signatures("aa-shop") == 0)
        let accepted = try fleet.refresh(["--accept-clock"], environment: more)
        #expect(accepted.exit == .exited(0), "\(accepted.errors)")
        #expect(try fleet.column(accepted, "result") == ["aa-shop": "renewed"])
    }

    @Test func `A clock that differs by a few seconds is believed`() throws {
        let (fleet, server, more) = try fleet(["aa-shop"], ["--date-offset=-20"])
        defer { withExtendedLifetime(server) {} }
        let answer = try fleet.refresh(environment: more)
        #expect(answer.exit == .exited(0), "\(answer.errors)")
    }

    @Test func `What is as it was is not sent again, and what is not is seen`() throws {
        let names = ["aa-shop", "bb-shop"]
        let (fleet, server, more) = try fleet(names, age: 1)
        func statuses(_ name: String) throws -> [Int] {
            try server.requests("GET", "/\(name)/config").map(\.status)
        }
        for _ in 0..<3 {
            let answer = try fleet.refresh(environment: more)
            #expect(answer.exit == .exited(0), "\(answer.errors)")
            #expect(try fleet.column(answer, "version") == ["aa-shop": "1", "bb-shop": "1"])
        }
        #expect(try statuses("aa-shop") == [200, 304, 304])
        // Nobody's document in the place of one of them.
        var shop = try #require(fleet.shops["bb-shop"])
        shop.content = 9
        try server.put("/bb-shop/config", try fleet.envelope(shop, by: try TestKey()))
        let bad = try fleet.refresh(environment: more)
        #expect(bad.exit == .exited(76), "\(bad.errors)")
        #expect(try fleet.column(bad, "result") == ["aa-shop": "not-due", "bb-shop": "renewed"])
        // And a day when what was remembered is due.
        let due = try fleet.refresh(["--within", "30d"], environment: more)
        #expect(try fleet.column(due, "result").values.allSatisfy { $0 == "renewed" })
        #expect(try fleet.column(due, "version")["aa-shop"] == "2")
    }
}
