import Foundation
import Libcrypto
import LinuxIO
import TestSupport
import Testing

/// A workspace that is published to a server by the built program.
struct RemoteSetting {
    let signing: SignSetting
    let server: StoreServer
    private let isS3: Bool
    let more: [String: String]
    private let state: String

    /// - Parameters:
    ///   - signing: keys and signed versions; the state is apart from it.
    ///   - isTrusted: whether the store was probed before, and holds what it should.
    init(
        _ options: [String] = [], s3 isS3: Bool = false, environment: [String: String] = [:],
        signing: SignSetting? = nil, isTrusted: Bool = false
    ) throws {
        self.signing = try signing ?? SignSetting()
        state = self.signing.path("state-\(UUID().uuidString)")
        server = try StoreServer((isS3 ? ["--s3"] : []) + options)
        self.isS3 = isS3
        more = environment
        guard isTrusted else { return }
        let name = isS3 ? "s3://bucket/shop?endpoint=\(server.http)" : store
        let folder = "\(state)/stores/\(SHA256.digest(Array(name.utf8)).hex.prefix(16))"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        let report = #"{"checks":[],"if_match":"quoted","versioned":false,"weak_tags":false}"#
        try Data(#"{"format":1,"store":"\#(name)","time":1,"report":\#(report)}"#.utf8)
            .write(to: URL(filePath: "\(folder)/probe.json"))
    }

    var store: String {
        isS3
            ? "s3://bucket/shop?endpoint=\(server.http)&region=eu-west-1"
            : "\(server.http)/{workspace}/config"
    }

    func environment() -> [String: String] {
        signing.environment([
            "GRONA_STATE": state, "GRONA_STORE": store, "GRONA_ALLOW_HTTP": "1",
            "GRONA_HTTP_TIMEOUT": "3s",
            "AWS_ACCESS_KEY_ID": "AKTEST", "AWS_SECRET_ACCESS_KEY": "very-secret-key",
            "AWS_SESSION_TOKEN": "very-secret-token",
        ]).merging(
            isS3 ? [:] : ["GRONA_CLAIMS_URL": "\(server.http)/{workspace}/{version}.json"]
        ) { $1 }.merging(more) { $1 }
    }

    func run(_ words: [String]) throws -> Program.Answer {
        let program = Program.folder.appending("grona-publish").description
        let answer = try Program.run([program] + words, environment: environment())
        let all = answer.output + answer.errors
        #expect(!all.contains("very-secret") && !all.contains("wrong-secret"))
        return answer
    }

    /// SHA-256 of what a signed version is, in hexadecimal digits.
    func digest(_ version: Int) throws -> String {
        let file = signing.path("version-\(version).json")
        return SHA256.digest(Array(try Data(contentsOf: URL(filePath: file)))).hex
    }

    /// The contents that the config URL has had, in order.
    func served() throws -> [String] { try server.changes("/acme-market/config").map(\.digest) }
}

/// A store that misbehaves in one way: the right verdict, nothing lost, nothing published twice.
@Suite struct FaultyStoreTests {
    struct Case: CustomTestStringConvertible, Sendable {
        /// `NAME [METHOD:SUFFIX [TIMES]]`.
        let fault: String
        let exit: Int32
        let code: String?
        var options: [String] = []
        var isS3 = false

        init(
            _ fault: String, _ exit: Int32, _ code: String? = nil, _ options: [String] = [],
            s3: Bool = false
        ) {
            self.fault = fault
            self.exit = exit
            self.code = code
            self.options = options
            isS3 = s3
        }

        var testDescription: String {
            "\(isS3 ? "s3, " : "")\(fault) \(options.joined(separator: " "))"
        }
    }

