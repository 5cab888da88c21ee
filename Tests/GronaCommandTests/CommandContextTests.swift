import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import Testing

@Suite("What every command shares")
struct CommandContextTests {
    static let options: [any OptionDeclaration] = [
        SharedOptions.keys, SharedOptions.state, SharedOptions.to, SharedOptions.strict,
        SharedOptions.workspace, SharedOptions.signerTimeout,
    ]

    private func show(
        _ arguments: [String] = [], _ environment: [String: String] = [:],
        effect: CommandEffect = .reads,
        _ value: @escaping @Sendable (CommandContext) throws(Failure) -> String
    ) -> RunResult {
        Sample.run(arguments, environment: environment, effect: effect, options: Self.options) {
            context throws(Failure) in
            context.console.line(try value(context))
        }
    }

    struct Place: Sendable {
        let arguments: [String]
        let environment: [String: String]
        let state: String

        init(_ arguments: [String], _ environment: [String: String], _ state: String) {
            self.arguments = arguments
            self.environment = environment
            self.state = state
        }
    }

    static let everything = [
        "GRONA_STATE": "/env", "STATE_DIRECTORY": "/systemd:/second", "XDG_STATE_HOME": "/xdg",
        "HOME": "/users/ann",
    ]

    @Test(
        "The state folder: option, GRONA_STATE, STATE_DIRECTORY, XDG_STATE_HOME, HOME",
        arguments: [
            Place(["--state", "here"], everything, "here"), Place([], everything, "/env"),
            Place([], everything.filter { $0.key != "GRONA_STATE" }, "/systemd"),
            Place([], ["XDG_STATE_HOME": "/xdg", "HOME": "/users/ann"], "/xdg/grona"),
            Place([], ["XDG_STATE_HOME": "relative", "HOME": "/h"], "/h/.local/state/grona"),
            Place([], ["HOME": "/users/ann"], "/users/ann/.local/state/grona"),
            Place(["--state", "s"], ["GRONA_REHEARSAL": "1"], "s/rehearsal"),
        ])
    func state(_ place: Place) {
        let result = show(place.arguments, place.environment) { context throws(Failure) in
            try context.stateFolder().description
        }
        #expect(result.status == .success)
        #expect(result.output == place.state + "\n")
    }

    @Test("Without any of these the state is a fault of the settings")
    func noState() {
        for environment in [[:], ["HOME": "relative"], ["HOME": ""]] {
            let result = show([], environment) { context throws(Failure) in
                try context.stateFolder().description
            }
            #expect(result.status == .configuration)
            #expect(result.errors.contains("error[settings.state]"))
        }
    }

    @Test("A store comes from the option, then GRONA_STORE; without both it is 78")
    func store() {
        func store(_ arguments: [String], _ environment: [String: String]) -> RunResult {
            show(arguments, environment) { context throws(Failure) in try context.to() }
        }
        #expect(store(["--to", "file:a"], ["GRONA_STORE": "file:b"]).output == "file:a\n")
        #expect(store([], ["GRONA_STORE": "file:b"]).output == "file:b\n")
        let none = store([], [:])
        #expect(none.status == .configuration)
        #expect(none.errors.contains("error[settings.store]"))
    }

    @Test("A variable with a value of another form is wrong use and named")
    func badVariable() {
        let good = show([], ["GRONA_WORKSPACE": "acme-market"]) { context throws(Failure) in
            try context.requireWorkspace().text
        }
        #expect(good.output == "acme-market\n")
        let bad = show([], ["GRONA_WORKSPACE": "Acme"]) { context throws(Failure) in
            try context.requireWorkspace().text
        }
        #expect(bad.status == .usage)
        #expect(bad.errors.contains("GRONA_WORKSPACE 'Acme'"))
        let missing = show { context throws(Failure) in try context.requireWorkspace().text }
        #expect(missing.status == .usage)
        #expect(missing.errors.contains("--workspace is missing"))
    }

    @Test("A command that reads takes --now; one that acts only in a rehearsal")
    func now() {
        func now(
            _ effect: CommandEffect, _ environment: [String: String] = [:]
        ) -> RunResult {
            show(["--now", "2026-10-29T09:00:00Z"], environment, effect: effect) {
                context throws(Failure) in String(context.now.seconds)
            }
        }
        #expect(now(.reads).output == "1793264400\n")
        let refused = now(.acts)
        #expect(refused.status == .usage)
        #expect(refused.errors.contains("error[usage.now]"))
        #expect(refused.output.isEmpty)
        let rehearsed = now(.acts, ["GRONA_REHEARSAL": "1"])
        #expect(rehearsed.status == .success)
        #expect(rehearsed.output == "1793264400\n")
        #expect(now(.acts, ["GRONA_REHEARSAL": "0"]).status == .usage)
    }

