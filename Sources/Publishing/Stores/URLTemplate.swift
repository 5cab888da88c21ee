package import HTTPTransport

/// An address with names in braces, such as `https://api.example.com/{workspace}/config`.
package struct URLTemplate: Hashable, Sendable, CustomStringConvertible {
    private enum Part: Hashable {
        case text(String)
        case name(String)
    }

    private let parts: [Part]

    /// Nil unless it is an https or http address in which each of `names` stands once, in the path
    /// or the query, and no other, and in whose path no two slashes follow each other. Two texts
    /// that mean one address make one template.
    package init?(_ text: String, names: [String]) {
        guard let url = Self.filled(text, names), let origin = HTTPURL(url)?.origin,
            let canonical = HTTPURL(url), !Self.hasEmptyStep(canonical.path)
        else { return nil }
        var parts: [Part] = []
        var rest = canonical.description.utf8[...]
        while let name = names.compactMap({ name in Self.first(name, in: rest) })
            .min(by: { $0.range.lowerBound < $1.range.lowerBound })
        {
            parts += [
                .text(String(decoding: rest[..<name.range.lowerBound], as: UTF8.self)),
                .name(name.name),
            ]
            rest = rest[name.range.upperBound...]
        }
        parts.append(.text(String(decoding: rest, as: UTF8.self)))
        self.parts = parts
        guard parts.count == 2 * names.count + 1,
            let one = self.url(names.map { ($0, "a") }),
            let other = self.url(names.map { ($0, "b") }), one.origin == origin,
            other.origin == origin, one != other
        else { return nil }
    }

    /// The text with a word for each name that the address keeps as it is; nil unless each name
    /// stands once in braces, and no other brace.
    private static func filled(_ text: String, _ names: [String]) -> String? {
        var filled: [UInt8] = []
        var found: [String] = []
        var rest = text.utf8[...]
        while let open = rest.firstIndex(of: 0x7B) {
            guard let close = rest[open...].firstIndex(of: 0x7D) else { return nil }
            let name = String(decoding: rest[rest.index(after: open)..<close], as: UTF8.self)
            guard names.contains(name), !found.contains(name) else { return nil }
            found.append(name)
            filled += Array(rest[..<open]) + Array(word(name).utf8)
            rest = rest[rest.index(after: close)...]
        }
        guard found.count == names.count, !rest.contains(0x7D) else { return nil }
        return String(decoding: filled + Array(rest), as: UTF8.self)
    }

    private static func word(_ name: String) -> String { "~~\(name)~~" }

    private static func first(
        _ name: String, in text: Substring.UTF8View
    ) -> (name: String, range: Range<String.Index>)? {
        let word = Array(word(name).utf8)
        var start = text.startIndex
        while start < text.endIndex {
            if text[start...].starts(with: word) {
                return (name, start..<text.index(start, offsetBy: word.count))
            }
            start = text.index(after: start)
        }
        return nil
    }

    private static func hasEmptyStep(_ path: String) -> Bool {
        zip(path.utf8, path.utf8.dropFirst()).contains { $0 == 0x2F && $1 == 0x2F }
    }

    /// What is wrong with the address itself, whatever names stand in it.
    static func problem(of text: String) -> HTTPURL.Problem? {
        let plain = String(
            decoding: text.utf8.filter { $0 != 0x7B && $0 != 0x7D }, as: UTF8.self)
        if let problem = HTTPURL.problem(of: plain) { return problem }
        return HTTPURL(plain).map { hasEmptyStep($0.path) } ?? false ? .slashes : nil
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
