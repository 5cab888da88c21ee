/// The elements of an array in the order of the text.
package struct JSONElements: Sequence, Sendable {
    let container: JSONElement

    package var underestimatedCount: Int { container.kind == .array ? container.count : 0 }
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

        package mutating func next() -> JSONElement? {
            guard remaining > 0 else { return nil }
            remaining -= 1
            let element = JSONElement(document: document, index: index)
            index = Int(document.nodes[index].next)
            return element
        }
    }
}
