import CommandLineKit
import GronaCommand
import LinuxIO
import Publishing

/// The very command with which a signer was called, for who tries it by hand.
enum SignerByHand {
    /// Names it where the signer ended without an answer.
    static func told(
        _ reason: Diagnostic, _ signer: SignerCommand, _ verb: SignerVerb
    ) -> Diagnostic {
        guard reason.code.utf8.elementsEqual("signer.no-answer".utf8),
            case .program(let words) = signer.call
        else { return reason }
        let all =
            words.map { AddressText.redacted($0.description) } + verb.words + signer.options
        var reason = reason
        reason.help =
            "the same call by hand shows what is wrong, as the user who runs this:"
            + " \(all.map { StatusAdvice.word($0) }.joined(separator: " ")) </dev/null"
        return reason
    }
}
