import LinuxIO
import Testing

@Suite struct FilePathTests {
    @Test(
        "The parent and the last component go by the letters",
        arguments: [
            ("a/b", "a", "b"), ("a", ".", "a"), ("/a", "/", "a"), ("/a/b/", "/a", "b"),
            ("a//b", "a", "b"), ("a/b//", "a", "b"), ("./a", ".", "a"), ("../a", "..", "a"),
        ] as [(FilePath, FilePath, FilePath)])
    func parts(path: FilePath, parent: FilePath, last: FilePath) {
        #expect(path.parent == parent)
        #expect(path.lastComponent == last)
    }

    @Test func `The root and the empty path have no last component`() {
        #expect(FilePath("/").lastComponent == nil)
        #expect(FilePath("").lastComponent == nil)
        #expect(FilePath("/").parent == "/")
        #expect(FilePath("").parent == ".")
    }

    @Test func `A path keeps bytes that are not UTF-8`() {
        let path = FilePath(bytes: [0x61, 0xFF, 0x62])
        #expect(path.appending("x").bytes == [0x61, 0xFF, 0x62, 0x2F, 0x78])
        #expect(path.description == "a\u{FFFD}b")
        #expect(path != FilePath("a\u{FFFD}b"))
    }

    @Test func `Paths whose text is canonically equivalent are different`() {
        #expect(FilePath("\u{E9}") != FilePath("e\u{301}"))
    }

    @Test func `Appending an absolute path gives that path, appending nothing changes nothing`() {
        #expect(FilePath("a").appending(FilePath("/b")) == "/b")
        #expect(FilePath("a/").appending("b") == "a/b")
        #expect(FilePath("").appending("b") == "b")
        #expect(FilePath("a").appending("") == "a")
    }

    @Test(
        "One name in a folder is neither empty nor a way to somewhere else",
        arguments: [
            ("a", true), ("...", true), (".a", true), ("", false), (".", false), ("..", false),
            ("a/b", false), ("a\0b", false),
        ] as [(String, Bool)])
    func names(text: String, isName: Bool) {
        #expect(FilePath(text).isName == isName)
    }

    @Test func `What lies below a folder is found by whole components`() {
        #expect(FilePath("/run/credentials/x").relative(to: "/run/credentials") == "x")
        #expect(FilePath("/run/credentials/x").relative(to: "/run/credentials/") == "x")
        #expect(FilePath("/run/credentials-other/x").relative(to: "/run/credentials") == nil)
        #expect(FilePath("/run/credentials").relative(to: "/run/credentials") == nil)
        #expect(FilePath("run/x").relative(to: "/run") == nil)
    }

    @Test func `A path with a zero byte is refused and not cut`() throws {
        #expect(throws: FileError.self) { try readFile("/etc/passwd\0.pem", limit: 1 << 20) }
        #expect(throws: Never.self) { try readFile("/etc/passwd", limit: 1 << 20) }
    }
}
