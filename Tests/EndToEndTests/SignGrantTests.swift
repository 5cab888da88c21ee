import Foundation
import LinuxIO
import StrictJSON
import TestSupport
import Testing

@Suite("grona-sign grant and preview")
struct SignGrantTests {
    private let setting: SignSetting
    private let served: String

    init() throws {
        setting = try SignSetting()
        served = try setting.config(1)
    }

    private func words(_ source: String, _ more: [String] = []) -> [String] {
        ["grant", source, "--campaign", "weekend-offer", "--variant", "B"] + more
    }

    private var sub: [String] { ["--sub", "cus_7Hq2Lm9x"] }

    @Test("a grant verifies as an order backend does, and stands in the issuance log")
    func grant() throws {
        let answer = try setting.run(words(served, sub))
        #expect(answer.isSuccess, "\(answer.errors)")
        #expect(answer.output.split(separator: ".").count == 3)
        let verified = try setting.run(
            [
                "verify", "--grant", "-", "--sub", "cus_7Hq2Lm9x", "--campaign", "weekend-offer",
                "--variant", "B", "--type", "percent_off", "--value", "10000",
            ], input: Array(answer.output.utf8))
        #expect(verified.isSuccess, "\(verified.output)")
        let state = try FileSystem.names(in: FilePath(setting.path("state")))
        let ring = try #require(state.first)
        let issuance = FilePath(setting.path("state")).appending(ring).appending("issuance")
        let logs = try FileSystem.names(in: issuance)
        #expect(logs.count == 1)
        let line = String(
            decoding: try readFile(issuance.appending(try #require(logs.first)), limit: 1 << 16),
            as: UTF8.self)
        #expect(line.contains(#""sub":"cus_7Hq2Lm9x""#))
    }

    @Test(
        "the customer comes from standard input without the end of its line",
        arguments: [
            ("cus_1", "cus_1"), ("cus_1\n", "cus_1"), ("cus_1\r\n", "cus_1"),
            ("cus_1\n\n", "cus_1\n"), ("cus_1\r", "cus_1\r"), ("cus_1\r\r\n", "cus_1\r"),
        ])
    func standardInput(text: String, subject: String) throws {
        let answer = try setting.run(
            words(served, ["--sub", "-", "--json"]), input: Array(text.utf8))
        #expect(try setting.json(answer)["sub"]?.string == subject)
    }

    @Test("a byte order mark is no part of a customer id")
    func byteOrderMark() throws {
        expectRefusal(
            try setting.run(words(served, ["--sub", "-"]), input: Array("\u{FEFF}cus_1".utf8)),
            65, "input.bom")
    }

    @Test("--json gives the facts with the token; -o keeps a token from others")
    func output() throws {
        let json = try setting.json(setting.run(words(served, sub + ["--json"])))
        for name in ["sub", "cmp", "var", "jti", "exp", "token"] { #expect(json[name] != nil) }
        let file = setting.path("grant.jwt")
        #expect(try setting.run(words(served, sub + ["-o", file])).output == "")
        #expect(try FileSystem.status(of: FilePath(file)).permissions == 0o600)
    }

    @Test("a folder warns, and is refused where warnings are errors")
    func folder() throws {
        let answer = try setting.run(words(setting.campaigns, sub))
        #expect(answer.isSuccess)
        #expect(answer.errors.contains("warning[grant.unpublished-source]"))
        expectRefusal(
            try setting.run(words(setting.campaigns, sub + ["--strict"])), 65,
            "grant.unpublished-source")
    }

    @Test("refusals have their codes")
    func refusals() throws {
        expectRefusal(try setting.run(words(served, ["--sub", ""])), 65, "grant.subject")
        expectRefusal(
            try setting.run(words(served, ["--sub", String(repeating: "c", count: 257)])), 65,
            "grant.subject")
        expectRefusal(
            try setting.run(words(served, sub + ["--ttl", "0"])), 65, "grant.lifetime")
        expectRefusal(
            try setting.run(words(served, sub + ["--ttl", "25h"])), 65, "grant.lifetime")
        expectRefusal(
            try setting.run(["grant", served, "--campaign", "news", "--variant", "only"] + sub),
            65, "grant.not-an-offer")
        expectRefusal(
            try setting.run(["grant", served, "--campaign", "x", "--variant", "B"] + sub), 65,
            "grant.campaign")
        expectRefusal(
            try setting.run(
                ["grant", served, "--campaign", "weekend-offer", "--variant", "A"] + sub), 65,
            "grant.variant")
        let shell = try setting.shell(
            "\"$SIGN\" grant \"$DIR/version-1.json\" --campaign weekend-offer --variant B --sub \"$(printf 'a\\377')\""
        )
        expectRefusal(shell, 65, "grant.subject")
    }

    @Test("a preview pin verifies, and never as a grant")
    func preview() throws {
        let answer = try setting.run([
            "preview", served, "--campaign", "weekend-offer", "--variant", "A",
        ])
        #expect(answer.isSuccess, "\(answer.errors)")
        let pin = Array(answer.output.utf8)
        #expect(try setting.run(["verify", "--preview", "-"], input: pin).isSuccess)
        #expect(
            try setting.run(["verify", "--grant", "-"], input: pin).exit == .exited(1))
        expectRefusal(
            try setting.run([
                "preview", served, "--campaign", "weekend-offer", "--variant", "A", "--ttl", "8d",
            ]), 65, "preview.lifetime")
    }
}
