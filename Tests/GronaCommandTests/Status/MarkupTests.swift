import Testing

@testable import GronaPublishCommand

/// HTML that is escaped by construction.
@Suite struct MarkupTests {
    private func text(_ markup: Markup) -> String { String(decoding: markup.bytes, as: UTF8.self) }

    @Test(
        "Text never becomes markup",
        arguments: [
            ("a<b", "a&lt;b"), ("a>b", "a&gt;b"), ("a&amp;b", "a&amp;amp;b"),
            ("\"'", "&quot;&#39;"), ("\u{202E}x", "\\u{202e}x"), ("a\nb", "a\\u{a}b"),
            ("\u{0}\u{1B}", "\\u{0}\\u{1b}"), ("größer 🌷", "größer 🌷"),
        ])
    func escaping(_ given: String, _ expected: String) {
        #expect(text(.text(given)) == expected)
        #expect(text("\(given)") == expected)
        #expect(
            text(.element(.p, [.label(given)], [.text(given)]))
                == "<p aria-label=\"\(expected)\">\(expected)</p>")
        #expect(text(.element(.a, [.link(to: given)])) == "<a href=\"#\(expected)\"></a>")
        #expect(text(.element(.a, [.id(given)])) == "<a id=\"\(expected)\"></a>")
        #expect(text(.element(.meta, [.content(given)])) == "<meta content=\"\(expected)\">")
    }

    @Test func `A literal is text, too`() {
        #expect(text("<b>") == "&lt;b&gt;")
    }

    @Test(
        "Places in per cents",
        arguments: [(0, "0%"), (1, "0.01%"), (20, "0.2%"), (105, "1.05%"), (10_000, "100%")])
    func perCents(_ position: Int64, _ expected: String) {
        #expect(text(.element(.rect, [.x(position)])) == "<rect x=\"\(expected)\"></rect>")
    }
}
