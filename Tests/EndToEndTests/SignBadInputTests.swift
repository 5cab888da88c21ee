import Foundation
import LinuxIO
import StrictJSON
import TestSupport
import Testing

@Suite("grona-sign and bad input")
struct SignBadInputTests {
    private let setting: SignSetting

    init() throws {
        setting = try SignSetting()
    }

    @Test(
        "a version is written in digits, without sign, leading zero or exponent",
        arguments: [
            "+5", "-1", "007", "1e3", "0", "9223372036854775808", "9007199254740992", "", "1 ",
        ])
    func version(text: String) throws {
        let answer = try setting.run([
            "config", setting.campaigns, "--version=\(text)", "-o", setting.path("x.json"),
        ])
        expectRefusal(answer, 64, "usage.value")
        #expect(!setting.exists("x.json"))
    }

    @Test(
        "a source that is no envelope is refused, and nothing is written",
        arguments: [
            ("empty", 65), ("truncated", 65), ("binary", 65), ("array", 65), ("four", 65),
            ("missing", 66), ("folder", 66),
        ] as [(String, Int32)])
    func sources(kind: String, status: Int32) throws {
        let good = String(
            decoding: try readFile(FilePath(try setting.config(1)), limit: 1 << 20), as: UTF8.self)
        let path = "source.json"
        switch kind {
        case "empty": try setting.folder.write(path, "")
        case "truncated": try setting.folder.write(path, String(good.dropLast(10)))
        case "binary": try setting.folder.write(path, [0, 255, 1, 254])
        case "array": try setting.folder.write(path, "[\(good)]")
        case "four": try setting.folder.write(path, #"{"x":"","# + good.dropFirst())
        case "folder": try setting.folder.folder(path)
        default: break
        }
        let lines = try setting.auditLines()
        for command in [["renew"], ["restore", "--served", setting.path("version-1.json")]] {
            let answer = try setting.run(
                command + [setting.path(path), "-o", setting.path("out.json")])
            #expect(answer.exit == .exited(status), "\(command) \(answer.errors)")
            #expect(answer.output == "" && answer.errors.contains("error["))
        }
        #expect(!setting.exists("out.json"))
        #expect(try setting.auditLines() == lines)
    }

    @Test("a file of 1 GB is refused before it is read")
    func huge() throws {
        let path = setting.path("huge.json")
        try Tool.output(["truncate", "-s", "1G", path])
        let start = Date()
        expectRefusal(try setting.run(["renew", path]), 65, "input.too-large")
        try FileManager.default.moveItem(
            atPath: path, toPath: setting.path("campaigns/acme-market/huge.json"))
        expectRefusal(
            try setting.run(["config", setting.campaigns, "--version", "1"]), 65,
            "input.too-large")
        #expect(Date().timeIntervalSince(start) < 5)
    }

    @Test("campaigns with an error are refused with file, line and column")
    func lint() throws {
        try setting.folder.write(
            "campaigns/acme-market/news.json",
            "{\"id\":\"news\",\n\"kind\":\"banner\",\n\"enabled\":\"yes\"}")
        let answer = try setting.run(["config", setting.campaigns, "--version", "1"])
        #expect(answer.exit == .exited(65) && answer.output == "")
        #expect(answer.errors.contains("news.json:3:"))
    }

    @Test("a campaign folder that is a file or is not there is missing input")
    func folder() throws {
        let file = try setting.config(1)
        #expect(try setting.run(["config", file, "--version", "2"]).exit == .exited(66))
        #expect(
            try setting.run(["config", setting.path("none"), "--version", "2"]).exit
                == .exited(66))
    }

