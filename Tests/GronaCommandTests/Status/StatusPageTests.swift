import Foundation
import GronaFormats
import JOSE
import Libcrypto
import Testing

@testable import GronaPublishCommand

/// The page of `status --html`.
@Suite struct StatusPageTests {
    private func page(_ workspaces: [WorkspacePicture]) throws -> PageReader {
        try PageReader(StatusPage(StatusSamples.picture(workspaces)).bytes)
    }

    private func many(_ count: Int, _ make: (String) throws -> WorkspacePicture) rethrows
        -> [WorkspacePicture]
    {
        try (1...count).map { try make("shop-\($0)") }
    }

    @Test func `It loads nothing, runs nothing, and says so`() throws {
        let page = try page([
            try StatusSamples.workspace("acme-market"), try StatusSamples.broken("torn"),
        ])
        let digest = Base64.encodedString(SHA256.digest(Array(page.style.utf8)).bytes)
        #expect(
            page.policy == "default-src &#39;none&#39;; style-src &#39;sha256-\(digest)&#39;;"
                + " base-uri &#39;none&#39;; form-action &#39;none&#39;")
        for name in ["script", "link", "img", "iframe", "object", "form", "base", "image", "use"] {
            #expect(page.count(name) == 0, "\(name)")
        }
        for name in ["src", "style", "srcset", "action", "xlink:href", "onclick", "onload"] {
            #expect(page.all(name).isEmpty, "\(name)")
        }
        #expect(page.all("href").allSatisfy { $0.hasPrefix("#") })
        for word in ["url(", "@import", "//", "expression", "<"] {
            #expect(!page.style.contains(word), "\(word)")
        }
    }

    @Test(
        "Every id is there once, every link leads to one",
        arguments: [1, 2, 30, 400])
    func anchors(_ count: Int) throws {
        let page = try page(try many(count, StatusSamples.broken))
        let ids = page.all("id")
        #expect(Set(ids).count == ids.count)
        #expect(Set(page.all("href").map { String($0.dropFirst()) }).isSubset(of: Set(ids)))
        #expect(Set(page.all("aria-labelledby")).isSubset(of: Set(ids)))
    }

    @Test func `Headings go down step by step, and what needs a hand is first`() throws {
        let page = try page([
            try StatusSamples.workspace("acme-market"), try StatusSamples.broken("torn"),
        ])
        let headings = page.elements.map(\.name).filter { $0.wholeMatch(of: /h[1-6]/) != nil }
        #expect(headings.first == "h1")
        #expect(headings.filter { $0 == "h1" }.count == 1)
        for (left, right) in zip(headings, headings.dropFirst()) {
            #expect(right <= "h\(Int(left.suffix(1)).map { $0 + 1 } ?? 0)")
        }
        let texts = [
            "Needs a hand", "served.unusable", "publish a new version", "All workspaces",
            "In detail", "Bundles in the field", "Recent versions", "Keys",
        ]
        let places = try texts.map { try #require(page.text.range(of: $0)).lowerBound }
        #expect(places == places.sorted())
        #expect(page.text.contains("grona-publish push next.json"))
        #expect(page.count("article") == 2)
        #expect(page.count("main") == 1)
    }

    @Test func `Hostile text stays text`() throws {
        let page = try page([try StatusSamples.hostileWorkspace()])
        #expect(page.count("script") == 0)
        #expect(page.count("style") == 1)
        #expect(page.text.contains("&lt;script&gt;alert(&#39;x&#39;)"))
        #expect(page.text.contains("\\u{202e}\\u{1b}[31m\\u{a}"))
        let whole = StatusPage(
            StatusPicture(
                store: StatusSamples.hostile, madeAt: StatusSamples.now,
                workspaces: [try StatusSamples.hostileWorkspace()])
        ).bytes
        let unsafe = try PageReader(whole)
        #expect(unsafe.count("script") == 0)
        #expect(!String(decoding: whole, as: UTF8.self).contains("\u{202E}"))
        #expect(!whole.contains(0x1B))
    }

    @Test func `A drawing is told in words`() throws {
        let page = try page([try StatusSamples.workspace("acme-market")])
        let drawings = page.elements.filter { $0.attributes["role"] == "img" }
        #expect(drawings.count == 1)
        let words = try #require(drawings.first?.attributes["aria-label"])
        for part in ["served config from 2026", "due 2026", "bundle 7", "bundle 6", "now 2026"] {
            #expect(words.contains(part), "\(words)")
        }
        #expect(page.text.contains("✓ Nothing needs a hand."))
        #expect(page.text.contains("✓ in order"))
        #expect(page.text.contains("▲ expired"))
        #expect(page.text.contains("signed what is served; signed 1 bundle"))
    }

    @Test func `A store without a workspace has a page`() throws {
        #expect(try page([]).text.contains("Nothing is published in this store."))
    }

    @Test(
        "A thousand workspaces, all named, in less than 1.5 MB",
        arguments: [ServedState.fine, .untrusted])
    func thousand(_ state: ServedState) throws {
        let workspaces = try many(1_000) { name in
            var picture =
                state == .fine
                ? try StatusSamples.workspace(name) : try StatusSamples.broken(name)
            picture.life = StatusSamples.life(from: -1_234_567, to: 2_345_678)
            let finding = try StatusSamples.broken(name).findings
            if state != .fine { picture.findings = (0..<30).flatMap { _ in finding } }
            picture.bundles = (0..<40).flatMap { _ in picture.bundles }
            picture.keys = (0..<20).flatMap { _ in picture.keys }
            return picture
        }
        let bytes = StatusPage(StatusSamples.picture(workspaces)).bytes
        #expect(bytes.count < 1_500_000, "\(bytes.count)")
        let text = String(decoding: bytes, as: UTF8.self)
        func count(_ part: String) -> Int { text.components(separatedBy: part).count - 1 }
        for number in [1, 500, 1_000] { #expect(count(">shop-\(number)<") >= 1) }
        #expect(count("<li class=\"row\">") == 1_000)
        #expect(count("<article ") >= 50)
        #expect(count("more have no room here") == 1)
    }
}
