import CampaignCompiler
import Foundation
import GronaFormats
import LinuxIO
import ProjectFiles
import TestSupport
import Testing

@Suite("Campaign folders on disk")
struct CampaignFolderTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("campaigns/acme/workspace.json", Self.policy)
        try folder.write("campaigns/acme/b.json", "{}")
    }

    static let policy = #"{"workspace":"acme","min_sdk":"1.0.0","ttl_seconds":900}"#

    var acme: FilePath { FilePath(folder.path("campaigns/acme")) }

    @Test("A workspace's JSON files are read with the names that findings use")
    func read() throws {
        try folder.write("campaigns/acme/README.md", "text")
        try folder.write("campaigns/acme/c.JSON", "text")
        let source = try CampaignFolder.read(acme)
        #expect(source.folder == "acme")
        #expect(source.label == acme.description)
        #expect(source.files.map(\.name).sorted() == ["b.json", "c.JSON", "workspace.json"])
        #expect(source.path(of: "b.json") == folder.path("campaigns/acme/b.json"))
    }

    @Test("A slash or a dot at the end changes neither the name nor the label")
    func slashes() throws {
        let source = try CampaignFolder.read(acme.appending(FilePath("")).appending("."))
        #expect(source.folder == "acme")
        let slashed = try CampaignFolder.read(FilePath(acme.description + "/"))
        #expect(slashed.label == acme.description)
        #expect(slashed.folder == "acme")
    }

    @Test("A folder without workspace.json is no workspace")
    func noWorkspace() throws {
        try folder.write("campaigns/schema/campaign.schema.json", "{}")
        let schema = FilePath(folder.path("campaigns/schema"))
        #expect(try CampaignFolder.isWorkspace(schema) == false)
        #expect(throws: ProjectFileError.noWorkspace(schema)) { try CampaignFolder.read(schema) }
        #expect(try CampaignFolder.isWorkspace(acme))
    }

    @Test("The workspaces of a folder come by name; files beside them are passed over")
    func workspaces() throws {
        try folder.write("campaigns/zeta/workspace.json", "{}")
        try folder.write("campaigns/schema/campaign.schema.json", "{}")
        try folder.write("campaigns/README.md", "text")
        let found = try CampaignFolder.workspaces(below: FilePath(folder.path("campaigns")))
        #expect(found.map { $0.path.lastComponent?.description } == ["acme", "zeta"])
        let schema = FilePath(folder.path("campaigns/schema"))
        #expect(throws: ProjectFileError.noWorkspaces(schema)) {
            try CampaignFolder.workspaces(below: schema)
        }
    }

    @Test("A link or a folder in a campaign's place is refused by name")
    func links() throws {
        let link = acme.appending("c.json")
        try FileManager.default.createSymbolicLink(
            atPath: link.description, withDestinationPath: "b.json")
        #expect(throws: ProjectFileError.file(.isLink(link))) { try CampaignFolder.read(acme) }
        try FileManager.default.removeItem(atPath: link.description)
        #expect(throws: Never.self) { try CampaignFolder.read(acme) }
        try FileManager.default.createDirectory(
            atPath: link.description, withIntermediateDirectories: false)
        #expect(throws: ProjectFileError.file(.notRegular(link, .folder))) {
            try CampaignFolder.read(acme)
        }
    }

    @Test("A workspace behind a link is not taken for checked")
    func linkedWorkspace() throws {
        let link = folder.path("campaigns/other")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "acme")
        let found = try CampaignFolder.workspaces(below: FilePath(folder.path("campaigns")))
        #expect(found.map(\.problem) == [nil, .file(.isLink(FilePath(link)))])
        // Given by the user himself, it is read.
        #expect(try CampaignFolder.read(FilePath(link)).folder == "other")
    }

    @Test("A file in place of the folder, and no folder at all, are told apart")
    func notAFolder() throws {
        let file = FilePath(folder.path("campaigns/acme/b.json"))
        #expect(throws: ProjectFileError.notAFolder(file, .regular)) {
            try CampaignFolder.read(file)
        }
        #expect(try CampaignFolder.isWorkspace(file) == false)
        let missing = FilePath(folder.path("nowhere"))
        let error = #expect(throws: ProjectFileError.self) { try CampaignFolder.read(missing) }
        guard case .file(let fileError) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(fileError.isNotFound)
    }

    @Test("A campaign's file is read up to 4 MiB", arguments: [0, 1])
    func size(over: Int) throws {
        try folder.write(
            "campaigns/acme/b.json", String(repeating: " ", count: 4_194_304 + over))
        let file = try CampaignFolder.read(acme).files.first { $0.name == "b.json" }
        #expect(file?.bytes.count == (over == 0 ? 4_194_304 : 0))
        #expect(file?.exceededLimit == (over == 0 ? nil : 4_194_304))
    }
}

@Suite("Policies on disk")
struct PolicyLookupTests {
    let folder: TemporaryFolder
    let acme: WorkspaceName

    init() throws {
        folder = try TemporaryFolder()
        acme = try #require(WorkspaceName("acme"))
    }

    @Test("Without a file the values of a production workspace hold, undeclared")
    func undeclared() throws {
        let found = try PolicyLookup.find(acme, below: FilePath(folder.path))
        #expect(found.policy == .undeclared(acme))
        #expect(!found.policy.isDeclared)
        #expect(found.path.description == folder.path("acme/workspace.json"))
    }

    @Test("A file is read with what it says")
    func declared() throws {
        try folder.write(
            "acme/workspace.json",
            #"{"workspace":"acme","min_sdk":"1.0.0","ttl_seconds":900,"environment":"demo","delivery":"bundle-only","lifetimes":{"config":"60d","grant":90},"renew_before":"20d","order_backends":["shop"]}"#
        )
        let policy = try PolicyLookup.find(acme, below: FilePath(folder.path)).policy
        #expect(policy.isDeclared)
        #expect(policy.environment == .demo)
        #expect(policy.delivery == .bundleOnly)
        #expect(policy.lifetimes.config.seconds == 60 * 86_400)
        #expect(policy.lifetimes.grant.seconds == 90)
        #expect(policy.lifetimes.preview.seconds == 3600)
        #expect(policy.renewBefore == .days(20))
        #expect(policy.orderBackends == ["shop"])
    }

    @Test("A policy that breaks a rule never falls back to another one")
    func broken() throws {
        try folder.write("acme/workspace.json", #"{"workspace":"acme"}"#)
        let error = #expect(throws: ProjectFileError.self) {
            try PolicyLookup.find(acme, below: FilePath(folder.path))
        }
        guard case .policy(_, let findings) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(findings.map(\.rule.rawValue) == ["workspace.min-sdk", "workspace.ttl"])
    }
}
