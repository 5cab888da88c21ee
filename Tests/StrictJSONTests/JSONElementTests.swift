import StrictJSON
import Testing

@Suite("What an element says of itself")
struct JSONElementTests {
    @Test("Members come in the order of the text, with decoded names")
    func members() throws {
        let element = try root(#"{"b":1,"\u0061":{"x":[]},"ü":null}"#)
        #expect(element.members.map(\.name) == ["b", "a", "ü"])
        #expect(element.members.map(\.value.kind) == [.number, .object, .null])
        #expect(element.count == 3)
        #expect(element["a"]?["x"]?.kind == .array)
        #expect(element["x"] == nil)
        #expect(element.elements.isEmpty)
    }

    @Test("A member is found by the bytes of its name, not by canonical equivalence")
    func lookup() throws {
        let element = try root("{\"\u{e9}\":1,\"e\u{301}\":2}")
        #expect(element["\u{e9}"]?.integer == 1)
        #expect(element["e\u{301}"]?.integer == 2)
    }

    @Test("What does not fit the kind is nil or empty")
    func otherKinds() throws {
        let element = try root(#"[1,"1",true,null,{},[]]"#)
        for (index, item) in element.elements.enumerated() {
            #expect((item.double != nil) == (index == 0))
            #expect((item.integer != nil) == (index == 0))
            #expect((item.string != nil) == (index == 1))
            #expect((item.utf8 != nil) == (index == 1))
            #expect((item.boolean != nil) == (index == 2))
            #expect(item["a"] == nil)
            #expect(item.count == 0)
            #expect(item.members.isEmpty)
            #expect(item.elements.isEmpty)
        }
        #expect(element.members.isEmpty)
        #expect(element.count == 6)
    }

    @Test("Booleans are told apart")
    func booleans() throws {
        #expect(try root("true").boolean == true)
        #expect(try root("false").boolean == false)
        #expect(try root("null").boolean == nil)
    }

    @Test("A handle keeps its document alive and knows the text of its value")
    func lifetime() throws {
        let inner = try #require(try root(#"{"a": [1, 2] }"#)["a"])
        #expect(String(decoding: inner.document.bytes[inner.range], as: UTF8.self) == "[1, 2]")
        #expect(inner.canonical() == Array("[1,2]".utf8))
    }

    @Test("Every pointer leads back to its element, and every range holds its value")
    func pointers() throws {
        let element = try root(
            #"{"a/b":[1,{"m~n":[[],{},[2,[3]]]},"x"],"":{"":[null,{"":true}]},"\"ü\n":[[["deep"]]]}"#
        )
        var seen: Set<String> = []
        for item in everything(element) {
            let pointer = item.pointer
            #expect(seen.insert(pointer).inserted)
            var found: JSONElement? = element
            for token in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
            {
                let name = String(token).replacing("~1", with: "/").replacing("~0", with: "~")
                if let container = found, container.kind == .array {
                    found = Array(container.elements)[Int(name) ?? -1]
                } else {
                    found = found?[name]
                }
            }
            #expect(found?.range == item.range)
            let again = try JSONDocument.parse(Array(element.document.bytes[item.range]))
            #expect(again.root.canonical() == item.canonical())
        }
        #expect(seen.contains("/a~1b/1/m~0n/2/1/0"))
        #expect(seen.contains("///1/"))
    }

    @Test("A name has the pointer of its member and a place of its own")
    func names() throws {
        let element = try root("{\n  \"a\": {\n    \"b\": 1}}")
        let member = try #require(element["a"].flatMap { Array($0.members).first })
        #expect(member.nameElement.pointer == "/a/b")
        #expect(member.value.pointer == "/a/b")
        #expect(member.nameElement.position == JSONPosition(line: 3, column: 5))
        #expect(member.value.position == JSONPosition(line: 3, column: 10))
    }
}
