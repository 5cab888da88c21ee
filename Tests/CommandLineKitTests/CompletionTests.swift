import CommandLineKit
import Foundation
import Testing

/// The shells themselves load the scripts and complete with them.
@Suite("Completions")
struct CompletionTests {
    static let shells = ["bash", "zsh", "fish"]

    @Test("The scripts have not changed unnoticed", arguments: shells)
    func golden(_ shell: String) throws {
        let result = Sample.run("completions", shell)
        #expect(result.status == .success)
        try Golden.expect(result.output, "completions.\(shell)")
    }

    @Test("Another shell is a usage error")
    func unknownShell() {
        #expect(Sample.run("completions", "tcsh").status == .usage)
        #expect(Sample.run("completions").status == .usage)
    }

    @Test(
        "The shell's own check of the syntax passes",
        arguments: [("bash", "-n"), ("zsh", "-n"), ("fish", "--no-execute")])
    func syntax(_ shell: String, _ flag: String) throws {
        try Tool.withFolder { folder in
            let file = folder.appending(path: "script")
            try Data(Sample.run("completions", shell).output.utf8).write(to: file)
            let result = try Tool.run([shell, flag, file.path()])
            #expect(result.status == 0, "\(result.output)")
            #expect(result.output.isEmpty, "\(result.output)")
        }
    }

    struct Line: Sendable, CustomTestStringConvertible {
        let typed: String
        let offered: [String]
        let absent: [String]
        var testDescription: String { typed }

        init(_ typed: String, _ offered: [String], not absent: [String] = []) {
            self.typed = typed
            self.offered = offered
            self.absent = absent
        }
    }

    static let lines = [
        Line(
            "bakery ", ["bake", "sell", "keys", "help", "completions"], not: ["list", "--force"]),
        Line("bakery b", ["bake"], not: ["sell"]),
        Line("bakery keys ", ["list", "show"], not: ["bake"]),
        Line("bakery keys s", ["show"], not: ["list", "sell"]),
        Line("bakery bake --f", ["--force"], not: ["--batch"]),
        Line("bakery sell --b", ["--batch"], not: ["--force"]),
        Line("bakery bake --shape ", ["round", "long"], not: ["bake", "--force"]),
        Line("bakery --store here keys ", ["list", "show"], not: ["bake"]),
        Line("bakery completions ", ["bash", "zsh", "fish"], not: ["bake"]),
        Line("bakery help ", ["bake", "keys"]),
    ]

    @Test("bash offers what can stand there", arguments: lines)
    func bash(_ line: Line) throws {
        let words = line.typed.split(separator: " ", omittingEmptySubsequences: false)
        let quoted = words.map { "'\($0)'" }.joined(separator: " ")
        let offered = try complete(
            "bash",
            """
            source ./script
            COMP_WORDS=(\(quoted))
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
            _bakery
            printf '%s\\n' "${COMPREPLY[@]}"
            """)
        expect(line, offered)
    }

    @Test("bash completes a value after = and files after an option")
    func bashValues() throws {
        func offered(_ words: String) throws -> [String] {
            try complete(
                "bash",
                """
                source ./script
                touch flour-file; mkdir flour-dir
                COMP_WORDS=(\(words))
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                _bakery
                printf '%s\\n' "${COMPREPLY[@]}"
                """)
        }
        #expect(try offered("bakery bake --shape '='") == ["round", "long"])
        #expect(try offered("bakery bake --shape '=' l") == ["long"])
        #expect(try offered("bakery bake --output fl").sorted() == ["flour-dir", "flour-file"])
        #expect(try offered("bakery bake fl") == ["flour-dir"])
        #expect(try offered("bakery bake -- --f").isEmpty)
    }

    @Test("zsh offers what can stand there", arguments: lines)
    func zsh(_ line: Line) throws {
        let offered = try complete(
            "zsh",
            """
            zmodload zsh/zpty
            zpty -b shell zsh -f -i
            send() { zpty -w shell "$1" }
            send 'PS1= PS2= RPS1='
            send 'autoload -Uz compinit; compinit -u -D; source ./script'
            send 'zstyle ":completion:*" list-grouped false; setopt no_always_last_prompt'
            send 'unsetopt zle_bracketed_paste prompt_cr prompt_sp; bindkey "^I" list-choices; LISTMAX=0'
            send 'COLUMNS=200; print READY-$((1 + 1))'
            until [[ $all == *READY-2* ]]; do zpty -r shell part && all+=$part; done
            all=
            zpty -n -w shell $'\(line.typed)\\t'
            for try in {1..40}; do
                sleep 0.05
                while zpty -r -t shell part; do all+=$part; tries=0; done
                [[ $all == *\(line.offered.last ?? "")* && $try -gt 8 ]] && break
            done
            print -r -- "$all"
            zpty -d shell
            """)
        let words = Set(
            offered.joined(separator: "\n")
                .replacing(/\u{1B}\[[0-9;?]*[A-Za-z]/, with: " ")
                .split(whereSeparator: { " \r\n\t\u{07}\u{08}".contains($0) }).map(String.init))
        // With one candidate the line itself is completed.
        for word in line.offered {
            #expect(words.contains(word), "\(word) in \(words)")
        }
        for word in line.absent where !line.typed.contains(word) {
            #expect(!words.contains(word), "\(word) in \(words)")
        }
    }

    @Test("fish offers what can stand there", arguments: lines)
    func fish(_ line: Line) throws {
        let offered = try complete(
            "fish", "source ./script\ncomplete -C '\(line.typed)'"
        ).map { $0.split(separator: "\t").first.map(String.init) ?? "" }
        expect(line, offered)
    }

    private func expect(_ line: Line, _ offered: [String]) {
        for word in line.offered { #expect(offered.contains(word), "\(word) in \(offered)") }
        for word in line.absent { #expect(!offered.contains(word), "\(word) in \(offered)") }
    }

    /// Runs lines of a shell in a folder that has the completions as the file `script`.
    private func complete(_ shell: String, _ lines: String) throws -> [String] {
        try Tool.withFolder { folder in
            try Data(Sample.run("completions", shell).output.utf8)
                .write(to: folder.appending(path: "script"))
            try Data(lines.utf8).write(to: folder.appending(path: "run"))
            let result = try Tool.run([
                "env", "HOME=\(folder.path())", "TERM=dumb", "sh", "-c",
                "cd '\(folder.path())' && \(shell == "fish" ? "fish -N" : shell == "zsh" ? "zsh -f" : "bash --norc") ./run",
            ])
            return result.output.split(separator: "\n").map(String.init)
        }
    }
}
