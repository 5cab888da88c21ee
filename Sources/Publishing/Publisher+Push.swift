package import GronaFormats
package import PublishProtocol

extension Publisher {
    /// Publishes a finished envelope.
    ///
    /// - Parameters:
    ///   - document: of this workspace, accepted by a device; the caller has looked.
    ///   - facts: the document's.
    package func push(
        _ document: JudgedDocument, _ facts: DocumentFacts, payload: ConfigPayload,
        rules: PushRules, expecting: Publication.Expectations, isDryRun: Bool
    ) -> PublishReport {
        let run = PublishRun(self)
        run.add(document, facts)
        var reference: JudgedDocument?
        run.onJudge = { reading, served throws(PublishingError) in
            let newest = try newestServed(reading, served)
            reference = newest
            let isSame = newest?.facts?.payload == facts.payload
            return rules.refusals(of: payload, after: isSame ? nil : newest?.payload)
        }
        var machine = Publication(.init(.push(facts, expecting), isDryRun: isDryRun))
        let verdict = run.run(&machine)
        return PublishReport(
            verdict: verdict, alarms: Self.sorted(machine.alarms), failure: run.failure,
            before: run.base, after: run.last, reference: reference, document: document,
            marks: machine.base.marks)
    }

    /// The newest content known to have been served: what is served, or an envelope beside the
    /// ledger where the store went back or shows nothing of ours.
    private func newestServed(
        _ reading: ServedReading, _ served: JudgedDocument?
    ) throws(PublishingError) -> JudgedDocument? {
        let current = reading.genuineFacts == nil ? nil : served
        let kept: [UInt8]?
        do { kept = try ledger.newestServed(of: judge.workspace) } catch { throw .ledger(error) }
        guard let kept else { return current }
        let older = judge.judge(kept)
        guard let version = older.facts?.version, version > reading.version ?? 0 else {
            return current
        }
        return older
    }

    static func sorted(_ alarms: Set<Alarm>) -> [Alarm] {
        alarms.sorted { $0.code.utf8.lexicographicallyPrecedes($1.code.utf8) }
    }
}
