package import GronaFormats
package import PublishProtocol

extension Publisher {
    /// Publishes a finished envelope.
    ///
    /// - Parameters:
    ///   - document: of this workspace, accepted by a device; the caller has looked.
    ///   - facts: the document's.
    ///   - heed: told what is worth a warning before anything is claimed; answers the code of one
    ///     that is an error here.
    package func push(
        _ document: JudgedDocument, _ facts: DocumentFacts, payload: ConfigPayload,
        rules: PushRules, expecting: Publication.Expectations, isDryRun: Bool,
        heed: @escaping ([Alarm], JudgedDocument?) -> String? = { _, _ in nil }
    ) -> PublishReport {
        let run = PublishRun(self)
        run.add(document, facts)
        var reference: JudgedDocument?
        run.onJudge = { base, served, alarms throws(PublishingError) in
            let lookup = PushReference(publisher: self, base: base, served: served)
            let found = try lookup.find(for: facts)
            reference = found.document
            let isSame = found.document?.facts?.payload == facts.payload
            let refusals =
                rules.refusals(of: payload, after: isSame ? nil : found.document?.payload)
                + rules.refusals(of: payload, afterUnknown: found.unknown)
            guard refusals.isEmpty, let code = heed(alarms, found.document) else {
                return refusals
            }
            return [.warned(code: code)]
        }
        var machine = Publication(.init(.push(facts, expecting), isDryRun: isDryRun))
        let verdict = run.run(&machine)
        return explained(
            PublishReport(
                verdict: verdict, alarms: Self.sorted(machine.alarms), failure: run.failure,
                before: run.base, after: run.last, reference: reference, document: document,
                marks: machine.base.marks))
    }

    static func sorted(_ alarms: Set<Alarm>) -> [Alarm] {
        alarms.sorted { one, other in
            if !one.code.utf8.elementsEqual(other.code.utf8) {
                return one.code.utf8.lexicographicallyPrecedes(other.code.utf8)
            }
            if one.number != other.number { return one.number < other.number }
            return one.name.utf8.lexicographicallyPrecedes(other.name.utf8)
        }
    }
}
