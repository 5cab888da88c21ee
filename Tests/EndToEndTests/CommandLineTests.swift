import LinuxIO
import StrictJSON
import TestSupport
import Testing

/// What the built programs do at their edges: arguments, streams, settings.
@Suite("Command lines of the built programs")
struct CommandLineTests {
    static let names = ["grona-sign", "grona-publish"]

    private static func path(_ name: String) -> String {
        Program.folder.appending(name).description
    }

    /// Runs a line of the shell in a folder, with `$program` set.
    private func shell(
        _ name: String, _ line: String, in folder: TestFolder? = nil,
        environment: [String: String] = [:], asUser user: UInt32? = nil
    ) throws -> Program.Answer {
        var all = ["PATH": "/usr/bin:/bin", "program": Self.path(name), "HOME": "/nonexistent"]
        all.merge(environment) { $1 }
        let place = folder?.path.description ?? "/"
        return try Program.run(
            ["/bin/sh", "-c", "cd '\(place)' && \(line)"], environment: all, asUser: user)
    }

    @Test("Version and help succeed, and touch neither settings nor state", arguments: names)
    func quickWays(_ name: String) throws {
        let folder = try TestFolder()
        try folder.write("grona.json", "no settings at all")
        for line in ["--version", "--help", "help", "-h", "help settings", "settings --help"] {
            let answer = try shell(name, "\"$program\" \(line)", in: folder)
            #expect(answer.isSuccess, "\(line): \(answer.errors)")
            #expect(answer.errors.isEmpty)
            #expect(!answer.output.isEmpty)
        }
        #expect(try shell(name, "\"$program\" settings", in: folder).exit == .exited(78))
        #expect(try shell(name, "\"$program\" --version").output == "\(name) 0.1.0\n")
    }

    @Test("No arguments: short usage on standard error, 64", arguments: names)
    func noArguments(_ name: String) throws {
        let answer = try shell(name, "\"$program\"")
        #expect(answer.exit == .exited(64))
        #expect(answer.output.isEmpty)
        #expect(answer.errors.hasPrefix("usage: \(name) "))
    }

    @Test(
        "Arguments that are not UTF-8 are refused with 64 and never trap",
        arguments: names,
        [
            #"$(printf '\377')"#, #"settings --workspace $(printf 'a\377')"#,
            #"--$(printf '\377')"#, #"-$(printf '\377')"#, #"help $(printf '\300\200')"#,
            #"completions $(printf 'bash\200')"#,
        ])
    func notUTF8(_ name: String, _ arguments: String) throws {
        let answer = try shell(name, "\"$program\" \(arguments)")
        #expect(answer.exit == .exited(64), "\(answer.errors)")
        #expect(answer.output.isEmpty)
        #expect(answer.errors.hasPrefix("\(name): error[usage."))
    }

