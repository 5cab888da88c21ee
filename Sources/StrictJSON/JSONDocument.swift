/// A text that was read as I-JSON: its bytes, and a flat array of nodes over them.
package final class JSONDocument: Sendable {
    package let bytes: [UInt8]
    let nodes: [JSONNode]
    let lines = JSONLines()

    private init(bytes: [UInt8], nodes: [JSONNode]) {
        self.bytes = bytes
        self.nodes = nodes
    }

    package var root: JSONElement { JSONElement(document: self, index: 0) }

    /// Reads one value and refuses what RFC 7493 refuses.
    ///
    /// - Parameters:
    ///   - maximumDepth: how many objects and arrays may stand inside each other, the outermost
    ///     being the first.
    ///   - outerDepth: how many will stand around this text where it is used.
    package static func parse(
        _ bytes: [UInt8], maximumDepth: Int = 32, outerDepth: Int = 0
    ) throws(JSONError) -> JSONDocument {
        var reader = JSONReader(depthLimit: maximumDepth, outerDepth: outerDepth)
        var nodes: [JSONNode] = []
        var capacity = bytes.count / 10 + 16
        while !reader.isFinished {
            let earlier = nodes
            nodes = [JSONNode](capacity: capacity) { output in
                for node in earlier {
                    output.append(node)
                }
                reader.read(bytes.span, &output)
            }
            if let fault = reader.fault { throw reader.error(fault, nodes, bytes.span) }
            capacity *= 2
        }
        return JSONDocument(bytes: bytes, nodes: nodes)
    }
}
