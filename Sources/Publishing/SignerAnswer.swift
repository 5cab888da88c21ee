package import GronaFormats
import LinuxIO
package import StrictJSON

/// What a signer gave.
package struct SignerAnswer: Sendable {
    package let envelope: JSONElement
    /// The head of its audit log.
    package let auditHead: String?
    /// The number that it was asked for last; nil where it was asked for none.
    package var asked: ConfigVersion?
    /// The end of what it said on standard error.
    package let said: String

    /// - Parameter id: that of the request.
    init(
        _ answer: JSONElement, id: String = "1", said: String, exit: ChildExit
    ) throws(SignerError) {
        self.said = said
        if let error = answer["error"], error.kind == .object {
            let code = error["code"]?.string
            guard code.map({ Self.isCode($0) }) ?? true else {
                throw .malformed("signer.malformed")
            }
            let (message, help) = (Self.text(error["message"]), Self.text(error["help"]))
            if let next = error["next_version"]?.integer.flatMap({ ConfigVersion($0) }) {
                throw .reused(next, message: message ?? "")
            }
            if let code, code.utf8.elementsEqual(RuleCode.transitionStaleSource.rawValue.utf8) {
                throw .outdated(
                    signed: error["signed_version"]?.integer.flatMap { ConfigVersion($0) },
                    message: message ?? "", exit: exit)
            }
            throw .refused(
                code: code ?? "signer.refused", message: message ?? "", help: help,
                file: Self.text(error["file"]), exit: exit)
        }
        guard answer["id"]?.string.map({ $0.utf8.elementsEqual(id.utf8) }) ?? false,
            let envelope = answer["envelope"], envelope.kind == .object
        else { throw .malformed("signer.malformed") }
        guard exit == .exited(0) else { throw .differs(.exit(exit)) }
        self.envelope = envelope
        auditHead = answer["audit"]?.string.flatMap { Self.isDigest($0) ? $0 : nil }
    }

    /// What is taken of a text that a person reads, in characters.
    private static let textLimit = 2_000

    private static func text(_ element: JSONElement?) -> String? {
        (element?.string).map { String($0.prefix(textLimit)) }
    }

    /// A code ends up in the labels of metrics, so it is short and plain.
    private static func isCode(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E
                    || $0 == 0x5F
            }
    }

    private static func isDigest(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy { (0x61...0x66).contains($0) || (0x30...0x39).contains($0) }
    }
}
