import GronaFormats
import LinuxIO
package import StrictJSON

/// What a signer gave.
package struct SignerAnswer: Sendable {
    package let envelope: JSONElement
    /// The head of its audit log.
    package let auditHead: String?
    /// The end of what it said on standard error.
    package let said: String

    /// - Parameter id: that of the request.
    init(
        _ answer: JSONElement, id: String = "1", said: String, exit: ChildExit
    ) throws(SignerError) {
        self.said = said
        if let error = answer["error"], error.kind == .object {
            if let next = error["next_version"]?.integer.flatMap({ ConfigVersion($0) }) {
                throw .reused(next, message: error["message"]?.string ?? "")
            }
            if let code = error["code"]?.utf8,
                code.elementsEqual(RuleCode.transitionStaleSource.rawValue.utf8)
            {
                throw .outdated(
                    signed: error["signed_version"]?.integer.flatMap { ConfigVersion($0) },
                    message: error["message"]?.string ?? "", exit: exit)
            }
            throw .refused(
                code: error["code"]?.string ?? "signer.refused",
                message: error["message"]?.string ?? "", help: error["help"]?.string, exit: exit)
        }
        guard answer["id"]?.string.map({ $0.utf8.elementsEqual(id.utf8) }) ?? false,
            let envelope = answer["envelope"], envelope.kind == .object
        else { throw .malformed("signer.malformed") }
        guard exit == .exited(0) else { throw .differs(.exit(exit)) }
        self.envelope = envelope
        auditHead = answer["audit"]?.string
    }
}
