/// A whole answer: one that ended early is a failure instead.
package struct HTTPResponse: Sendable {
    package let status: Int
    /// The header lines of the final answer in the order in which they came.
    package let fields: [HTTPField]
    package let body: [UInt8]

    package init(status: Int, fields: [HTTPField] = [], body: [UInt8] = []) {
        self.status = status
        self.fields = fields
        self.body = body
    }

    package var isSuccess: Bool { (200..<300).contains(status) }
    package var isRedirect: Bool { (300..<400).contains(status) && status != 304 }

    /// The first value of a field; names differ by no case (RFC 9110 5.1).
    package subscript(_ name: String) -> String? {
        fields.first { $0.name.utf8.count == name.utf8.count && Self.isSame($0.name, name) }?.value
    }

    /// Nil where there is none of the form that RFC 9110 8.8.3 gives it.
    package var entityTag: HTTPEntityTag? { self["etag"].flatMap(HTTPEntityTag.init(parsing:)) }

    /// How long to wait before asking again, in seconds from now (RFC 9110 10.2.3).
    ///
    /// - Parameter now: Unix time, for a value that is a date.
    package func retryAfter(now: Int64) -> Int64? {
        guard let value = self["retry-after"] else { return nil }
        if let seconds = Self.decimal(value) { return seconds }
        return HTTPDate.parse(value).map { max(0, $0 - now) }
    }

    /// Seconds that the answer has spent in caches (RFC 9111 5.1).
    package var age: Int64? { self["age"].flatMap(Self.decimal) }

    /// When the answer was made, in Unix time (RFC 9110 6.6.1).
    package var date: Int64? { self["date"].flatMap(HTTPDate.parse) }

    /// The media type in lower case, without parameters.
    package var contentType: String? {
        guard let value = self["content-type"] else { return nil }
        let type = value.utf8.prefix { $0 != 0x3B && $0 != 0x20 && $0 != 0x09 }
        return String(decoding: type.map(Self.lowercase), as: UTF8.self)
    }

    private static func isSame(_ one: String, _ other: String) -> Bool {
        zip(one.utf8, other.utf8).allSatisfy { lowercase($0) == lowercase($1) }
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }

    private static func decimal(_ text: String) -> Int64? {
        guard (1...10).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int64(text)
    }
}
