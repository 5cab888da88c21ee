import Foundation
import LinuxIO
import StrictJSON
import TestSupport
import Testing

/// `grona-publish health`: what a monitor calls.
@Suite struct PublishHealthTests {
    private let setting: RefreshSetting

    init() throws {
        setting = try RefreshSetting(["acme-market", "beta-shop"])
    }

    private func health(_ words: [String], day: Int64 = 0) throws -> Program.Answer {
        try setting.run(["health"] + words, day: day)
    }

    @Test(
        "Good until a quarter of its life is left, now or on a later day",
        arguments: [
            ([], 0, 0), ([], 22, 0), ([], 23, 1), ([], 31, 1), (["--at", "+22d"], 0, 0),
            (["--at", "+23d"], 0, 1), (["--at", "+13d"], 9, 0), (["--at", "+13d"], 10, 1),
        ] as [([String], Int64, Int32)])
    func life(_ words: [String], _ day: Int64, _ status: Int32) throws {
        let answer = try health(["--all", "--json"] + words, day: day)
        #expect(answer.exit == .exited(status), "\(answer.output)\(answer.errors)")
        let isGood = status == 0 ? "true" : "false"
        #expect(
            try setting.column(answer, "ok") == ["acme-market": isGood, "beta-shop": isGood])
    }

    /// With 30 days, renewed at 15, what is renewed in time passes up to 7.5 days ahead.
    @Test(
        "A later day is spoken of as that day, and too far a day is named as such",
        arguments: [
            ("+9d", 14, "less than a quarter of its life is left: 7d", "+7d 12h"),
            ("+5d", 18, "less than a quarter of its life is left: 7d", "it is due now"),
            ("+9d", 21, "what is served now is over", "+7d 12h"),
            ("+5d", 25, "what is served now is over", "it is due now"),
        ] as [(String, Int64, String, String)])
    func later(_ at: String, _ day: Int64, _ message: String, _ help: String) throws {
        let answer = try health(["acme-market", "--at", at], day: day)
        #expect(answer.exit == .exited(1), "\(answer.output)")
        #expect(answer.errors.contains("on 2026-"), "\(answer.errors)")
        #expect(answer.errors.contains(message), "\(answer.errors)")
        #expect(answer.errors.contains(help), "\(answer.errors)")
        #expect(!answer.errors.contains("find out why"), "\(answer.errors)")
    }

    @Test func `What the help shows holds for what is renewed in time`() throws {
        for day: Int64 in 0...15 {
            #expect(try health(["--all", "--at", "+3d"], day: day).exit == .exited(0))
        }
        #expect(try health(["--all", "--at", "+7d"], day: 15).exit == .exited(0))
        let now = try health(["acme-market"], day: 23)
        #expect(now.errors.contains("find out why"), "\(now.errors)")
    }

    @Test(
        "What devices would not take is 1, and the others are told all the same",
        arguments: ["missing", "junk", "stranger", "rolled-back"])
    func bad(_ what: String) throws {
        let config = setting.config("acme-market")
        let old = try Data(contentsOf: URL(filePath: config))
        switch what {
        case "missing": try FileManager.default.removeItem(atPath: config)
        case "junk": try Data("junk".utf8).write(to: URL(filePath: config))
        case "stranger":
            try Data(contentsOf: URL(filePath: setting.config("beta-shop")))
                .write(to: URL(filePath: config))
        default:
            try setting.publish("acme-market", 2)
            try old.write(to: URL(filePath: config))
        }
        let answer = try health(["--all", "--json"], day: 1)
        #expect(answer.exit == .exited(1))
        #expect(
            try setting.column(answer, "ok") == ["acme-market": "false", "beta-shop": "true"])
        #expect(try health(["beta-shop"]).exit == .exited(0))
        let text = try health(["--all"], day: 1)
        #expect(text.exit == .exited(1))
        #expect(text.errors.contains("error[served."), "\(text.errors)")
    }

    @Test(
        "A cache may have the version before for as long as it was told, and no longer",
        arguments: [(0, 0), (359, 0), (360, 1)] as [(Int64, Int32)])
    func cached(_ age: Int64, _ status: Int32) throws {
        let fleet = try FleetSetting(["aa-shop"], age: 1)
        let old = try Data(contentsOf: URL(filePath: fleet.config("aa-shop")))
        var shop = try #require(fleet.shops["aa-shop"])
        shop.version = 2
        shop.issued = fleet.start
        try fleet.serve(shop)
        try fleet.settle()
        try old.write(to: URL(filePath: fleet.config("aa-shop")))
        let answer = try Program.run(
            [
                fleet.publisher, "health", "--all", "--json", "--now", "\(fleet.start + age)",
            ], environment: fleet.environment())
        #expect(answer.exit == .exited(status), "\(answer.output)\(answer.errors)")
        #expect(
            try fleet.column(answer, "state")
                == ["aa-shop": status == 0 ? "cached" : "rolled-back"])
    }

    @Test func `Who publishes while it looks is no stranger: the ledger is asked again`() throws {
        let fleet = try FleetSetting(["aa-shop"], age: 1)
        try fleet.settle()
        let ledger = fleet.ledgerFile
        let old = try Data(contentsOf: URL(filePath: ledger))
        var shop = try #require(fleet.shops["aa-shop"])
        shop.version = 2
        shop.issued = fleet.start
        try fleet.serve(shop)
        try fleet.settle()
        let new = try Data(contentsOf: URL(filePath: ledger))
        for isPublisher in [true, false] {
            try old.write(to: URL(filePath: ledger))
            if isPublisher { try new.write(to: URL(filePath: ledger + ".next")) }
            // Serves what is new, and has the ledger know it from then on.
            let server = Process()
            server.executableURL = URL(filePath: "/usr/bin/env")
            server.arguments = [
                "python3", "-c",
                """
                import http.server, os, sys
                class Handler(http.server.BaseHTTPRequestHandler):
                    def do_GET(self):
                        if os.path.exists(sys.argv[2] + ".next"):
                            os.replace(sys.argv[2] + ".next", sys.argv[2])
                        body = open(sys.argv[1], "rb").read()
                        self.send_response(200)
                        self.send_header("Content-Length", str(len(body)))
                        self.end_headers()
                        self.wfile.write(body)
                    def log_message(self, *words): pass
                server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
                print(server.server_port, flush=True)
                for _ in range(2): server.handle_request()
                """,
                fleet.config("aa-shop"), ledger,
            ]
            let output = Pipe()
            server.standardOutput = output
            try server.run()
            defer { server.terminate() }
            let port = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
                .filter(\.isNumber)
            let answer = try Program.run(
                [
                    fleet.publisher, "health", "--all", "--json", "--ledger", ledger, "--from",
                    "http://127.0.0.1:\(port)/{workspace}/config",
                ], environment: fleet.environment())
            #expect(answer.exit == .exited(isPublisher ? 0 : 1), "\(answer.output)\(answer.errors)")
            #expect(
                try fleet.column(answer, "state")
                    == ["aa-shop": isPublisher ? "ok" : "unrecorded"])
        }
    }

    @Test func `Nothing to look at, or nothing that can be read, is not green`() throws {
        #expect(try health(["nobody-here"]).exit == .exited(1))
        try FileManager.default.removeItem(atPath: setting.path("store/v1"))
        #expect(try health(["--all"]).exit == .exited(1))
        #expect(try health([]).exit == .exited(64))
        #expect(try health(["--all", "--at", "13d"]).exit == .exited(64))
    }

    @Test func `Whatever is not there or not readable, the answer is 1, and the rest is looked at`()
        throws
    {
        let stores = setting.path("state/rehearsal/stores")
        let place = try #require(
            FileManager.default.contentsOfDirectory(atPath: stores).first { $0.count == 16 })
        try Data("{\"format\":9}\n".utf8).write(
            to: URL(filePath: "\(stores)/\(place)/ledger.ndjson"))
        let ledger = try health(["--all", "--json"])
        #expect(ledger.exit == .exited(1), "\(ledger.errors)")
        #expect(try setting.column(ledger, "ok") == ["acme-market": "true", "beta-shop": "true"])
        #expect(!ledger.errors.isEmpty)
        for folder in ["store", "keys", "campaigns"] {
            try FileManager.default.removeItem(atPath: setting.path(folder))
            let answer = try health(["--all"])
            #expect(answer.exit == .exited(1), "\(folder): \(answer.errors)")
            #expect(!answer.errors.isEmpty)
        }
    }

    @Test func `It writes nothing and needs no memory of its own`() throws {
        let before = try FileManager.default.subpathsOfDirectory(atPath: setting.path("."))
        var environment = setting.environment(isRehearsal: false)
        environment["GRONA_STATE"] = nil
        environment["HOME"] = nil
        let answer = try Program.run(
            [
                setting.publisher, "health", "--all", "--now",
                "\(RefreshSetting.start + RefreshSetting.day)",
            ], environment: environment)
        #expect(answer.exit == .exited(0), "\(answer.errors)")
        let after = try FileManager.default.subpathsOfDirectory(atPath: setting.path("."))
        #expect(before.sorted() == after.sorted())
    }
}
