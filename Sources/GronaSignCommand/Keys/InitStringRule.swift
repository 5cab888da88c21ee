import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import SigningKeys

/// A PKCS#11 module takes one init string in a process, so that two keys with different ones could
/// not be used in one run, such as `keys check` over all keyrings or a batch.
enum InitStringRule {
    /// - Throws: `key.signer`, with the key that has another one.
    static func check(
        _ signer: SignerURI, _ kid: KeyID, beside keyrings: [Keyring]
    ) throws(Failure) {
        guard case .pkcs11(let uri) = signer else { return }
        let module = resolved(uri.module)
        for keyring in keyrings {
            for other in keyring.keys {
                guard case .pkcs11(let known)? = try? SignerURI(other.signer),
                    known.initString != uri.initString, resolved(known.module) == module
                else { continue }
                throw Failure(
                    Diagnostic(
                        code: RuleCode.keySigner.rawValue,
                        message: "the signer of \(kid) gives its module another x-grona-init than"
                            + " \(other.kid) of \(keyring.workspace), and a module takes one in a"
                            + " run", file: uri.module.description,
                        help: "give the same one in every signer URI with this module, or copy the"
                            + " module's file to a path of its own", exit: .configuration))
            }
        }
    }

    private static func resolved(_ module: FilePath) -> FilePath {
        guard let owners = try? Ownership.trustedOwners(),
            let checked = try? TrustedOwnership.check(module, trusting: owners)
        else { return module }
        return checked.resolved
    }
}