    @Test(
        "Times and durations of another form are wrong use",
        arguments: [
            "2026-10-29", "2026-10-29T09:00:00", "1577836799", "4102444801", "+1793264400",
            "2026-10-29T09:00:00.5Z", "2026-10-29T09:00:60Z", "now", "",
        ])
    func times(_ text: String) {
        let result = show(["--now=\(text)"]) { context throws(Failure) in "x" }
        #expect(result.status == .usage)
        #expect(result.errors.contains("expected a time"))
    }

    @Test("Both ends of the years are taken", arguments: ["1577836800", "4102444800"])
    func timeEnds(_ text: String) {
        #expect(show(["--now", text]) { _ in "x" }.status == .success)
    }

    @Test("A rehearsal is said first, also with -q; any other value of the variable is refused")
    func rehearsal() {
        let result = show(["-q"], ["GRONA_REHEARSAL": "1"], effect: .acts) {
            context throws(Failure) in
            context.console.report(.warning(code: "w", message: "m"))
            return context.isRehearsal ? "yes" : "no"
        }
        #expect(result.output == "yes\n")
        #expect(result.errors.hasPrefix("grona-sign: rehearsal"))
        for value in ["true", "yes", "2", " 1"] {
            let wrong = show([], ["GRONA_REHEARSAL": value]) { _ in "x" }
            #expect(wrong.status == .configuration)
            #expect(wrong.errors.contains("error[rehearsal.value]"))
        }
        #expect(!show([], ["GRONA_REHEARSAL": "0"]) { _ in "x" }.errors.contains("rehearsal"))
    }

    @Test("--strict makes a warning an error")
    func strict() {
        func warn(_ arguments: [String]) -> RunResult {
            show(arguments) { context throws(Failure) in
                try context.warn(.warning(code: "odd", message: "m"))
                return "done"
            }
        }
        let plain = warn([])
        #expect(plain.status == .success)
        #expect(plain.errors == "grona-sign: warning[odd]: m\n")
        let strict = warn(["--strict"])
        #expect(strict.status == .refused)
        #expect(strict.errors == "grona-sign: error[odd]: m\n")
        #expect(strict.output.isEmpty)
    }

    @Test("The signer's deadline is 30 seconds, or what is given")
    func signerTimeout() {
        func timeout(_ arguments: [String]) -> RunResult {
            show(arguments) { context throws(Failure) in
                String(try context.signerTimeout().seconds)
            }
        }
        #expect(timeout([]).output == "30\n")
        #expect(timeout(["--signer-timeout", "2m"]).output == "120\n")
        #expect(timeout(["--signer-timeout", "2x"]).status == .usage)
        #expect(timeout(["--signer-timeout", "1"]).output == "1\n")
        #expect(timeout(["--signer-timeout", "0"]).status == .usage)
        #expect(timeout(["--signer-timeout", "0s"]).status == .usage)
    }

    @Test("settings shows each value and where it comes from")
    func settings() {
        let environment = ["GRONA_KEYS": "/etc/grona/keys", "STATE_DIRECTORY": "/var/lib/grona"]
        let program = CommandLineKit.Program(
            name: "grona-sign", version: "1", manualDate: "November 30, 2026", summary: "s",
            commands: [
                SettingsCommand.command([
                    SharedSettings.keys, SharedSettings.state,
                    SharedSettings.workspace, SharedSettings.signerTimeout,
                ])
            ])
        let text = Sample.run(
            ["settings", "--workspace", "acme-market"], environment: environment, program: program)
        #expect(
            text.output == """
                setting         value            from
                keys            /etc/grona/keys  environment, GRONA_KEYS
                state           /var/lib/grona   environment, STATE_DIRECTORY
                workspace       acme-market      command line
                signer-timeout  30s              built-in

                """)
        let json = Sample.run(["settings", "--json"], environment: environment, program: program)
        #expect(
            json.output == """
                {"keys":{"origin":"environment","value":"/etc/grona/keys","variable":"GRONA_KEYS"},\
                "signer-timeout":{"origin":"built-in","value":"30s"},\
                "state":{"origin":"environment","value":"/var/lib/grona",\
                "variable":"STATE_DIRECTORY"},"workspace":{"origin":null,"value":null}}

                """)
    }
}
