import Testing

@Suite("Rules of the texts")
struct TextRuleTests {
    /// Words of work that is not done; put together here so that this file does not have them.
    private static let unfinished = [
        Pattern("to do", needle: "TO" + "DO") { /\bTO[D]O\b/ },
        Pattern("fix me", needle: "FIX" + "ME") { /\bFIX[M]E\b/ },
        Pattern("three x", needle: "X" + "XX") { /\bX[X]X\b/ },
        Pattern("hack", needle: "HA" + "CK") { /\bHA[C]K\b/ },
    ]

    /// The same in texts without capital letters.
    private static let unfinishedLowercase = [
        Pattern("for now", needle: "for " + "now") { /\bfor [n]ow\b/ },
        Pattern("not implemented", needle: "imp" + "lemented") {
            /\bnot (?:yet )?[i]mplemented\b/
        },
        Pattern("stub", needle: "stu" + "b") { /\bst[u]b(?:bed)?\b/ },
        Pattern("placeholder", needle: "place" + "holder") { /\bplace[h]older\b/ },
    ]

    private static let paths = [
        Pattern("a clone", needle: "/tmp/" + "w-") { /\/tmp\/[w]-/ },
        Pattern("a work folder", needle: "/wo" + "rk/") { /\/[w]ork\/(?:main|shared)\b/ },
        Pattern("a home folder", needle: "/ho" + "me/") { /\/ho[m]e\/[a-z]/ },
        Pattern("a home folder", needle: "/Use" + "rs/") { /\/Use[r]s\/[a-z]/ },
        Pattern("root's home", needle: "/ro" + "ot/") { /\/[r]oot\/[A-Za-z.]/ },
    ]

    static func unfinishedWords(_ text: String) -> [String] {
        Pattern.names(unfinished, in: text)
            + Pattern.names(unfinishedLowercase, in: text.lowercased())
    }

    static func machinePaths(_ text: String) -> [String] {
        Pattern.names(paths, in: text)
    }

    private func texts() throws -> [(path: String, text: String)] {
        try Repository.here.files().filter { !$0.hasSuffix(".png") }.map {
            ($0, try Repository.here.text($0))
        }
    }

    @Test("Nothing in sources, scripts and documents says that it is not finished")
    func finished() throws {
        for (path, text) in try texts() where !path.hasPrefix("Tests/") {
            #expect(Self.unfinishedWords(text).isEmpty, "\(path): \(Self.unfinishedWords(text))")
        }
    }

    @Test("No path of somebody's machine is committed")
    func machines() throws {
        // Tests make up users of their own.
        for (path, text) in try texts() where path != "Tests/LinuxIOTests/UserIdentityTests.swift" {
            #expect(Self.machinePaths(text).isEmpty, "\(path): \(Self.machinePaths(text))")
        }
    }

    @Test("Unfinished words and paths are found")
    func found() {
        for word in [
            "TO" + "DO", "FIX" + "ME", "for n" + "ow", "Not im" + "plemented", "a st" + "ub",
        ] {
            #expect(Self.unfinishedWords("// \(word): x").count == 1, "\(word)")
        }
        #expect(Self.unfinishedWords("stubborn, todo, formats for nowhere").isEmpty)
        for path in ["/ro" + "ot/.cache", "/ho" + "me/ann/x", "/Use" + "rs/ann", "/tmp/w" + "-a"] {
            #expect(Self.machinePaths("see \(path)").count == 1, "\(path)")
        }
        #expect(Self.machinePaths("/tmp/x /srv/grona /etc/grona").isEmpty)
    }
}
