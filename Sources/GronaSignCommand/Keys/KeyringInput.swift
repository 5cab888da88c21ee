import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import ProjectFiles
import Signing

/// A keyring that a command only looks at: what others may change is told and not refused.
enum KeyringInput {
    static func read(_ context: CommandContext) throws(Failure) -> KeyringFile {
        let keys = try context.keys()
        let workspace = try context.requireWorkspace()
        let file = try worded(Failure.init) { () throws(ProjectFileError) in
            try KeyringFile.read(workspace, below: keys)
        }
        try Ownership.warn(about: file.path, on: context.console)
        return file
    }

    static func record(_ kid: KeyID, in file: KeyringFile) throws(Failure) -> KeyRecord {
        guard let record = file.keyring.key(kid) else {
            throw SigningWording().failure(.keyring(.unknownKey(kid)))
        }
        return record
    }
}
