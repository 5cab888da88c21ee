import GronaFormats
import Testing

@Suite("Identifiers, kids, workspaces")
struct NameTests {
    private static let longest = String(repeating: "a", count: 128)
    private static let longestWorkspace = String(repeating: "a", count: 63)

    @Test(
        "an identifier is 1 to 128 of its characters",
        arguments: ["a", "Z", "0", ".", "..", "_", ":", "-", "weekend-offer", "A.b_c:d-9", longest])
    func identifiers(text: String) {
        #expect(Identifier(text)?.text == text)
        #expect(Identifier(utf8: Array(text.utf8))?.text == text)
    }

    @Test(
        "anything else is no identifier",
        arguments: [
            "", longest + "a", "a b", "a/b", "ä", "a\n", "\0", "a,b", "K\u{301}", "\u{212A}",
        ])
    func noIdentifiers(text: String) {
        #expect(Identifier(text) == nil)
        #expect(KeyID(text) == nil)
    }

    @Test("a kid is an identifier other than the names of this and the upper folder")
    func kids() {
        #expect(KeyID("acme-market-2026-10")?.text == "acme-market-2026-10")
        #expect(KeyID("...") != nil)
        #expect(KeyID(".") == nil)
        #expect(KeyID("..") == nil)
    }

    @Test(
        "a workspace is 1 to 63 lower-case letters, digits and dashes, no dash first",
        arguments: ["a", "0", "acme-market", "a-", "0--9", longestWorkspace, "schemas"])
    func workspaces(text: String) {
        #expect(WorkspaceName(text)?.text == text)
    }

    @Test(
        "anything else is no workspace, and neither is the folder of the schemas",
        arguments: [
            "", "-a", "A", "acme_market", "acme.market", "a/b", "..", longestWorkspace + "a",
            "schema", "ä", "a ",
        ])
    func noWorkspaces(text: String) {
        #expect(WorkspaceName(text) == nil)
    }

    @Test("identifiers are ordered by their bytes")
    func order() {
        let names = ["b", "a", "B", "a-", "1"].compactMap(Identifier.init(_:))
        #expect(names.sorted().map(\.text) == ["1", "B", "a", "a-", "b"])
    }
}
