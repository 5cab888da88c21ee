import CommandLineKit
import Foundation
import LinuxIO
import Synchronization
import Testing

@Suite("Settings")
struct SettingsTests {
    static let store = Option(
        "store", .text("STORE"), environment: ["BAKERY_STORE", "SHOP"], help: "where")
    static let shelf = Option("shelf", .folder(), environment: ["BAKERY_SHELF"], help: "the shelf")
    static let secret = Option("secret", .text("S"), environment: ["BAKERY_SECRET"], help: "s")
    static let strict = Flag("strict", help: "strict")
    static let declared = [
        Setting(
            store, kind: .address, isTakenFromFile: true,
            builtIn: { _ in SettingValue("file:shop", .builtIn(nil)) }),
        Setting(shelf, kind: .path, isTakenFromFile: true),
        Setting(secret, kind: .text, isTakenFromFile: false),
        Setting(strict, environment: ["BAKERY_STRICT"], isTakenFromFile: true),
    ]

    /// Runs with arguments, environment and a settings file, and gives value and origin by name.
    private func resolve(
        _ arguments: [String] = [], _ environment: [String: String] = [:], file: String? = nil,
        at path: FilePath = "../bakery.json"
    ) throws -> [String: SettingValue] {
        let found = Mutex<[String: SettingValue]>([:])
        let show = Command(
            "show", summary: "show", options: [Self.store, Self.shelf, Self.secret, Self.strict]
        ) { call throws(Failure) in
            let read = try file.map { text throws(Failure) in
                try SettingsFile(Array(text.utf8), path: path)
            }
            let settings = try Settings(Self.declared, call: call, file: read)
            for setting in Self.declared {
                let value = try settings.value(setting)
                found.withLock { $0[setting.name] = value }
            }
            return .success
        }
        let program = Program(
            name: "p", version: "1", manualDate: "November 30, 2026", summary: "s", commands: [show]
        )
        let errors = MemoryStream()
        let values = EnvironmentValues(environment)
        let status = program.run(
            arguments: (["show"] + arguments).map { Array($0.utf8) },
            console: Console(
                program: "p", output: MemoryStream(), errors: errors, environment: values),
            environment: values)
        guard status == .success else { throw Refused(status: status, text: errors.text) }
        return found.withLock { $0 }
    }

    struct Refused: Error, Equatable {
        let status: CommandLineKit.ExitStatus
        let text: String
    }

    static let file =
        #"{"format":1, "$about":"x", "store":"file:in-file", "shelf":"low", "strict":true}"#

    @Test("A flag wins over the environment, that over the file, that over the built-in value")
    func precedence() throws {
        let environment = ["BAKERY_STORE": "file:in-env"]
        #expect(
            try resolve(["--store", "a"], environment, file: Self.file)["store"]
                == SettingValue("a", .option))
        #expect(
            try resolve([], environment, file: Self.file)["store"]
                == SettingValue("file:in-env", .environment("BAKERY_STORE")))
        #expect(
            try resolve([], file: Self.file)["store"]
                == SettingValue(
                    "file:../in-file", .file(path: "../bakery.json", line: 1, column: 36)))
        #expect(try resolve()["store"] == SettingValue("file:shop", .builtIn(nil)))
        #expect(try resolve()["shelf"] == nil)
    }

    @Test("The first variable that is set counts, an empty one is not set")
    func variables() throws {
        #expect(
            try resolve([], ["BAKERY_STORE": "", "SHOP": "b"])["store"]
                == SettingValue("b", .environment("SHOP")))
        #expect(
            try resolve([], ["BAKERY_STORE": "a", "SHOP": "b"])["store"]
                == SettingValue("a", .environment("BAKERY_STORE")))
    }

    @Test("A relative path of the file starts at its folder, an absolute one does not")
    func relative() throws {
        #expect(try resolve([], file: Self.file)["shelf"]?.text == "../low")
        #expect(try resolve([], file: Self.file, at: "bakery.json")["shelf"]?.text == "low")
        let absolute = #"{"format":1,"shelf":"/low","store":"https://x"}"#
        #expect(try resolve([], file: absolute)["shelf"]?.text == "/low")
        #expect(try resolve([], file: absolute)["store"]?.text == "https://x")
    }

    @Test("Flags as settings")
    func flags() throws {
        #expect(try resolve()["strict"]?.text == "false")
        #expect(try resolve(["--strict"])["strict"] == SettingValue("true", .option))
        #expect(try resolve([], file: Self.file)["strict"]?.text == "true")
        #expect(try resolve([], ["BAKERY_STRICT": "1"])["strict"]?.text == "1")
        #expect(throws: Refused.self) { try resolve([], ["BAKERY_STRICT": "yes"]) }
    }

    @Test(
        "A settings file with a fault is refused with 78 and its place",
        arguments: [
            (#"{"format":1,"secret":"x"}"#, "settings.not-from-file]: ../bakery.json:1:22 /secret"),
            (#"{"format":1,"stroe":"x"}"#, "settings.unknown]: ../bakery.json:1:21 /stroe"),
            (#"{"format":2}"#, "settings.format]: ../bakery.json:1:11 /format"),
            (#"{"store":"x"}"#, "settings.format]: ../bakery.json:1:1"),
            (#"{"format":1,"store":[]}"#, "settings.value]"),
            (#"{"format":1,"store":1.5}"#, "settings.value]"),
            (#"{"format":1,"store":null}"#, "settings.value]"),
            (#"{"format":1,"store":""}"#, "settings.value]"),
            (#"{"format":1,"strict":"yes"}"#, "settings.value]"),
            (#"[1]"#, "settings.json]"),
            (#"{"format":1,"store":"x","store":"y"}"#, "json.duplicate-name]"),
            ("", "json.truncated]"),
        ])
    func faults(_ text: String, _ words: String) throws {
        let error = #expect(throws: Refused.self) { _ = try resolve([], file: text) }
        #expect(error?.status == .configuration)
        #expect(error?.text.contains(words) == true, "\(error?.text ?? "")")
        #expect(throws: Never.self) { try resolve([], file: #"{"format":1,"store":"x"}"#) }
    }

    @Test("The search goes upward and stops at .git, at the home folder and at the root")
    func search() throws {
        try Tool.withFolder { root in
            let manager = FileManager.default
            let deep = root.appending(path: "a/b/c")
            try manager.createDirectory(at: deep, withIntermediateDirectories: true)
            func path(_ url: URL) -> FilePath { FilePath(url.path()) }
            func found(home: URL? = nil, from start: URL) -> String? {
                SettingsSearch(name: "bakery.json", start: path(start), home: home.map(path))
                    .run()?.description
            }
            #expect(found(from: deep) == nil)
            try Data().write(to: root.appending(path: "a/bakery.json"))
            #expect(found(from: deep)?.hasSuffix("../../bakery.json") == true)
            #expect(found(from: root.appending(path: "a"))?.hasSuffix("/a/bakery.json") == true)
            #expect(found(from: root) == nil)
            // The folder with .git and the home folder are looked at, those above are not.
            #expect(found(home: root.appending(path: "a"), from: deep) != nil)
            #expect(found(home: root.appending(path: "a/b"), from: deep) == nil)
            try manager.createDirectory(
                at: root.appending(path: "a/b/.git"), withIntermediateDirectories: true)
            #expect(found(from: deep) == nil)
            try Data().write(to: root.appending(path: "a/b/bakery.json"))
            #expect(found(from: deep)?.hasSuffix("/../bakery.json") == true)
        }
    }
}
