import GronaFormats
import StrictJSON
import Testing
import Transitions

@testable import Signing

@Suite("AuditRecord")
struct AuditRecordTests {
    static let acts: [AuditRecord.Act] =
        TransitionRole.allCases.map { role in
            .signature(
                SignatureRecord(
                    role: .step(role), kid: kid("k"), thumbprint: "t", version: .first,
                    digest: "d", issuedAt: UnixTime(1), expiresAt: UnixTime(2), source: "s",
                    changes: SignedChanges(
                        disabled: ["b", "a", "a"], enabled: ["c"], served: "served"),
                    switches: SwitchRecord(off: ["z", "y"], on: ["x"])))
        } + [
            .signature(
                SignatureRecord(
                    role: .preview, kid: kid("k"), thumbprint: "t", version: nil, digest: "d",
                    issuedAt: UnixTime(1), expiresAt: UnixTime(2))),
            .adoption(
                AdoptionRecord(
                    version: .last, digest: "d", kid: kid("k"), reason: "why\n", byKill: true,
                    off: ["x"])),
            .withdrawal(version: .first, reason: "typo"),
            .keyring(
                KeyringRecord(
                    change: .generated, before: nil, after: "x", kid: kid("k"), thumbprint: "t",
                    use: .grant, state: .current)),
            .keyring(KeyringRecord(change: .firstUse, before: nil, after: "x")),
            .keyring(KeyringRecord(change: .accepted, before: "y", after: "x")),
            .grantsBegin(kid: kid("k"), thumbprint: "t", log: "1-2.ndjson"),
            .grantsEnd(count: 3, log: "1-2.ndjson", digest: "d"),
        ]

    @Test("a record is read as it was written", arguments: acts)
    func roundTrip(act: AuditRecord.Act) throws {
        let record = AuditRecord(
            act, at: UnixTime(1_793_264_400), user: "root", workspace: Bench.name,
            isRehearsal: true)
        let bytes = JSONValue.object(record.json).canonical()
        #expect(AuditRecord(try JSONDocument.parse(bytes).root) == record)
    }

    @Test("a record with a member missing or of an unknown act is none", arguments: acts)
    func incomplete(act: AuditRecord.Act) throws {
        let record = AuditRecord(
            act, at: UnixTime(1_793_264_400), user: "root", workspace: Bench.name)
        let optional = [
            "source", "served", "disabled", "enabled", "before", "by_kill", "use", "state",
            "off", "on",
        ]
        for (name, _) in record.json where !optional.contains(name) {
            if case .keyring = act, ["kid", "thumbprint"].contains(name) { continue }
            let rest = record.json.filter { $0.0 != name }
            let bytes = JSONValue.object(rest).canonical()
            #expect(AuditRecord(try JSONDocument.parse(bytes).root) == nil, "\(name)")
        }
        let other = record.json.map { $0.0 == "act" ? ($0.0, JSONValue.string("x")) : $0 }
        #expect(
            AuditRecord(try JSONDocument.parse(JSONValue.object(other).canonical()).root) == nil)
    }

    @Test("only what is for the config URL takes a number; only some of it sets the floor")
    func roles() {
        let steps = TransitionRole.allCases.map { SignatureRole.step($0) }
        #expect(
            steps.filter(\.isForConfigURL).map(\.text)
                == ["config", "renew", "kill", "revive", "restore"])
        #expect(
            steps.filter(\.setsFloor).map(\.text) == ["config", "kill", "revive", "restore"])
        #expect(!SignatureRole.preview.setsFloor && !SignatureRole.preview.isForConfigURL)
    }
}