    static let swaps: [Case] = [
        // The answer to the swap.
        .init("drop-after PUT:/config 1", 0), .init("drop-before PUT:/config 1", 0),
        .init("drop-before PUT:/config", 75, "store.unsettled"),
        .init("delay-after PUT:/config 1", 0), .init("delay-before PUT:/config 1", 0),
        .init("truncate-after PUT:/config 1", 0), .init("huge-header-after PUT:/config 1", 0),
        .init("long-header-after PUT:/config 1", 0),
        .init("status PUT:/config 1", 0, nil, ["--status", "409"]),
        .init("status PUT:/config", 75, "store.unsettled", ["--status", "409"]),
        .init("status-after PUT:/config 1", 0, nil, ["--status", "412"]),
        .init("status-after PUT:/config 1", 0, nil, ["--status", "500"]),
        .init("status-after PUT:/config 1", 0, nil, ["--status", "503"]),
        .init("status PUT:/config 1", 0, nil, ["--status", "500"]),
        .init("status PUT:/config", 75, "store.unsettled", ["--status", "500"]),
        .init("status PUT:/config", 75, "store.unsettled", ["--status", "503"]),
        .init("status PUT:/config 1", 0, nil, ["--status", "429", "--retry-after", "1"]),
        .init("status PUT:/config", 75, "store.busy", ["--status", "429", "--retry-after", "1"]),
        .init("status PUT:/config", 77, "store.denied", ["--status", "401"]),
        .init("status PUT:/config", 77, "store.denied", ["--status", "403"]),
        .init("status PUT:/config", 76, "store.rejected", ["--status", "400"]),
        .init("redirect PUT:/config", 76, "store.redirect"),
        .init("html PUT:/config 1", 0), .init("html PUT:/config", 75, "store.unsettled"),
        .init("garbage PUT:/config 1", 0),
        // The answer to the claim.
        .init("drop-after PUT:.json 1", 0), .init("drop-before PUT:.json 1", 0),
        .init("drop-before PUT:.json", 75, "store.unsettled"),
        .init("status-after PUT:.json 1", 0, nil, ["--status", "412"]),
        .init("status-after PUT:.json 1", 0, nil, ["--status", "500"]),
        .init("html PUT:.json", 75, "store.unsettled"),
        // Reading.
        .init("html GET:/config", 76, "store.not-a-document"),
        .init("redirect GET:/config", 76, "store.redirect"),
        .init("huge-header GET:/config", 76, "store.answer"),
        .init("long-header GET:/config", 76, "store.answer"),
        .init("garbage GET:/config", 76, "store.answer"),
        .init("truncate GET:/config 1", 0), .init("truncate GET:/config", 69, "store.unreachable"),
        .init("drip GET:/config", 69, "store.timeout"),
        .init("delay GET:/config 1", 0), .init("drop-before GET:/config 2", 0),
        .init("status GET:/config", 75, "store.busy", ["--status", "500"]),
        .init("status GET:/config 2", 0, nil, ["--status", "503"]),
        .init("status GET:/config", 77, "store.denied", ["--status", "403"]),
        .init("new-tag", 76, "store.tag-changes"), .init("no-tag", 76, "store.no-tag"),
        .init("always-weak", 76, "store.weak-tag"),
        .init("weak-tag", 0, nil, ["--wait", "1"]), .init("bare-tag", 0),
        // An object store.
        .init("drop-after PUT:/config 1", 0, s3: true),
        .init("status-after PUT:/config 1", 0, nil, ["--status", "500"], s3: true),
        .init("status-after PUT:/config 1", 0, nil, ["--status", "412"], s3: true),
        .init("drop-after PUT:.json 1", 0, s3: true), .init("bare-tag", 0, s3: true),
        .init("html GET:/bucket/", 76, "store.answer", s3: true),
        .init("truncate GET:/bucket/", 69, "store.unreachable", s3: true),
        .init("status GET:/bucket/", 77, "store.denied", ["--status", "403"], s3: true),
    ]

    /// Keys and two signed versions for all of them.
    private static let signed = Result {
        let signing = try SignSetting()
        _ = try signing.config(1)
        _ = try signing.config(2)
        return signing
    }

    @Test(arguments: swaps)
    func `A push ends with what is so, and the same command again converges`(_ fault: Case) throws {
        let options = fault.options.contains("--wait") ? [] : ["--wait", "5"]
        let setting = try RemoteSetting(
            fault.options + options, s3: fault.isS3, signing: try Self.signed.get(),
            isTrusted: true)
        let first = try setting.run(["push", setting.signing.path("version-1.json")])
        try #require(first.isSuccess, "\(first.errors)")
        let second = setting.signing.path("version-2.json")
        try setting.server.fault(fault.fault)
        let answer = try setting.run(["push", second])
        #expect(answer.exit == .exited(fault.exit), "\(answer.output)\(answer.errors)")
        if let code = fault.code {
            #expect(answer.errors.contains("error[\(code)]: "), "\(answer.errors)")
            if code == "store.unsettled", fault.options.first == "--status" {
                #expect(answer.errors.contains("it answered \(fault.options[1]) to the write"))
            }
            #expect(!answer.errors.contains("another publisher"))
        } else {
            #expect(answer.output.contains("version 2"))
        }
        let digests = [try setting.digest(1), try setting.digest(2)]
        let now = try setting.served()
        #expect(now == digests || (fault.exit != 0 && now == [digests[0]]), "\(now)")
        try setting.server.fault("none")
        let again = try setting.run(["push", second])
        #expect(again.isSuccess, "\(again.output)\(again.errors)")
        #expect(try setting.served() == digests)
        let claims = try setting.server.changes("0000000000000002.json")
        #expect(claims.map(\.digest) == [digests[1]])
    }

