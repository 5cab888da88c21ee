import CampaignCompiler
import GronaFormats
import StrictJSON
import Testing

@Suite("Payloads")
struct PayloadTests {
    static func stamp(_ version: Int64 = 1) throws -> PayloadStamp {
        PayloadStamp(
            version: try #require(ConfigVersion(version)), issuedAt: UnixTime(1_793_264_400),
            expiresAt: UnixTime(1_795_856_400))
    }

    static func payload(
        _ files: [String: String], version: Int64 = 1, keepingOffers: Bool = true
    ) throws -> String {
        let lint = CampaignCompiler.check(Source.workspace(files))
        let workspace = try #require(lint.workspace, "\(lint.findings)")
        return String(
            decoding: try workspace.payload(stamp(version), keepingOffers: keepingOffers),
            as: UTF8.self)
    }

    static let minimal = """
        {"workspace": "acme-market", "min_sdk": "1.2.0", "ttl_seconds": 900, "$x": 1}
        """

    @Test("A payload is canonical JSON with exactly what a device reads")
    func exact() throws {
        let text = try Self.payload(["workspace.json": Self.minimal, "b.json": Source.banner])
        #expect(
            text
                == #"{"campaigns":[{"enabled":true,"id":"b","kind":"banner","placements":[],"unit":"device","variants":[{"id":"only","weight":10000}]}],"expires_at":1795856400,"issued_at":1793264400,"min_sdk":"1.2.0","schema":1,"ttl_seconds":900,"version":1,"workspace":"acme-market"}"#
        )
    }

    @Test("Nothing of the policy is in it, and absent members stay absent")
    func policy() throws {
        let text = try Self.payload(Source.base)
        for word in ["lifetimes", "renew_before", "environment", "delivery", "waivers", "$schema"] {
            #expect(!text.contains(word))
        }
        #expect(text.contains(#""settings":{"currency":"EUR"}"#))
    }

    @Test("The same sources give the same bytes, in any order of the files")
    func reproducible() throws {
        let files = Source.base.sorted { $0.key < $1.key }
            .map { SourceFile(name: $0.key, bytes: Array($0.value.utf8)) }
        var seen: Set<[UInt8]> = []
        for order in [files, files.reversed(), [files[1], files[0], files[2]]] {
            let source = WorkspaceSource(folder: "acme-market", label: "", files: order)
            let workspace = try #require(CampaignCompiler.check(source).workspace)
            seen.insert(try workspace.payload(Self.stamp()))
        }
        #expect(seen.count == 1)
    }

    @Test("Campaigns stand by priority, highest first, then by the bytes of the id")
    func order() throws {
        func banner(_ id: String, _ priority: String) -> String {
            Source.banner.replacing("\"id\": \"b\"", with: "\"id\": \"\(id)\"\(priority)")
        }
        let text = try Self.payload([
            "workspace.json": Self.minimal, "a.json": banner("a", ""),
            "b.json": banner("b", ", \"priority\": -1"), "c.json": banner("c", ", \"priority\": 5"),
            "B.json": banner("B", ", \"priority\": 0"), "a-b.json": banner("a-b", ""),
        ])
        let payload = try JSONDocument.parse(Array(text.utf8)).root
        let ids = try #require(payload["campaigns"]).elements.compactMap { $0["id"]?.string }
        #expect(ids == ["c", "B", "a", "a-b", "b"])
    }

    @Test("Times in RFC 3339 become Unix seconds, at the top of a campaign only")
    func times() throws {
        let offer = Source.offer
            .replacing("1793264400", with: "\"2026-10-29T10:00:00+01:00\"")
            .replacing(
                "{\"text\": \"plain\"}", with: "{\"starts_at\": \"2026-10-29T10:00:00+01:00\"}")
        let text = try Self.payload(["workspace.json": Self.minimal, "weekend-offer.json": offer])
        #expect(text.contains(#""starts_at":1793264400,"#))
        #expect(text.contains(#""x_more":{"starts_at":"2026-10-29T10:00:00+01:00"}"#))
    }

    @Test("Unknown members pass through by value")
    func unknown() throws {
        let banner = Source.banner.replacing(
            "\"placements\": []",
            with:
                "\"placements\": [], \"z\": [1.0, 1e2, -0, 0.10, \"A\\u030a\", \"\\u00c5\", {\"$b\": null, \"a\": {}}]"
        )
        let text = try Self.payload(["workspace.json": Self.minimal, "b.json": banner])
        #expect(text.contains("\"z\":[1,100,0,0.1,\"A\u{30a}\",\"\u{c5}\",{\"$b\":null,\"a\":{}}]"))
    }

    @Test("A bundle leaves offers out")
    func offers() throws {
        #expect(try Self.payload(Source.base).contains("weekend-offer"))
        let text = try Self.payload(Source.base, keepingOffers: false)
        #expect(!text.contains("weekend-offer"))
        #expect(text.contains(#""id":"b""#))
    }

    @Test("512,000 bytes are signed, one more is not")
    func size() throws {
        func files(_ padding: Int) -> [String: String] {
            let fill = String(repeating: "x", count: padding)
            let banner = Source.banner.replacing(
                "\"placements\": []", with: "\"placements\": [], \"z\": \"\(fill)\"")
            return ["workspace.json": Self.minimal, "b.json": banner]
        }
        // The widest version is what counts, so that no number makes a workspace unsignable.
        let base = try Self.payload(files(0), version: 9_007_199_254_740_991).utf8.count
        let most = 512_000 - base
        #expect(try Self.payload(files(most), version: 9_007_199_254_740_991).utf8.count == 512_000)
        let lint = CampaignCompiler.check(Source.workspace(files(most + 1)))
        #expect(lint.workspace == nil)
        #expect(lint.findings.map(\.rule.rawValue) == ["payload.too-large"])
        #expect(lint.findings.first?.detail == .payloadSize(found: 512_001, atMost: 512_000))
    }
}
