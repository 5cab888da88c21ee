import CommandLineKit
import ES256
import GronaCommand
import GronaFormats
import LinuxIO
import SigningKeys

/// The words, the next step and the status for keys that cannot be used or made.
enum KeyWording {
    /// The words for one key.
    static func words(_ kid: KeyID) -> (SigningKeyError) -> Failure {
        { failure($0, kid: kid) }
    }

    static func failure(_ error: SigningKeyError, kid: KeyID) -> Failure {
        switch error {
        case .badURI(let error):
            make(
                "key.signer", "the signer of \(kid) is no signer URI: \(words(error))",
                "such as file:\(kid).pem, credential:\(kid), pkcs11:token=…;object=\(kid)"
                    + "?module-path=/… or exec:/usr/libexec/grona-kms",
                .configuration)
        case .unsupportedScheme(let scheme):
            make(
                "key.signer", "this program has no back end for \(scheme.rawValue): keys",
                "file:, credential:, pkcs11: and exec: are taken", .configuration)
        case .cannotGenerate(.exec):
            make(
                "key.signer", "a key behind a program is made in its key service, not by it",
                "make a P-256 signing key there, let the program answer for \(kid), then"
                    + " 'grona-sign keys import' with the same options", .usage)
        case .cannotGenerate(let scheme):
            make(
                "key.signer", "\(scheme.rawValue): keys are made elsewhere",
                "make the key there, then 'grona-sign keys import'; file: keys are made here",
                .usage)
        case .program(let error): ProgramWording.failure(error, kid)
        case .keyMismatch(let expected, let found):
            make(
                RuleCode.keyMismatch.rawValue,
                "another key answers for \(kid): its thumbprint is \(found), and \(expected) is on"
                    + " record", "put the right key back; a kid never changes its key",
                .configuration)
        case .unreachable(.noCredentialsFolder):
            make(
                "key.unreachable", "\(kid) is a credential, and $CREDENTIALS_DIRECTORY is not set",
                "run it as a systemd service with LoadCredential=", .unavailable)
        case .unreachable(.noCredentialsFolderForPIN):
            make(
                "key.unreachable",
                "the PIN for \(kid) is a credential, and $CREDENTIALS_DIRECTORY is not set",
                "run it as a systemd service with LoadCredential=", .unavailable)
        case .keyMade(let then): keyMade(failure(then, kid: kid))
        case .notAllowed(let refused): notAllowed(refused, kid)
        case .secretFile(let error, let kind): secretFile(error, kind, kid)
        case .malformed(let error, let path):
            Failure(
                Diagnostic(
                    code: RuleCode.keyMalformed.rawValue, message: PrivateKeyWording.message(error),
                    file: path.description, help: PrivateKeyWording.help(error), exit: .refused))
        case .passphraseNeeded:
            make(
                "key.passphrase-needed", "\(kid) is encrypted, and no passphrase was given",
                "--passphrase-file FILE, GRONA_PASSPHRASE_FILE, or a terminal", .notAllowed)
        case .prompt(let error, let kind):
            make(
                "key.prompt",
                "no \(kind == .pin ? "PIN" : "passphrase") came from the terminal: \(words(error))",
                kind == .pin
                    ? "name a file with it as pin-source in the signer URI"
                    : "give it with --passphrase-file", .notAllowed)
        case .badPIN(let fault): TokenWording.failure(fault, kid: kid)
        case .token(let error): TokenWording.failure(error, kid: kid)
        case .output(let error): output(error)
        case .badSignature:
            make(
                RuleCode.signatureInvalid.rawValue, "\(kid) made a signature that does not hold",
                "nothing was written; look at the key service: one that hashes the digest once more"
                    + " needs its mode for digests", .fault)
        case .outOfSecretMemory:
            make(
                "memory.secret", "the system gives no more memory for secrets",
                "raise 'ulimit -l'", .fault)
        case .libcrypto:
            make(
                "libcrypto.failed", "libcrypto failed at something that never fails",
                "check the installation of OpenSSL", .fault)
        }
    }

