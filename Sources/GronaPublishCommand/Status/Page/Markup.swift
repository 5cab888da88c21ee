import CommandLineKit

/// A piece of HTML that is well-formed and escaped by construction.
///
/// Text and markup are different types: what comes from anywhere becomes markup only as text, which
/// is escaped; names of elements and attributes are those listed here, and nothing else reaches the
/// page. Text is escaped once more for the eye: control and bidirectional characters are shown as
/// `\u{…}`.
package struct Markup: Sendable {
    private(set) var bytes: [UInt8] = []

    /// Nothing.
    package init() {}

    private init(raw bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Text, escaped.
    package static func text(_ text: String) -> Markup {
        Markup(raw: escaped(text))
    }

    /// An element with its contents.
    package static func element(
        _ tag: Tag, _ attributes: [Attribute] = [], _ content: [Markup] = []
    ) -> Markup {
        var bytes = start(tag, attributes)
        if tag.isVoid { return Markup(raw: bytes) }
        for part in content { bytes += part.bytes }
        bytes += "</\(tag.rawValue)>".utf8
        return Markup(raw: bytes)
    }

    /// A style sheet of our own.
    static func style(_ sheet: StaticString) -> Markup {
        Markup(raw: Array("<style>\(sheet)</style>".utf8))
    }

    /// A whole document.
    static func document(head: [Markup], body: [Markup]) -> Markup {
        var page = Markup(raw: Array("<!doctype html>\n<html lang=\"en\">\n".utf8))
        page.append(element(.head, [], head))
        page.bytes.append(UInt8(ascii: "\n"))
        page.append(element(.body, [], body))
        page.bytes += "\n</html>\n".utf8
        return page
    }

    package mutating func append(_ other: Markup) {
        bytes += other.bytes
    }

    package var isEmpty: Bool { bytes.isEmpty }
    package var count: Int { bytes.count }

    private static func start(_ tag: Tag, _ attributes: [Attribute]) -> [UInt8] {
        var bytes = Array("<\(tag.rawValue)".utf8)
        for attribute in attributes {
            bytes += " \(attribute.name)=\"".utf8
            bytes += escaped(attribute.value)
            bytes.append(UInt8(ascii: "\""))
        }
        bytes.append(UInt8(ascii: ">"))
        return bytes
    }

    /// HTML, 13.1.2.3 and 13.1.4: what could end a text or a quoted attribute value.
    private static func escaped(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for byte in DisplayText.escaped(text).utf8 {
            switch byte {
            case UInt8(ascii: "&"): bytes += "&amp;".utf8
            case UInt8(ascii: "<"): bytes += "&lt;".utf8
            case UInt8(ascii: ">"): bytes += "&gt;".utf8
            case UInt8(ascii: "\""): bytes += "&quot;".utf8
            case UInt8(ascii: "'"): bytes += "&#39;".utf8
            default: bytes.append(byte)
            }
        }
        return bytes
    }
}

/// A literal is text, with all that is in it.
extension Markup: ExpressibleByStringInterpolation {
    package init(stringLiteral value: String) {
        self = .text(value)
    }
}

/// The elements that a page may have.
package enum Tag: String, Sendable {
    case head, meta, title, body, header, main, footer, section, article, h1, h2, h3, h4, p, a
    case ul, ol, li, dl, dt, dd, div, span, b, code, time, svg, rect
    case svgText = "text"

    fileprivate var isVoid: Bool { self == .meta }
}

/// An attribute: its name is one of these, its value is text.
package struct Attribute: Sendable {
    fileprivate let name: StaticString
    fileprivate let value: String

    private init(_ name: StaticString, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Names of the style sheet.
    static func names(_ names: StaticString) -> Attribute { Attribute("class", "\(names)") }
    static func id(_ id: String) -> Attribute { Attribute("id", id) }
    /// A link within the page; there are no others.
    static func link(to id: String) -> Attribute { Attribute("href", "#\(id)") }
    static func label(_ text: String) -> Attribute { Attribute("aria-label", text) }
    static func labelled(by id: StaticString) -> Attribute { Attribute("aria-labelledby", "\(id)") }
    static let image = Attribute("role", "img")
    /// ARIA's word for a list that looks like none.
    static let list = Attribute("role", "list")
    static let hidden = Attribute("aria-hidden", "true")
    static func datetime(_ text: String) -> Attribute { Attribute("datetime", text) }
    static let utf8 = Attribute("charset", "utf-8")
    static func meta(_ name: StaticString) -> Attribute { Attribute("name", "\(name)") }
    static func httpEquivalent(_ name: StaticString) -> Attribute {
        Attribute("http-equiv", "\(name)")
    }
    static func content(_ text: String) -> Attribute { Attribute("content", text) }
    /// A place on the x axis, in hundredths of a per cent.
    static func x(_ position: Int64) -> Attribute { Attribute("x", percent(position)) }
    static func width(_ length: Int64) -> Attribute { Attribute("width", percent(length)) }
    /// The base line of a text, in pixels.
    static func y(_ pixels: Int) -> Attribute { Attribute("y", String(pixels)) }

    private static func percent(_ hundredths: Int64) -> String {
        let rest = hundredths % 100
        if rest == 0 { return "\(hundredths / 100)%" }
        if rest % 10 == 0 { return "\(hundredths / 100).\(rest / 10)%" }
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)%"
    }
}