    @Test(arguments: ["ignore-conditions", "create-on-match", "create-wins", "check-then-write"])
    func `A store that does not swap is refused, and taken on one's word`(_ fault: String) throws {
        let setting = try RemoteSetting(["--fault", fault])
        let file = try setting.signing.config(1)
        expectRefusal(try setting.run(["push", file]), 76, "store.no-cas")
        #expect(try setting.served().isEmpty)
        let asked = try setting.server.requests().count
        expectRefusal(try setting.run(["push", file]), 76, "store.no-cas")
        #expect(try setting.server.requests().count == asked, "remembered")
        let doctor = try setting.run(["doctor", setting.store, "--json"])
        #expect(doctor.exit == .exited(76))
        #expect(doctor.output.contains(#""verdict":"no-cas""#))
        let promised = try setting.run(["doctor", setting.store, "--single-publisher"])
        #expect(promised.isSuccess, "\(promised.errors)")
        let taken = try setting.run(["push", file])
        #expect(taken.isSuccess, "\(taken.errors)")
        #expect(taken.errors.contains("warning[store.single-publisher]"))
        #expect(try setting.run(["push", file]).output.contains("already"))
        #expect(try setting.served() == [try setting.digest(1)])
        let strict = try setting.run(["push", file, "--strict"])
        #expect(strict.errors.contains("error[store.single-publisher]"), "\(strict.errors)")
    }

    @Test func `A store without the scratch workspace is used with a warning`() throws {
        let setting = try RemoteSetting(
            [
                "--fault", "status", "--on", "PUT:grona-probe/config", "--status", "403",
            ], environment: ["GRONA_CLAIMS_URL": "http://127.0.0.1:1/{workspace}/{version}"])
        // Its claims have no place that answers, so this store is given none.
        let file = try setting.signing.config(1)
        let answer = try Program.run(
            [Program.folder.appending("grona-publish").description, "push", file],
            environment: setting.environment().filter { $0.key != "GRONA_CLAIMS_URL" })
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(answer.errors.contains("warning[store.unprobed]"))
        #expect(try setting.served().count == 1)
    }

    @Test(arguments: [false, true])
    func `Hosts that probe at once all find that a good store swaps`(_ isS3: Bool) throws {
        let setting = try RemoteSetting(s3: isS3)
        let file = try setting.signing.config(1)
        let script = """
            for host in 1 2 3 4; do
                case $host in
                1 | 2) set -- doctor "$GRONA_STORE" ;;
                *) set -- push "$FILE" ;;
                esac
                "$PUBLISH" "$@" --state "$DIR/host-$host" >"$DIR/out-$host" 2>&1 &
                jobs="$jobs $!"
            done
            status=0
            for job in $jobs; do wait "$job" || status=$?; done
            cat "$DIR"/out-*
            exit "$status"
            """
        let answer = try Program.run(
            ["/bin/sh", "-c", script],
            environment: setting.environment().merging([
                "PUBLISH": Program.folder.appending("grona-publish").description, "FILE": file,
                "DIR": setting.signing.path("."),
            ]) { $1 })
        #expect(answer.isSuccess, "\(answer.output)\(answer.errors)")
        #expect(!answer.output.contains("store.unprobed"), "\(answer.output)")
        let replaced = Set(
            try setting.server.requests("PUT", "/config").filter {
                $0.path.contains("/grona-probe/")
            }.map(\.path))
        #expect(replaced.count == (isS3 ? 4 : 1))
        #expect(try setting.served() == [try setting.digest(1)])
    }

    @Test func `A dry run sends no write and no probe`() throws {
        let setting = try RemoteSetting()
        let answer = try setting.run(["push", "-n", try setting.signing.config(1)])
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(try setting.server.requests("PUT").isEmpty)
    }

    @Test func `A token opens the store, a wrong or exposed one does not`() throws {
        let setting = try RemoteSetting(["--token", "very-secret.token"])
        let file = try setting.signing.config(1)
        expectRefusal(try setting.run(["push", file]), 77, "store.denied")
        try setting.signing.folder.write("token", "wrong-secret\n")
        _ = unsafe chmod(setting.signing.path("token"), 0o600)
        let words = ["push", file, "--token-file", setting.signing.path("token")]
        expectRefusal(try setting.run(words), 77, "store.denied")
        try setting.signing.folder.write("token", "very-secret.token\n")
        _ = unsafe chmod(setting.signing.path("token"), 0o644)
        expectRefusal(try setting.run(words), 77, "store.credentials")
        _ = unsafe chmod(setting.signing.path("token"), 0o600)
        let answer = try setting.run(words)
        #expect(answer.isSuccess, "\(answer.errors)")
        for step in [
            ["fetch", "acme-market"], ["status", "acme-market"], ["next-version", "acme-market"],
            ["history", "acme-market"], ["diff", "served", file], ["settings"],
        ] {
            let answer = try setting.run(step + ["--token-file", setting.signing.path("token")])
            #expect(answer.isSuccess, "\(step): \(answer.errors)")
        }
    }

