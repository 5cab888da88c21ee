import Foundation
import LinuxIO
import StrictJSON
import TestSupport
import Testing

@Suite("grona-sign batches")
struct SignBatchTests {
    private let setting: SignSetting

    init() throws {
        setting = try SignSetting()
    }

    private func text(_ path: String) throws -> String {
        String(decoding: try readFile(FilePath(path), limit: 1 << 20), as: UTF8.self)
    }

    private func lines(_ answer: Program.Answer) throws -> [JSONElement] {
        try answer.output.split(separator: "\n").map {
            try JSONDocument.parse(Array($0.utf8)).root
        }
    }

    @Test("good and bad lines are answered in order, and the run ends with 65")
    func order() throws {
        let served = try text(try setting.config(1))
        let input = [
            #"{"id":"a","envelope":\#(served),"version":2}"#, "", "{",
            #"{"id":"b","envelope":\#(served),"version":3,"disable":["news"]}"#,
            #"{"id":"c","envelope":\#(served),"version":3}"#,
        ].joined(separator: "\n")
        let answer = try setting.run(["renew", "--batch"], input: Array(input.utf8))
        #expect(answer.exit == .exited(65))
        let found = try lines(answer)
        #expect(found.map { $0["id"]?.string } == ["a", nil, "b", "c"])
        #expect(found[0]["envelope"]?.count == 3)
        #expect(found[0]["audit"]?.string?.utf8.count == 64)
        #expect(found[1]["error"]?["code"]?.string == "json.truncated")
        #expect(found[2]["error"]?["code"]?.string == "request.disable")
        #expect(found[3]["envelope"] != nil)
        // The line of the input, blank ones counted.
        #expect(found[1]["error"]?["line"]?.integer == 3)
        #expect(found[2]["error"]?["line"]?.integer == 4)
        let good = try setting.run(
            ["renew", "--batch", "--allow-disable"],
            input: Array(#"{"id":"b","envelope":\#(served),"version":4,"disable":["news"]}"#.utf8))
        #expect(good.isSuccess)
    }

    @Test("a question is answered from the log, by no signature, and takes nothing else")
    func standing() throws {
        let (first, second) = (try text(try setting.config(1)), try text(try setting.config(2)))
        func ask(_ envelope: String, _ more: String = "") throws -> JSONElement {
            let line = #"{"id":"a","envelope":\#(envelope),"standing":true\#(more)}"#
            return try lines(
                try setting.run(["renew", "--batch", "--json"], input: Array(line.utf8)))[0]
        }
        let before = try setting.auditLines()
        #expect(try ask(first)["standing"]?.string == "signed")
        #expect(try ask(first)["signed_version"]?.integer == 2)
        #expect(try setting.auditLines() == before)
        let withdrawn = try setting.run([
            "audit", "withdraw", "acme-market", "2", "--reason", "a mistake",
        ])
        #expect(withdrawn.isSuccess)
        #expect(try ask(second)["standing"]?.string == "withdrawn")
        #expect(try ask(second)["signed_version"]?.integer == 1)
        let forgetful = try setting.run(
            ["renew", "--batch", "--json", "--state", setting.path("other")],
            input: Array(#"{"id":1,"envelope":\#(first),"standing":true}"#.utf8))
        #expect(try lines(forgetful)[0]["standing"]?.string == "unknown")
        #expect(try ask(first, #","version":3"#)["error"]?["code"]?.string == "request.member")
        let no = #"{"id":"a","envelope":\#(first),"standing":false,"version":3}"#
        let answer = try setting.run(["renew", "--batch", "--json"], input: Array(no.utf8))
        #expect(try lines(answer)[0]["error"]?["code"]?.string == "request.member")
    }

    @Test(
        "a member of another type is named with what it takes",
        arguments: [
            (#""version":"2""#, "a whole number"), (#""version":2,"lifetime":[]"#, "12h"),
            (#""version":2,"disable":"news""#, "an array of campaign ids"),
        ])
    func member(text: String, expected: String) throws {
        let served = try self.text(try setting.config(1))
        let answer = try setting.run(
            ["renew", "--batch", "--json"],
            input: Array("{\"id\":\"\u{202E}\",\"envelope\":\(served),\(text)}".utf8))
        let error = try #require(try lines(answer).first?["error"])
        #expect(error["code"]?.string == "request.member")
        #expect(error["message"]?.string?.contains(expected) == true)
        #expect(answer.output.contains(#""id":"\u202e""#), "\(answer.output)")
        // The count of those that were refused is JSON, too.
        let last = try #require(answer.errors.split(separator: "\n").last)
        #expect(try JSONDocument.parse(Array(last.utf8)).root["note"] != nil)
    }

    @Test("a reused version carries the next free one")
    func reused() throws {
        let served = try text(try setting.config(1))
        let line = #"{"id":"a","envelope":\#(served),"version":2,"lifetime":"30d"}"# + "\n"
        _ = try setting.run(["renew", "--batch"], input: Array(line.utf8))
        Thread.sleep(forTimeInterval: 1.1)
        let answer = try setting.run(["renew", "--batch"], input: Array(line.utf8))
        let error = try #require(try lines(answer).first?["error"])
        #expect(error["code"]?.string == "version.reused")
        #expect(error["next_version"]?.integer == 3)
    }

    @Test("each answer comes before the next request is sent")
    func interactive() throws {
        let served = try text(try setting.config(1))
        let process = Process()
        process.executableURL = URL(fileURLWithPath: setting.program)
        process.arguments = ["renew", "--batch"]
        process.environment = setting.environment()
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        for version in 2...4 {
            let line = #"{"id":\#(version),"envelope":\#(served),"version":\#(version)}"# + "\n"
            input.fileHandleForWriting.write(Data(line.utf8))
            var answer = Data()
            while answer.last != 0x0A {
                let more = output.fileHandleForReading.availableData
                try #require(!more.isEmpty)
                answer += more
            }
            let root = try JSONDocument.parse(Array(answer.dropLast())).root
            #expect(root["id"]?.integer == Int64(version))
            #expect(root["envelope"] != nil)
        }
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    @Test("a bad keyring takes out only its own workspace")
    func badKeyring() throws {
        let served = try text(try setting.config(1))
        try setting.writeCampaigns(workspace: "other-shop")
        let made = try setting.run([
            "keys", "generate", "--workspace", "other-shop", "--use", "config", "--kid",
            "other-2026-10", "--signer", "file:k.pem",
        ])
        #expect(made.isSuccess)
        let other = setting.path("other.json")
        #expect(
            try setting.run([
                "config", setting.path("campaigns/other-shop"), "--version", "1", "-o", other,
            ]).isSuccess)
        let otherText = try text(other)
        let ring = try text(setting.path("keys/other-shop/keyring.json"))
        try setting.folder.write(
            "keys/other-shop/keyring.json",
            ring.replacingOccurrences(of: #""format":1"#, with: #""format":2"#),
            permissions: 0o600)
        let input =
            #"{"id":"x","envelope":\#(otherText),"version":2}"# + "\n"
            + #"{"id":"a","envelope":\#(served),"version":2}"# + "\n"
        let answer = try setting.run(["renew", "--batch"], input: Array(input.utf8))
        let found = try lines(answer)
        #expect(found[0]["error"] != nil)
        #expect(found[1]["envelope"] != nil)
    }

    @Test("a line of over 1 MiB is refused and skipped")
    func longLine() throws {
        let served = try text(try setting.config(1))
        let long = #"{"id":"a","x":""# + String(repeating: "x", count: 1 << 20) + #""}"#
        let input = long + "\n" + #"{"id":"b","envelope":\#(served),"version":2}"#
        let found = try lines(setting.run(["renew", "--batch"], input: Array(input.utf8)))
        #expect(found[0]["error"]?["code"]?.string == "input.too-large")
        #expect(found[1]["envelope"] != nil)
    }

    @Test("options that a batch does not take are wrong use")
    func options() throws {
        for words in [
            ["--version", "2"], ["--disable", "news"], ["--enable", "news"], ["-n"],
            ["--lifetime", "1d"], ["-o", "x"], ["--shorten"],
        ] {
            #expect(try setting.run(["renew", "--batch"] + words).exit == .exited(64))
        }
        expectRefusal(
            try setting.run(["renew", "--allow-disable", "x"]), 64, "usage.allow-disable")
    }
}
