import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO
import Publishing

/// How this run calls the signer.
enum SignerLookup {
    private static let program: FilePath = "grona-sign"

    /// Stands before the folder of a signer's sockets.
    private static let socketPrefix = "unix:"

    /// The command or the folder of sockets that was given, or the `grona-sign` beside this program
    /// with the publisher's own folders.
    static func command(_ context: CommandContext) throws(Failure) -> SignerCommand {
        if let given = try context.signer(), given.hasPrefix(socketPrefix) {
            return try sockets(context, String(given.dropFirst(socketPrefix.count)))
        }
        return SignerCommand(
            words: try words(context),
            options: context.isRehearsal ? ["--now", String(context.now.seconds)] : [],
            timeout: try patience(context))
    }

    /// A little longer than the signer itself waits for its keys, twice: to open one and to sign. So
    /// it is the signer that says which of them did not answer.
    private static func patience(_ context: CommandContext) throws(Failure) -> DurationSeconds {
        let seconds = min(try context.signerTimeout().seconds, 86_400)
        return DurationSeconds(2 * seconds + 1)
    }

    /// The program that is called where nobody names another.
    static var builtIn: SettingValue? {
        FileSystem.ownProgram().map {
            SettingValue(
                $0.parent.appending(program).bytes, .builtIn("the folder of this program"))
        }
    }

    /// Such a signer has a clock, folders and keys of its own, so it takes no part in a rehearsal.
    private static func sockets(
        _ context: CommandContext, _ folder: String
    ) throws(Failure) -> SignerCommand {
        guard folder.utf8.first == 0x2F else {
            throw Failure(
                Diagnostic(
                    code: "signer.command",
                    message: "'\(socketPrefix)\(folder)' names no folder by its whole path",
                    help: "such as unix:/run/grona-sign", exit: .configuration))
        }
        guard !context.isRehearsal else {
            throw Failure(
                Diagnostic(
                    code: "rehearsal.real",
                    message:
                        "a signer behind sockets signs with the keys and at the time of its own",
                    file: folder,
                    help: "without --signer, the grona-sign beside this one rehearses",
                    exit: .configuration))
        }
        return SignerCommand(sockets: FilePath(folder), timeout: try patience(context))
    }

    private static func words(_ context: CommandContext) throws(Failure) -> [FilePath] {
        if let given = try context.signer() {
            guard let words = try? CommandWords.split(FilePath(given)), !words.isEmpty else {
                throw Failure(
                    Diagnostic(
                        code: "signer.command",
                        message: "'\(AddressText.redacted(given))' is no command: a quote is not"
                            + " closed, or it is empty",
                        exit: .configuration))
            }
            if let first = words.first, AddressScheme.isAddress(first.description) {
                throw Failure(
                    Diagnostic(
                        code: "signer.command",
                        message: "'\(AddressText.redacted(first.description))' is no program",
                        help: "a signer is called by a command with its options, such as"
                            + " 'ssh signer@host grona-sign', or over the sockets of unix:DIR",
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
        words += ["--signer-timeout", FilePath("\(try context.signerTimeout().seconds)s")]
        // In a rehearsal the signer goes below this folder by itself.
        if let state = try context.settings().value(SharedSettings.state) {
            words += ["--state", FilePath(bytes: state.bytes)]
        }
        return words
    }
}
