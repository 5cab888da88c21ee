import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import ProjectFiles

/// What stands where `init` wants to make something: nothing, or what a run left that was killed.
///
/// `workspace.json` is made last; where it is missing and all the rest is as `init` makes it, the
/// run before was not finished, and this one goes on from there.
struct InitRemains {
    /// The keys that the keyring has already.
    let recorded: [KeyRecord]
    /// The keys whose file is there, and that no keyring has.
    let unrecorded: Set<KeyID>

    var isEmpty: Bool { recorded.isEmpty && unrecorded.isEmpty }

    /// Refuses, before anything is made, where a file is there that `init` would not have made.
    init(_ plan: InitPlan) throws(Failure) {
        for file in plan.campaignFiles {
            let path = plan.campaignFolder.appending(file.name)
            guard try Self.isThere(path) else { continue }
            guard file.name != "workspace.json", try Self.holds(path, file.text) else {
                throw Self.exists(path)
            }
        }
        let keyring = plan.keyringFolder.appending(KeyringFile.name)
        recorded = try Self.isThere(keyring) ? try Self.records(plan, keyring) : []
        var unrecorded: Set<KeyID> = []
        for (kid, _) in plan.newKeys where !recorded.contains(where: { $0.kid == kid }) {
            let file = plan.keyringFolder.appending("\(kid.text).pem")
            if try Self.isThere(file) { unrecorded.insert(kid) }
        }
        self.unrecorded = unrecorded
    }

    private static func isThere(_ path: FilePath) throws(Failure) -> Bool {
        do throws(SystemError) {
            return try FileSystem.statusIfPresent(of: path, links: .refuse) != nil
        } catch {
            throw Failure(writing: .system(error))
        }
    }

    private static func holds(_ path: FilePath, _ text: String) throws(Failure) -> Bool {
        try worded(FileWords.reading) { () throws(FileError) in
            try readFile(path, limit: Limits.Reader.campaignFile, links: .refuse)
        }.elementsEqual(text.utf8)
    }

    /// The keys of a keyring that has no others than `init` makes.
    private static func records(
        _ plan: InitPlan, _ path: FilePath
    ) throws(Failure) -> [KeyRecord] {
        guard let file = try? KeyringFile.read(plan.workspace, below: plan.keys),
            file.keyring.keys.allSatisfy({ record in
                plan.newKeys.contains { $0.kid == record.kid && $0.use == record.use }
                    && record.signer == plan.signer(record.kid)
            })
        else { throw exists(path) }
        return file.keyring.keys
    }

    private static func exists(_ path: FilePath) -> Failure {
        let isWorkspace = path.lastComponent?.description == "workspace.json"
        return Failure(
            Diagnostic(
                code: "output.exists", message: "there already, and 'init' overwrites nothing",
                file: path.description,
                help: isWorkspace
                    ? "'grona-sign keys generate' adds a key to a workspace that exists"
                    : "take another workspace key, or move the file away", exit: .cannotCreate))
    }
}