    @Test("A path may be any bytes", arguments: names)
    func bytePath(_ name: String) throws {
        let answer = try shell(name, #""$program" settings --keys "$(printf 'a\377')""#)
        #expect(answer.isSuccess, "\(answer.errors)")
    }

    @Test("A full disk and a closed pipe end with 74 and say so", arguments: names)
    func streams(_ name: String) throws {
        for line in ["help", "--version", "settings", "settings --json", "man", "completions zsh"] {
            let full = try shell(name, "\"$program\" \(line) >/dev/full")
            #expect(full.exit == .exited(74), "\(line): \(full.errors)")
            #expect(full.errors.contains("output.failed"))
            let closed = try shell(
                name, "{ \"$program\" \(line); echo $? >&3; } 3>&2 2>&1 | true",
                in: try TestFolder())
            #expect(closed.errors.hasSuffix("74\n") || closed.errors.hasSuffix("0\n"))
        }
        // A reader that is gone for sure.
        let gone = try shell(
            name, "{ sleep 0.2; \"$program\" man 2>&3; echo $? >&3; } 3>&2 | :",
            in: try TestFolder())
        #expect(gone.errors.contains("output.closed"))
        #expect(gone.errors.hasSuffix("74\n"))
        #expect(try shell(name, "\"$program\" help >/dev/null").isSuccess)
        #expect(try shell(name, "\"$program\" help >&-").exit == .exited(74))
        #expect(try shell(name, "\"$program\" >/dev/full").exit == .exited(64))
    }

    @Test(
        "JSON: a mistake is one JSON line on standard error, and nothing on standard output",
        arguments: names)
    func jsonMistake(_ name: String) throws {
        let answer = try shell(name, "\"$program\" settings --json --nope")
        #expect(answer.exit == .exited(64))
        #expect(answer.output.isEmpty)
        let root = try JSONDocument.parse(Array(answer.errors.utf8)).root
        #expect(root["error"]?["code"]?.string == "usage.unknown-option")
        #expect(root["error"]?["help"]?.string != nil)
    }

    @Test("grona.json is found upward, and only up to .git")
    func settingsFile() throws {
        let folder = try TestFolder()
        try folder.write(
            "grona.json", #"{"format": 1, "workspace": "acme-market", "campaigns": "c"}"#)
        try folder.folder("deep/er")
        let below = "cd deep/er && \"$program\" settings --json"
        let found = try JSONDocument.parse(
            Array(try shell("grona-sign", below, in: folder).output.utf8)
        ).root
        #expect(found["workspace"]?["value"]?.string == "acme-market")
        #expect(found["workspace"]?["origin"]?.string == "file")
        #expect(found["workspace"]?["file"]?.string == "../../grona.json")
        #expect(found["workspace"]?["line"]?.integer == 1)
        #expect(found["campaigns"]?["value"]?.string == "../../c")
        try folder.folder("deep/.git")
        let stopped = try JSONDocument.parse(
            Array(try shell("grona-sign", below, in: folder).output.utf8)
        ).root
        #expect(stopped["workspace"]?["value"]?.kind == .null)
        let environment = try shell(
            "grona-sign", "\"$program\" settings --json", in: folder,
            environment: ["GRONA_WORKSPACE": "other"])
        #expect(environment.output.contains(#""value":"other","variable":"GRONA_WORKSPACE""#))
    }

    @Test(
        "Who signs, with what, trusting what, is never taken from grona.json",
        arguments: ["signer", "keys", "state", "pins"])
    func neverFromFile(_ name: String) throws {
        let folder = try TestFolder()
        try folder.write("grona.json", #"{"format": 1, "\#(name)": "x"}"#)
        let answer = try shell("grona-sign", "\"$program\" settings", in: folder)
        #expect(answer.exit == .exited(78))
        #expect(answer.errors.contains("error[settings.not-from-file]: grona.json:1:"))
        try folder.write("grona.json", #"{"format": 1, "campaigns": "x"}"#)
        #expect(try shell("grona-sign", "\"$program\" settings", in: folder).isSuccess)
    }

    @Test("A grona.json that others may write to is left out, with a warning")
    func unsafeFile() throws {
        let folder = try TestFolder()
        let text = #"{"format": 1, "workspace": "acme-market"}"#
        try folder.write("grona.json", text, permissions: 0o666)
        let unsafe = try shell("grona-sign", "\"$program\" settings", in: folder)
        #expect(unsafe.isSuccess)
        #expect(unsafe.errors.contains("warning[unsafe.owner]"))
        #expect(unsafe.errors.contains("chmod go-w"))
        #expect(!unsafe.output.contains("acme-market"))
        try folder.write("grona.json", text, permissions: 0o644)
        let safe = try shell("grona-sign", "\"$program\" settings", in: folder)
        #expect(safe.errors.isEmpty)
        #expect(safe.output.contains("acme-market"))
    }

    @Test("A grona.json of somebody else is left out", .enabled(if: Program.isRoot, "needs root"))
    func foreignFile() throws {
        let folder = try TestFolder()
        try folder.write("grona.json", #"{"format": 1, "workspace": "acme-market"}"#)
        try folder.own("grona.json", by: Program.nobody)
        let foreign = try shell("grona-sign", "\"$program\" settings", in: folder)
        #expect(foreign.errors.contains("warning[unsafe.owner]"))
        let trusted = try shell(
            "grona-sign", "\"$program\" settings", in: folder,
            environment: ["GRONA_TRUST_UID": "\(Program.nobody)"])
        #expect(trusted.errors.isEmpty)
        #expect(trusted.output.contains("acme-market"))
    }
}
