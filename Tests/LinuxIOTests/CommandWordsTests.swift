import LinuxIO
import Testing

@Suite struct CommandWordsTests {
    @Test(
        "Blanks separate, single quotes keep together, nothing else has a meaning",
        arguments: [
            ("", []), ("  ", []), ("a", ["a"]), (" a  b\tc\n", ["a", "b", "c"]),
            ("ssh signer@host 'grona sign'", ["ssh", "signer@host", "grona sign"]),
            ("a'b c'd", ["ab cd"]), ("''", [""]), ("a '' b", ["a", "", "b"]),
            (#"a\ b "c d" $X *"#, [#"a\"#, "b", "\"c", "d\"", "$X", "*"]),
        ] as [(String, [FilePath])])
    func split(text: String, words: [FilePath]) throws {
        #expect(try CommandWords.split(FilePath(text)) == words)
    }

    @Test func `A quote that is never closed is refused with its place`() {
        #expect(throws: CommandWords.Failure.unclosedQuote(offset: 3)) {
            try CommandWords.split("a b'c d")
        }
    }

    @Test func `Words keep bytes that are not UTF-8`() throws {
        let text = FilePath(bytes: [0xFE, 0x20, 0xFF])
        #expect(
            try CommandWords.split(text) == [FilePath(bytes: [0xFE]), FilePath(bytes: [0xFF])])
    }
}
