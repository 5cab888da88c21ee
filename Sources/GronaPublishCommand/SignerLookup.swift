import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import Publishing

/// How this run calls the signer.
enum SignerLookup {
    private static let program: FilePath = "grona-sign"

    /// The command that was given, or the `grona-sign` beside this program with the publisher's
    /// own folders.
    static func command(_ context: CommandContext) throws(Failure) -> SignerCommand {
        SignerCommand(
            words: try words(context),
            options: context.isRehearsal ? ["--now", String(context.now.seconds)] : [],
            timeout: try context.signerTimeout())
    }

    /// The program that is called where nobody names another.
    static var builtIn: SettingValue? {
        FileSystem.ownProgram().map {
            SettingValue(
                $0.parent.appending(program).bytes, .builtIn("the folder of this program"))
        }
    }

    private static func words(_ context: CommandContext) throws(Failure) -> [FilePath] {
        if let given = try context.signer() {
            guard let words = try? CommandWords.split(FilePath(given)), !words.isEmpty else {
                throw Failure(
                    Diagnostic(
                        code: "signer.command",
                        message: "'\(given)' is no command: a quote is not closed, or it is empty",
                        exit: .configuration))
            }
            if let first = words.first, AddressScheme.isAddress(first.description) {
                throw Failure(
                    Diagnostic(
                        code: "signer.command", message: "'\(first)' is no program",
                        help: "a signer is called by a command with its options, such as"
                            + " 'ssh signer@host grona-sign'",
                        exit: .configuration))
            }
            return words
        }
        guard let own = FileSystem.ownProgram() else {
            throw Failure(
                Diagnostic(
                    code: "signer.unavailable", message: "this program's own folder is not known",
                    help: "--signer CMD says how the signer is called", exit: .unavailable))
        }
        var words = [own.parent.appending(program)]
        words += ["--keys", try context.keys(), "--campaigns", try context.campaigns()]
        // In a rehearsal the signer goes below this folder by itself.
        if let state = try context.settings().value(SharedSettings.state) {
            words += ["--state", FilePath(bytes: state.bytes)]
        }
        return words
    }
}