    @Test("an output that exists, or is no regular file, is refused before anything is recorded")
    func outputs() throws {
        let first = try setting.config(1)
        try setting.folder.folder("dir")
        try FileManager.default.createSymbolicLink(
            atPath: setting.path("link"), withDestinationPath: first)
        try Tool.output(["mkfifo", setting.path("pipe")])
        let lines = try setting.auditLines()
        for (path, force, code) in [
            (first, false, "output.exists"), (setting.path("dir"), true, "output.not-a-file"),
            (setting.path("link"), true, "output.not-a-file"),
            (setting.path("pipe"), true, "output.not-a-file"),
            ("/dev/null", true, "output.not-a-file"),
            (setting.path("none/x.json"), false, "output.cannot-create"),
        ] {
            let words = ["renew", first, "-o", path] + (force ? ["--force"] : [])
            expectRefusal(try setting.run(words), 73, code)
        }
        #expect(try setting.auditLines() == lines)
        #expect(try setting.run(["renew", first, "-o", first, "--force"]).isSuccess)
    }

    @Test("a full disk or a closed pipe under standard output ends with 74")
    func streams() throws {
        let first = try setting.config(1)
        let full = try setting.shell(
            "\"$SIGN\" renew \"$DIR/version-1.json\" >/dev/full")
        #expect(full.exit == .exited(74), "\(full.errors)")
        let closed = try setting.shell(
            "\"$SIGN\" renew \"$DIR/version-1.json\" >&-")
        #expect(closed.exit == .exited(74), "\(closed.errors)")
        let pipe = try setting.shell(
            "(\"$SIGN\" renew \"$DIR/version-1.json\"; echo $? >\"$DIR/status\") | true")
        #expect(pipe.isSuccess)
        let status = String(
            decoding: try readFile(FilePath(setting.path("status")), limit: 16), as: UTF8.self)
        #expect(["74\n", "0\n"].contains(status))
        #expect(try setting.run(["verify", first]).isSuccess)
    }

    @Test("arguments that are not UTF-8 are refused or, as paths, taken as they are")
    func encoding() throws {
        try setting.config(1)
        let option = try setting.shell(
            "\"$SIGN\" config \"$DIR/campaigns/acme-market\" --version \"$(printf '\\377')\"")
        #expect(option.exit == .exited(64) && option.output == "")
        let path = try setting.shell(
            "\"$SIGN\" renew \"$DIR/version-1.json\" -o \"$DIR/$(printf 'x\\377').json\"")
        #expect(path.isSuccess, "\(path.errors)")
        let missing = try setting.shell(
            "\"$SIGN\" renew \"$DIR/$(printf 'y\\377').json\"")
        #expect(missing.exit == .exited(66))
    }

    @Test("a key file that others can read, a link or another user's is refused")
    func keyFiles() throws {
        let pem = setting.path("keys/acme-market/acme-market-2026-10.pem")
        let words = ["config", setting.campaigns, "--version", "1"]
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: pem)
        expectRefusal(try setting.run(words), 77, "key.unsafe-file")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: pem)
        try FileManager.default.moveItem(atPath: pem, toPath: setting.path("real.pem"))
        try FileManager.default.createSymbolicLink(
            atPath: pem, withDestinationPath: setting.path("real.pem"))
        expectRefusal(try setting.run(words), 77, "key.unsafe-file")
        try FileManager.default.removeItem(atPath: pem)
        try FileManager.default.moveItem(atPath: setting.path("real.pem"), toPath: pem)
        if Program.isRoot {
            try Tool.output(["chown", "65534", pem])
            expectRefusal(try setting.run(words), 77, "key.unsafe-file")
            #expect(try setting.run(words, environment: ["GRONA_TRUST_UID": "65534"]).isSuccess)
        } else {
            print("skipped: only root can give a file away")
        }
    }

    @Test("no secret shows in what the program says")
    func secrets() throws {
        let pem = String(
            decoding: try readFile(
                FilePath(setting.path("keys/acme-market/acme-market-2026-10.pem")),
                limit: 1 << 16), as: UTF8.self)
        let secret = pem.split(separator: "\n")[1]
        try setting.folder.write(
            "keys/acme-market/acme-market-2026-10.pem", "junk\n" + pem, permissions: 0o600)
        let answer = try setting.run(["config", setting.campaigns, "--version", "1", "-v"])
        expectRefusal(answer, 65, "key.malformed")
        #expect(!answer.errors.contains(secret))
    }
}
