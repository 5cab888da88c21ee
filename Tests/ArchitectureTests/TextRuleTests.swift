import Testing

@Suite("Rules of the texts")
struct TextRuleTests {
    /// Words of work that is not done; put together here so that this file does not have them.
    nonisolated(unsafe) private static let unfinished: [(String, Regex<Substring>)] = [
        ("to do", /\bTO[D]O\b/), ("fix me", /\bFIX[M]E\b/), ("x x x", /\bX[X]X\b/),
        ("hack", /\bHA[C]K\b/), ("for now", /(?i)\bfor [n]ow\b/),
        ("not implemented", /(?i)\bnot (yet )?[i]mplemented\b/), ("stub", /(?i)\bst[u]b(bed)?\b/),
        ("placeholder", /(?i)\bplace[h]older\b/),
    ]

    nonisolated(unsafe) private static let paths: [(String, Regex<Substring>)] = [
        ("a clone", /\/tmp\/[w]-/), ("a work folder", /\/[w]ork\/(main|shared)\b/),
        ("a home folder", /\/(ho[m]e|Use[r]s)\/(?!USER)[a-z]/),
        ("root's home", /\/[r]oot\/[A-Za-z.]/),
        ("a build", /\.build\/x86_64-[a-z]/),
    ]

    static func unfinishedWords(_ text: String) -> [String] {
        unfinished.filter { text.contains($0.1) }.map(\.0)
    }

    static func machinePaths(_ text: String) -> [String] {
        paths.filter { text.contains($0.1) }.map(\.0)
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
        for (path, text) in try texts() {
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
