import CommandLineKit
import GronaCommand
import GronaFormats
import Libcrypto
import LinuxIO
import ProjectFiles
import Signing

/// Ends a change of a keyring that was recorded and then stopped, by a crash or a kill, before the
/// keyring was written.
///
/// A change is staged beside the keyring, recorded with the digests before and after, and then
/// written, all under one lock. So whoever gets the lock and finds the keyring as it was before,
/// and the staged one as it was to be after, may write it: it is what the log vouches for.
struct KeyringRecovery {
    let setup: SignerSetup

    /// The keyring and its memory, both read under the lock; none where there is no keyring.
    func settled(
        _ workspace: WorkspaceName
    ) throws(Failure) -> (file: KeyringFile, memory: SignerMemory, isFinished: Bool)? {
        let editor = try worded(Failure.init) { () throws(ProjectFileError) in
            try KeyringEditor(workspace, below: setup.keys)
        }
        if let staged = editor.staged {
            let memory = try setup.memory(staged.keyring)
            if let change = memory.history.keyringChange, change.after == staged.digest.hex,
                change.before == editor.current?.digest.hex
            {
                let file = try worded(Failure.init) { () throws(ProjectFileError) in
                    try editor.finish()
                }
                if let file {
                    setup.context.console.report(
                        NoteWording.diagnostic(.keyringFinished(file.digest.hex)))
                    return (file, memory, true)
                }
            }
        }
        guard let file = editor.current else { return nil }
        return (file, try setup.memory(file.keyring), false)
    }
}
