import DeviceModel
import GronaFormats
import Testing

@Suite("What an outcome tells")
struct ReportTests {
    private func skipped(_ outcome: Outcome) -> [DeviceCheck] {
        outcome.rows.filter { $0.result == .skipped }.map(\.check)
    }

    @Test("nothing of a document shows until its signature holds")
    func nothingUnsigned() {
        for signature in [SignatureCheck.fails, .notChecked] {
            let outcome = run(EnvelopeDraft().bytes, signature: signature)
            #expect(outcome.kid == nil)
            #expect(outcome.head == nil)
            #expect(outcome.payload == nil)
            #expect(outcome.warnings.isEmpty)
            #expect(
                skipped(outcome) == [
                    .payload, .workspace, .schema, .version, .times, .expired, .ttl, .minSDK,
                ])
        }
        let signed = run(EnvelopeDraft().bytes)
        #expect(signed.kid?.text == "k1")
        #expect(signed.head?.version == version(7))
        #expect(signed.payload?.expiresAt == UnixTime(1_795_856_400))
        #expect(skipped(signed).isEmpty)
    }

    @Test("without an envelope or a header everything behind is skipped")
    func skips() {
        #expect(skipped(run([])).first == .header)
        #expect(skipped(run(EnvelopeDraft(header: "{}").bytes)).first == .kid)
        #expect(skipped(run(EnvelopeDraft(payloadBytes: []).bytes)).first == .workspace)
    }

    @Test("rows that stand on their own are all reported, the first being the verdict")
    func allFailures() {
        let draft = PayloadDraft().with("workspace", #""other""#).with("ttl_seconds", "-1")
            .with("min_sdk", #""9.0.0""#).with("issued_at", "1")
        let outcome = run(
            EnvelopeDraft(draft).bytes, install(highest: .accepted(version(9))),
            at: UnixTime(1_795_856_400))
        let codes = outcome.rows.compactMap(\.result.violation?.code)
        #expect(
            codes == [
                .payloadWrongWorkspace, .payloadIssuedAt, .payloadExpired, .payloadTTL,
                .payloadNeedsNewerSDK,
            ])
        #expect(outcome.code == .payloadWrongWorkspace)
        #expect(skipped(outcome) == [.version])
    }

    @Test("without expires_at nobody can say whether it has expired")
    func expiredSkipped() {
        let outcome = run(EnvelopeDraft(PayloadDraft().with("expires_at", nil)).bytes)
        #expect(outcome[.times].violation?.code == .payloadMalformed)
        #expect(outcome[.expired] == .skipped)
        let other = run(
            EnvelopeDraft(PayloadDraft().with("issued_at", nil)).bytes,
            at: UnixTime(1_795_856_400))
        #expect(other[.expired].violation?.code == .payloadExpired)
    }

    @Test("another schema's members are not judged, its version is")
    func unknownSchema() {
        let draft = PayloadDraft().with("schema", "2").with("ttl_seconds", nil)
            .with("campaigns", "{}").with("settings", "1")
        let outcome = run(EnvelopeDraft(draft).bytes, install(highest: .accepted(version(8))))
        #expect(outcome.code == .payloadUnknownSchema)
        #expect(outcome[.version].violation?.code == .payloadRollback)
        #expect(skipped(outcome) == [.times, .expired, .ttl, .minSDK])
        #expect(outcome.payload == nil)
    }

    @Test("version and min-sdk are skipped where they are not asked")
    func notAsked() {
        let outcome = run(EnvelopeDraft().bytes, install(sdk: nil, highest: .notAsked))
        #expect(skipped(outcome) == [.version, .minSDK])
        #expect(outcome.accepted)
    }

    @Test("the state of a key that is not trusted is told")
    func keyState() {
        var install = install()
        install.pins = []
        install.keyStates = [KeyID("k1")!: .retired]
        let outcome = run(EnvelopeDraft().bytes, install)
        #expect(outcome.violation?.detail == .kid("k1", state: .retired))
    }

    @Test(
        "an envelope between the two limits is accepted with a warning",
        arguments: [(768_000, false), (768_001, true), (786_432, true)])
    func envelopeWarning(count: Int, warns: Bool) {
        let outcome = run(EnvelopeDraft().padded(to: count))
        #expect(outcome.accepted)
        #expect(outcome.warnings.map(\.code) == (warns ? [.envelopeTooLarge] : []))
    }

    @Test(
        "a payload between the two limits is accepted with a warning",
        arguments: [(512_000, false), (512_001, true), (524_288, true)])
    func payloadWarning(count: Int, warns: Bool) {
        let base = PayloadDraft().with("filler", #""""#).bytes.count
        let filler = "\"" + String(repeating: "x", count: count - base) + "\""
        let outcome = run(EnvelopeDraft(PayloadDraft().with("filler", filler)).bytes)
        #expect(outcome.accepted)
        #expect(outcome.warnings.map(\.code) == (warns ? [.payloadTooLarge] : []))
    }

    @Test(
        "a demo switch without the other is a warning",
        arguments: [
            (false, "{}", false), (true, "{}", true), (false, #"{"demo":true}"#, true),
            (true, #"{"demo":true}"#, false), (true, #"{"demo":"true"}"#, true),
            (false, #"{"demo":1}"#, false),
        ])
    func demoWarning(isDemo: Bool, settings: String, warns: Bool) {
        let outcome = run(
            EnvelopeDraft(PayloadDraft().with("settings", settings)).bytes,
            install(isDemo: isDemo))
        #expect(outcome.accepted)
        #expect(outcome.warnings.map(\.code) == (warns ? [.payloadDemo] : []))
    }

    @Test("a campaign that no SDK can read is a warning")
    func unreadableCampaign() {
        let outcome = run(
            EnvelopeDraft(PayloadDraft().with("campaigns", #"[{"id":"x"}]"#)).bytes)
        #expect(outcome.accepted)
        #expect(outcome.warnings.map(\.code) == [.payloadCampaign])
    }

    @Test("what is to be checked is the signing input with the key that kid names")
    func question() {
        let draft = EnvelopeDraft()
        let question = EnvelopeReading(draft.bytes).question(for: install())
        #expect(question?.kid.text == "k1")
        #expect(question?.signingInput == Array("\(draft.protected).\(draft.payload)".utf8))
        #expect(question?.signature == [UInt8](repeating: 7, count: 64))
        var other = install()
        other.pins = kid("k2")
        #expect(EnvelopeReading(draft.bytes).question(for: other) == nil)
        #expect(EnvelopeReading([]).question(for: install()) == nil)
    }
}
