import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import ProjectFiles

/// What `init` makes for a workspace, and the checks before anything is made.
struct InitPlan {
    let workspace: WorkspaceName
    let campaigns: FilePath
    let keys: FilePath
    let now: UnixTime
    /// Whether the JSON Schemas stand beside the workspaces, so that editors find them.
    let hasSchemas: Bool

    static let store: FilePath = "public"
    static let firstCampaign = "welcome"

    var campaignFolder: FilePath { campaigns.appending(workspace.text) }
    var keyringFolder: FilePath { keys.appending(workspace.text) }

    /// The current and the next key of each use: apps pin two, so that the next one can sign
    /// without a new app (signed-configuration: Pinned keys).
    var newKeys: [(kid: KeyID, use: KeyUse)] {
        // 2026-10; a key is meant to serve for a year.
        let month = now.rfc3339.map { String($0.prefix(7)) } ?? "first"
        let year = Int64(month.prefix(4)).map { String($0 + 1) } ?? "next"
        let following = year + month.dropFirst(4)
        let names: [(String, KeyUse)] = [
            ("\(workspace)-\(month)", .config), ("\(workspace)-\(following)", .config),
            ("\(workspace)-grants-\(month)", .grant), ("\(workspace)-grants-\(following)", .grant),
        ]
        return names.compactMap { name, use in KeyID(name).map { ($0, use) } }
    }

    /// Where the private half of a key is.
    func signer(_ kid: KeyID) -> String { "file:\(kid.text).pem" }

    /// The campaign folder's files, by name.
    var campaignFiles: [(name: String, text: String)] {
        [
            ("\(Self.firstCampaign).json", InitTemplates.campaign(hasSchemas: hasSchemas)),
            ("workspace.json", InitTemplates.policy(workspace, hasSchemas: hasSchemas)),
        ]
    }

    static func hasSchemas(below campaigns: FilePath) -> Bool {
        let schema = campaigns.appending("schema/campaign.schema.json")
        return (try? FileSystem.statusIfPresent(of: schema))??.kind == .regular
    }

    /// Makes the campaign folder; `workspace.json`, which makes a workspace of it, comes last of
    /// all.
    func makeCampaigns() throws(Failure) {
        do throws(FileError) {
            let folder = try Folder(creating: campaignFolder, permissions: 0o755)
            for file in campaignFiles where try folder.status(of: FilePath(file.name)) == nil {
                try folder.createFile(
                    FilePath(file.name), Array(file.text.utf8), permissions: 0o644)
            }
        } catch {
            throw Failure(writing: error)
        }
    }

    /// Makes the store's folder where it is missing.
    func makeStore() throws(Failure) {
        do throws(SystemError) {
            try FileSystem.createFolders(Self.store, permissions: 0o755)
        } catch {
            throw Failure(writing: .system(error))
        }
    }
}
