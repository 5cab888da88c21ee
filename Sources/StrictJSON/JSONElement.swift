/// One value (or one member name) of a document: a cheap handle that keeps the document alive.
package struct JSONElement: Sendable {
    package let document: JSONDocument
    let index: Int

    init(document: JSONDocument, index: Int) {
        self.document = document
        self.index = index
    }

    var node: JSONNode { document.nodes[index] }

    package var kind: JSONKind { node.kind }

    /// How many members or elements stand in it; 0 for what is no object or array.
    package var count: Int { node.count }

    /// The members of an object in the order of the text; none when it is no object.
    package var members: JSONMembers { JSONMembers(container: self) }

    /// The elements of an array; none when it is no array.
    package var elements: JSONElements { JSONElements(container: self) }

    /// The value of a member, found by the bytes of its name.
    package subscript(_ name: String) -> JSONElement? {
        for member in members where member.nameElement.equals(name) {
            return member.value
        }
        return nil
    }

    /// The decoded text of a string.
    package var string: String? {
        let node = node
        guard node.kind == .string, node.range.count >= 2 else { return nil }
        guard node.has(JSONNode.isSpecial) else {
            let content = Int(node.start) + 1..<Int(node.end) - 1
            return String(decoding: document.bytes[content], as: UTF8.self)
        }
        return utf8.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The decoded bytes of a string.
    package var utf8: [UInt8]? {
        let node = node
        guard node.kind == .string, node.range.count >= 2 else { return nil }
        let content = Int(node.start) + 1..<Int(node.end) - 1
        let bytes = document.bytes
        guard node.has(JSONNode.isSpecial) else { return Array(bytes[content]) }
        return JSONString.decode(bytes.span.extracting(content))
    }

    /// Calls `body` with the decoded bytes of a string, without a copy where nothing is escaped.
    package func withUTF8<Result>(_ body: (Span<UInt8>) -> Result) -> Result? {
        let node = node
        guard node.kind == .string, node.range.count >= 2 else { return nil }
        let bytes = document.bytes
        let content = bytes.span.extracting(Int(node.start) + 1..<Int(node.end) - 1)
        guard node.has(JSONNode.isSpecial) else { return body(content) }
        return body(JSONString.decode(content).span)
    }

    /// Whether this is a string of exactly these code points; no normalization.
    package func equals(_ text: String) -> Bool {
        var text = text
        text.makeContiguousUTF8()
        return withUTF8 { JSONString.areEqual($0, text.utf8.span) } ?? false
    }

    package var boolean: Bool? {
        kind == .boolean ? document.bytes[Int(node.start)] == UInt8(ascii: "t") : nil
    }

    /// The value of a number that is written as an integer literal: no point, no exponent.
    package var integer: Int64? {
        let node = node
        guard node.kind == .number, node.has(JSONNode.isSpecial) else { return nil }
        let bytes = document.bytes
        return JSONNumber.integer(bytes.span.extracting(node.range))
    }

    /// The double that a number names; -0 is 0.
    package var double: Double? {
        let node = node
        guard node.kind == .number else { return nil }
        let bytes = document.bytes
        return JSONNumber.double(bytes.span.extracting(node.range))
    }

    /// The offsets of its text in the document.
    package var range: Range<Int> { node.range }

    /// The line and column of its first byte.
    package var position: JSONPosition {
        let bytes = document.bytes
        return document.lines.position(of: Int(node.start), in: bytes.span)
    }

    /// Its place in the document (RFC 6901); of a name, the place of the member.
    package var pointer: String {
        var result: [UInt8] = []
        var current = document.root
        descent: while current.index < index {
            if current.kind == .object {
                for member in current.members where index < Int(member.value.node.next) {
                    JSONString.appendPointerToken(member.nameElement.utf8 ?? [], to: &result)
                    current = member.value
                    if index <= current.index { break descent }
                    continue descent
                }
            } else {
                for (position, element) in current.elements.enumerated()
                where index < Int(element.node.next) {
                    JSONString.appendPointerToken(Array(String(position).utf8), to: &result)
                    current = element
                    continue descent
                }
            }
            break
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// Its canonical form (RFC 8785).
    package func canonical() -> [UInt8] {
        CanonicalNodes.bytes(index, of: document)
    }
}
