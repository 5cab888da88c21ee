package import HTTPTransport

/// An address with names in braces, such as `https://api.example.com/{workspace}/config`.
package struct URLTemplate: Hashable, Sendable, CustomStringConvertible {
    private enum Part: Hashable {
        case text(String)
        case name(String)
    }

    private let parts: [Part]

    /// Nil unless it is an https or http address in which each of `names` stands once, in the path
    /// or the query, and no other.
    package init?(_ text: String, names: [String]) {
        var parts: [Part] = []
        var found: [String] = []
        var rest = text.utf8[...]
        while let open = rest.firstIndex(of: 0x7B) {
            guard let close = rest[open...].firstIndex(of: 0x7D) else { return nil }
            let name = String(decoding: rest[rest.index(after: open)..<close], as: UTF8.self)
            guard names.contains(name), !found.contains(name) else { return nil }
            found.append(name)
            parts += [
                .text(String(decoding: rest[..<open], as: UTF8.self)), .name(name),
            ]
            rest = rest[rest.index(after: close)...]
        }
        parts.append(.text(String(decoding: rest, as: UTF8.self)))
        self.parts = parts
        guard found.count == names.count, !rest.contains(0x7D),
            let one = url(names.map { ($0, "a") }), let other = url(names.map { ($0, "b") }),
            one.origin == other.origin, one != other
        else { return nil }
    }

    /// The address with values for the names; they hold unreserved characters and slashes alone.
    package func url(_ values: [(name: String, value: String)]) -> HTTPURL? {
        HTTPURL(
            parts.map { part in
                switch part {
                case .text(let text): text
                case .name(let name): values.first { $0.name == name }?.value ?? ""
                }
            }.joined())
    }

    /// Scheme, host and port, in which no name stands.
    var origin: String? {
        HTTPURL(
            parts.map { part in
                switch part {
                case .text(let text): text
                case .name: "a"
                }
            }.joined())?.origin
    }

    package var description: String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .name(let name): "{\(name)}"
            }
        }.joined()
    }
}
