import Foundation
import Testing

/// Reads a page as strictly as it is written: every element closed, every value quoted.
struct PageReader {
    private(set) var elements: [(name: String, attributes: [String: String])] = []
    private(set) var text = ""
    /// The contents of the one style element.
    private(set) var style = ""

    static let void = ["meta"]

    init(_ bytes: [UInt8]) throws {
        var rest = try #require(String(validating: bytes, as: UTF8.self))[...]
        #expect(rest.hasPrefix("<!doctype html>\n"))
        rest = rest.dropFirst("<!doctype html>\n".count)
        var open: [String] = []
        while let start = rest.firstIndex(of: "<") {
            let before = rest[..<start]
            #expect(!before.contains(">"), "\(before)")
            text += before
            let end = try #require(rest[start...].firstIndex(of: ">"))
            let tag = rest[rest.index(after: start)..<end]
            rest = rest[rest.index(after: end)...]
            if tag.hasPrefix("/") {
                #expect(open.popLast() == String(tag.dropFirst()))
                continue
            }
            let name = String(tag.prefix { $0 != " " })
            #expect(name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }, "\(name)")
            elements.append((name, try Self.attributes(tag.dropFirst(name.count))))
            if name == "style" {
                let close = try #require(rest.range(of: "</style>"))
                style = String(rest[..<close.lowerBound])
                rest = rest[close.upperBound...]
            } else if !Self.void.contains(name) {
                open.append(name)
            }
        }
        text += rest
        #expect(open.isEmpty)
    }

    private static func attributes(_ text: Substring) throws -> [String: String] {
        var attributes: [String: String] = [:]
        var rest = text
        while !rest.isEmpty {
            let match = try #require(rest.prefixMatch(of: /\ ([a-z-]+)="([^"<>]*)"/), "\(text)")
            #expect(attributes[String(match.1)] == nil)
            attributes[String(match.1)] = String(match.2)
            rest = rest[match.range.upperBound...]
        }
        return attributes
    }

    func all(_ attribute: String) -> [String] { elements.compactMap { $0.attributes[attribute] } }
    func count(_ name: String) -> Int { elements.filter { $0.name == name }.count }

    /// What the policy's meta element says.
    var policy: String {
        elements.first { $0.attributes["http-equiv"] == "Content-Security-Policy" }?
            .attributes["content"] ?? ""
    }
}