    private static func make(
        _ code: String, _ message: String, _ help: String, _ exit: ExitStatus,
        file: FilePath? = nil
    ) -> Failure {
        Failure(
            Diagnostic(
                code: code, message: message, file: file?.description, help: help, exit: exit))
    }

    private static func keyMade(_ failure: Failure) -> Failure {
        var failure = failure
        let help = failure.reason.help.map { "\($0); " } ?? ""
        failure.reason.help =
            help + "the token has made the key, or may have: when this is mended, 'grona-sign keys"
            + " import' with the same options records it"
        return failure
    }

    private static func output(_ error: FileError) -> Failure {
        var failure = Failure(writing: error)
        if case .exists = error {
            failure.reason.help =
                "a private key is never overwritten; where 'keys generate' was stopped half way,"
                + " 'grona-sign keys import' with the same options records the key that it made"
        }
        return failure
    }

    private static func notAllowed(_ refused: RefusedAccess, _ kid: KeyID) -> Failure {
        switch refused {
        case .wrongPassphrase(let path):
            make(
                "key.wrong-passphrase", "not the passphrase of \(kid), or a damaged file",
                "nothing was signed; give the right passphrase", .notAllowed, file: path)
        }
    }

    private static func secretFile(
        _ error: SecretFileError, _ kind: SecretKind, _ kid: KeyID
    ) -> Failure {
        let what =
            switch kind {
            case .key: "the key file of \(kid)"
            case .passphrase: "the passphrase file"
            case .pin: "the PIN file"
            }
        switch error {
        case .system(let error):
            let code = error.number == .notFound ? "input.missing" : "input.unreadable"
            return make(
                code, "\(what): \(error.number.text)", "check the path and who may read it",
                error.number == .noPermission ? .notAllowed : .noInput, file: error.path)
        case .isLink(let path):
            return make(
                "key.unsafe-file", "\(what) is a symbolic link", "name the file itself",
                .notAllowed, file: path)
        case .notRegular(let path, _):
            return make(
                "input.not-a-file", "\(what) is no file", "name the file itself", .noInput,
                file: path)
        case .foreignOwner(let path, let status):
            return make(
                "key.unsafe-file", "\(what) belongs to user \(status.owner), who is not trusted",
                "chown it, or name the user in GRONA_TRUST_UID", .notAllowed, file: path)
        case .openToOthers(let path, let status):
            return make(
                "key.unsafe-file",
                "\(what) has mode \(String(status.permissions, radix: 8)): others than its owner"
                    + " have access", "chmod 600 '\(path)'", .notAllowed, file: path)
        case .tooLarge(let path, let limit):
            return make(
                RuleCode.inputTooLarge.rawValue, "\(what) has more than \(limit) bytes",
                "name the right file", .refused, file: path)
        }
    }

    private static func words(_ error: SignerURIError) -> String {
        switch error {
        case .noScheme: "there is no scheme before a colon"
        case .unknownScheme(let scheme): "\"\(scheme)\" is no scheme that is known"
        case .empty: "nothing follows the colon"
        case .controlCharacter: "it has a control character"
        case .noncharacter: "it has a noncharacter of Unicode"
        case .hiddenPathComponent: "a component of the path begins with a dot"
        case .absolutePath: "the path has to be relative to the keyring"
        case .emptyPathComponent: "the path has an empty component"
        case .dotPathComponent: "the path has a component . or .."
        case .pkcs11(let error): TokenWording.words(error)
        case .relativeProgram: "the path of a program begins with /"
        case .badCredentialName: "a credential's name has no slash and is not . or .."
        }
    }

    private static func words(_ error: TerminalError) -> String {
        switch error {
        case .none: "there is no terminal"
        case .tooLong(let limit): "more than \(limit) bytes"
        case .system(let error): error.number.text
        case .ended: "the input ended"
        case .interrupted: "it was interrupted"
        }
    }
}
