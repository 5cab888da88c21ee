import CommandLineKit
import GronaCommand
import GronaFormats
import LinuxIO

/// The command `inspect`: what stands in a signed document, whoever signed it.
enum InspectCommand {
    static let file = Operand(.file("FILE|-"), help: "a config, grant or preview pin")

    static let command = Command(
        "inspect", .reads, summary: "decode a document without trusting it",
        discussion: [
            "No signature is checked and no key is needed: what is shown is what somebody wrote."
                + " 'grona-sign verify' tells whether it is true."
        ],
        operands: [file],
        examples: [
            .init("grona-sign inspect served.json", "The header and the payload of a config")
        ]
    ) { context throws(Failure) in
        let path = try context.call.require(file)
        let bytes = try InputDocument.read(path, limit: Limits.Reader.envelope)
        let console = context.console
        do throws(RuleViolation) {
            let report = InspectReport(try InspectDocument(bytes))
            if context.wantsJSON {
                console.json(report.json)
            } else {
                console.write(report.text(console.style))
            }
        } catch {
            throw Failure(
                Diagnostic(
                    code: error.code.rawValue, message: RuleWording.message(error),
                    file: InputDocument.name(path), exit: .refused))
        }
        return .success
    }
}
