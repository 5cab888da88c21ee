import DeviceModel
import GronaFormats
import PublishProtocol

extension Publisher {
    /// Has a document signed, and takes it where it verifies, bears the number that was asked for
    /// and is nothing but what was asked for; from then on it is kept until it is served.
    ///
    /// - Parameters:
    ///   - ask: asks the signer.
    ///   - lie: what of the new content was not asked for.
    func signed(
        _ request: PublishRun.SignRequest, of source: ConfigPayload, _ rules: PushRules,
        ask: () throws(SignerError) -> SignerAnswer, lie: (ConfigPayload) -> SignerLie?
    ) throws(PublishingError) -> PublishRun.SignedDocument {
        let answer: SignerAnswer
        do throws(SignerError) { answer = try ask() } catch { throw .signer(error) }
        let document = judge.judge(BundleCheck.serialized(answer.envelope))
        guard document.outcome.violation == nil, let facts = document.facts,
            let payload = document.payload
        else {
            throw .signer(.lied(code: document.outcome.code?.rawValue ?? "signature.invalid"))
        }
        if let kid = document.kid, let state = judge.unpinnedState(of: kid) {
            throw .signer(.otherKey(kid, state))
        }
        let asked = answer.asked ?? request.version
        guard payload.version == asked else {
            throw .signer(.differs(.version(payload.version, asked: asked)))
        }
        if let lie = lie(payload) { throw .signer(.differs(lie)) }
        keep(answer, request)
        return PublishRun.SignedDocument(
            document: document, facts: facts,
            refusals: rules.refusals(of: payload, after: source),
            auditHead: answer.auditHead, said: answer.said)
    }
}
