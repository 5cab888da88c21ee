import CampaignCompiler
import Foundation
import GronaFormats
import LinuxIO
import ProjectFiles
import StrictJSON
import Testing

/// The folder of the package, from this file's place in it.
private let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

@Suite("Campaigns and keys that come with the package")
struct ExamplesTests {
    static func lint(_ workspace: String) throws -> WorkspaceLint {
        let folder = FilePath("\(root)/campaigns/\(workspace)")
        return CampaignCompiler.check(try CampaignFolder.read(folder), strict: true)
    }

    @Test("Every workspace is clean, strictly, and schema is none")
    func clean() throws {
        let found = try CampaignFolder.workspaces(below: FilePath("\(root)/campaigns"))
        let names = found.compactMap { $0.path.lastComponent?.description }
        #expect(names == ["acme-kiosk", "acme-market", "acme-staging"])
        for name in names {
            let lint = try Self.lint(name)
            #expect(lint.findings.isEmpty)
            #expect(lint.waived.isEmpty)
            #expect(lint.workspace != nil)
        }
    }

    @Test("The shop has every kind of campaign, and the offer of the product's documents")
    func shop() throws {
        let workspace = try #require(try Self.lint("acme-market").workspace)
        #expect(workspace.policy.environment == .production)
        #expect(workspace.policy.delivery == .served)
        #expect(
            Set(workspace.campaigns.map(\.kind))
                == ["offer", "banner", "progress_bar", "message", "host"])
        let stamp = PayloadStamp(
            version: .first, issuedAt: UnixTime(1_793_264_400), expiresAt: UnixTime(1_795_856_400))
        let root = try JSONDocument.parse(try workspace.payload(stamp)).root
        let campaigns = try #require(root["campaigns"])
        let offer = try #require(
            campaigns.elements.first { $0["id"]?.string == "weekend-offer" })
        #expect(offer["treatment"]?["type"]?.string == "percent_off")
        #expect(offer["treatment"]?["value"]?.integer == 10_000)
        #expect(offer["unit"]?.string == "customer")
        #expect(offer["ends_at"] == nil)
        let variants = try #require(offer["variants"])
        #expect(variants.elements.map { $0["id"]?.string } == ["A", "B"])
        #expect(variants.elements.map { $0["control"]?.boolean } == [true, nil])
        let actions = campaigns.elements.filter { $0["kind"]?.string == "banner" }
            .map { $0["call_to_action"]?["action"]?.string == "add_to_basket" }
        #expect(Set(actions) == [true, false])
        #expect(campaigns.elements.contains { $0["segments"] != nil })
        #expect(campaigns.elements.contains { $0["min_sdk"] != nil })
        #expect(campaigns.elements.contains { $0["starts_at"]?.integer != nil })
    }

    @Test("A second workspace lives from bundles, a third is for rehearsals")
    func others() throws {
        #expect(try Self.lint("acme-kiosk").workspace?.policy.delivery == .bundleOnly)
        #expect(try Self.lint("acme-staging").workspace?.policy.environment == .demo)
    }

    @Test("The example keyring and its pins are well formed and agree")
    func keys() throws {
        let keys = FilePath("\(root)/keys.example")
        let all = try KeyringFiles.read(below: keys)
        #expect(all.failures.isEmpty)
        #expect(all.conflicts.isEmpty)
        let file = try #require(all.files.first)
        let pins = try PinsOnDisk.read(
            file.folder.appending("pins.json"), for: file.keyring.workspace)
        #expect(pins.pins.id == file.keyring.id)
        for use in KeyUse.allCases {
            #expect(
                pins.pins[use].map(\.kid)
                    == [file.keyring.current(use), file.keyring.next(use)].compactMap { $0?.kid })
            #expect(pins.trusted(use) == file.trusted(use))
        }
    }
}
