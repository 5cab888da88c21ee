/// One member of an object.
package struct JSONMember: Sendable {
    /// The name, whose text, position and pointer (that of the value) can be asked for.
    package let nameElement: JSONElement
    package let value: JSONElement

    package var name: String { nameElement.string ?? "" }
}

/// The members of an object in the order of the text.
package struct JSONMembers: Sequence, Sendable {
    let container: JSONElement

    package var underestimatedCount: Int { container.kind == .object ? container.count : 0 }
    package var isEmpty: Bool { underestimatedCount == 0 }

    package func makeIterator() -> Iterator {
        Iterator(
            document: container.document, index: container.index + 1,
            remaining: underestimatedCount)
    }

    package struct Iterator: IteratorProtocol {
        let document: JSONDocument
        var index: Int
        var remaining: Int

        package mutating func next() -> JSONMember? {
            guard remaining > 0 else { return nil }
            remaining -= 1
            let member = JSONMember(
                nameElement: JSONElement(document: document, index: index),
                value: JSONElement(document: document, index: index + 1))
            index = Int(document.nodes[index + 1].next)
            return member
        }
    }
}
