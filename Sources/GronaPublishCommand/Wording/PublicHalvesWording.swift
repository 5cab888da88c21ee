import CommandLineKit
import GronaCommand
import ProjectFiles

extension Failure {
    /// A keyring that this program cannot read: it never makes one, and gets a copy of the signer's.
    init(publicHalves error: ProjectFileError) {
        self.init(error)
        guard case .noKeyring(let path) = error else { return }
        reason.message = "there is no copy of this workspace's keyring"
        reason.help =
            "the signer's host has the keyring, and it holds public halves alone: copy it to here"
            + " with 'install -m 0644 keyring.json \(path)'; --keys DIR says where the copies are"
    }
}