    @Test func `A store that only a settings file names is shown no credentials`() throws {
        let setting = try RemoteSetting(s3: true)
        try setting.signing.folder.write(
            "grona.json", #"{"format": 1, "to": "\#(setting.store)"}"#)
        let program = Program.folder.appending("grona-publish").description
        let answer = try Program.run(
            [
                "/bin/sh", "-c", #"cd "$1" && exec "$2" push "$3""#, "sh",
                setting.signing.folder.path.description, program, try setting.signing.config(1),
            ], environment: setting.environment().filter { $0.key != "GRONA_STORE" })
        expectRefusal(answer, 78, "store.credentials")
        #expect(try setting.server.requests().isEmpty)
    }

    @Test func `A rehearsal writes to no store but one on this host`() throws {
        let setting = try RemoteSetting(environment: ["GRONA_REHEARSAL": "1"])
        let file = try setting.signing.config(1)
        let elsewhere = "https://store.example/{workspace}/config"
        expectRefusal(
            try setting.run([
                "push", file, "--to", elsewhere, "--claims-url", elsewhere + "/{version}",
            ]),
            78, "rehearsal.real")
        let here = try setting.run(["push", file])
        #expect(here.isSuccess, "\(here.errors)")
    }

    @Test func `Without TLS, another name or an old certificate nothing is sent`() throws {
        let authority = try TestAuthority()
        let plain = try RemoteSetting(environment: ["GRONA_ALLOW_HTTP": "0"])
        let file = try plain.signing.config(1)
        expectRefusal(try plain.run(["push", file]), 78, "store.plain-http")
        for (names, end, status, code) in [
            ("IP:127.0.0.1", nil, 0, ""), ("DNS:example.com", nil, 76, "store.certificate"),
            ("IP:127.0.0.1", "20200102000000Z", 76, "store.certificate"),
        ] as [(String, String?, Int32, String)] {
            let server = try StoreServer(["--tls"] + authority.server(names, end: end))
            let words = [
                "push", file, "--to", "\(server.https)/{workspace}/config", "--claims-url",
                "\(server.https)/{workspace}/{version}",
            ]
            let answer = try plain.run(words + ["--ca", authority.certificate])
            #expect(answer.exit == .exited(status), "\(answer.errors)")
            #expect(code.isEmpty || answer.errors.contains("error[\(code)]"), "\(answer.errors)")
            if code.isEmpty {
                let untrusting = try plain.run(words)
                expectRefusal(untrusting, 76, "store.certificate")
                expectRefusal(
                    try plain.run(words + ["--ca", "/no/such/file"]), 78, "store.ca")
            }
        }
    }

    @Test func `Where nothing listens the program says so`() throws {
        let setting = try RemoteSetting()
        let file = try setting.signing.config(1)
        expectRefusal(
            try setting.run([
                "push", file, "--to", "http://127.0.0.1:1/{workspace}/config", "--claims-url",
                "http://127.0.0.1:1/{workspace}/{version}",
            ]), 69,
            "store.unreachable")
    }

    @Test func `Two hosts share a ledger in a second bucket`() throws {
        let setting = try RemoteSetting(s3: true)
        let ledger = "s3://ledger-bucket/shop?endpoint=\(setting.server.http)"
        func push(_ version: Int, host: String) throws -> Program.Answer {
            try setting.run([
                "push", try setting.signing.config(version, "version-\(version).json"), "--ledger",
                ledger, "--state", setting.signing.path(host),
            ])
        }
        for (version, host) in [(1, "a"), (2, "b"), (3, "a")] {
            let answer = try push(version, host: host)
            #expect(answer.isSuccess, "\(answer.errors)")
        }
        let records = try setting.server.changes().filter { $0.path.contains("/ledger/") }
        #expect(records.count >= 6 && Set(records.map(\.path)).count == records.count)
        // The store goes back behind everyone's back: both hosts know better.
        let old = try Data(contentsOf: URL(filePath: setting.signing.path("version-1.json")))
        try setting.server.put(
            "/bucket/shop/v1/mobile/workspaces/acme-market/config", Array(old))
        for host in ["a", "b", "new"] {
            let answer = try setting.run([
                "status", "--ledger", ledger, "--state", setting.signing.path(host), "--json",
            ])
            #expect(answer.exit == .exited(1))
            #expect(answer.output.contains("served.rolled-back"), "\(answer.output)")
        }
    }
}
