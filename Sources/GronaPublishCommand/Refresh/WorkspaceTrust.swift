import CommandLineKit
import GronaCommand
import GronaFormats
import GronaVerification
import LinuxIO
import ProjectFiles
import Publishing

/// Who is believed in each of many workspaces: the pins that were given, or the keyrings, which are
/// read once.
struct WorkspaceTrust {
    private let source: Source

    private enum Source {
        case pins(FilePath)
        case keyrings(KeyringFiles, [WorkspaceName: KeyringFile], below: FilePath)
    }

    /// - Parameter takesPins: whether pins that were given are trusted instead of the keyrings.
    init(_ context: CommandContext, takesPins: Bool) throws(Failure) {
        if takesPins, let pins = try context.pins() {
            source = .pins(pins)
            return
        }
        let keys = try context.keys()
        let files: KeyringFiles
        do throws(ProjectFileError) { files = try KeyringFiles.read(below: keys) } catch {
            throw Failure(error)
        }
        var byName: [WorkspaceName: KeyringFile] = [:]
        for file in files.files { byName[file.keyring.workspace] = file }
        source = .keyrings(files, byName, below: keys)
    }

    /// The workspaces that have a keyring; none where pins are trusted.
    var names: Set<WorkspaceName> {
        switch source {
        case .pins: []
        case .keyrings(_, let byName, _): Set(byName.keys)
        }
    }

    /// The keyring of a workspace; nil where pins are trusted.
    func keyring(_ workspace: WorkspaceName) throws(Failure) -> Keyring? {
        switch source {
        case .pins: return nil
        case .keyrings(let files, let byName, let folder):
            if files.conflicts.isEmpty, let file = byName[workspace] { return file.keyring }
            do throws(ProjectFileError) {
                return try files.usable(workspace, below: folder).keyring
            } catch {
                throw Failure(publicHalves: error)
            }
        }
    }

    func judge(
        _ workspace: WorkspaceName, at time: UnixTime
    ) throws(Failure) -> DocumentJudge {
        do {
            if case .pins(let path) = source {
                let pins = try PinsOnDisk.read(path, for: workspace).pins
                return try DocumentJudge(pins: pins, now: time)
            }
            guard let keyring = try keyring(workspace) else {
                throw Failure(
                    Diagnostic(
                        code: RuleCode.keyringMissing.rawValue, message: "there is no keyring",
                        file: workspace.text, exit: .configuration))
            }
            return try DocumentJudge(keyring: keyring, now: time)
        } catch let error as Failure {
            throw error
        } catch let error as ProjectFileError {
            throw Failure(error)
        } catch let error as TrustError {
            throw Failure(error)
        } catch {
            throw Failure(
                Diagnostic(
                    code: RuleCode.keyringMissing.rawValue, message: "there is no keyring",
                    file: workspace.text, exit: .configuration))
        }
    }
}
