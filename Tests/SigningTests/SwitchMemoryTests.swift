import GronaFormats
import ProjectFiles
import StrictJSON
import Testing
import Transitions

@testable import Signing

@Suite("What the signer remembers of switches")
struct SwitchMemoryTests {
    private func restore(_ bench: Bench, _ old: [UInt8], _ served: [UInt8]) throws -> Draft {
        try bench.drafting.restore(
            try bench.source(old, .old), served: try bench.source(served, .served))
    }

    private func isOn(_ draft: Draft, _ id: String = "weekend-offer") throws -> Bool? {
        try isOn(try JSONDocument.parse(draft.payload).root, id)
    }

    private func isOn(_ root: JSONElement, _ id: String) throws -> Bool? {
        root["campaigns"]?.elements.first { $0["id"]?.string == id }?["enabled"]?.boolean
    }

    private func off(_ bench: Bench) throws -> [String] {
        try bench.desk().memory.history.switchedOff.map(SwitchRecord.text).sorted()
    }

    @Test("a killed campaign that left the folder stays off when older content comes back")
    func removed() throws {
        let bench = try Bench()
        let first = try bench.config(1)
        try bench.renew(first, disabling: ["weekend-offer"])
        let third = try bench.config(3, [Bench.banner])
        let restored = try restore(bench, first, third)
        #expect(try isOn(restored) == false)
        #expect(try isOn(restored, "news") == true)
        #expect(try off(bench) == ["weekend-offer"])
        // The restore itself is remembered as one that keeps it off.
        let fourth = try bench.sign(restored)
        #expect(try payload(fourth)["version"]?.integer == 4)
        #expect(try off(bench) == ["weekend-offer"])
    }

    @Test("what was removed and never switched off comes back as it was")
    func neverOff() throws {
        let bench = try Bench()
        let first = try bench.config(1)
        let second = try bench.config(2, [Bench.banner])
        #expect(try isOn(try restore(bench, first, second)) == true)
    }

    @Test("a config that has a campaign off is remembered like a kill")
    func offByConfig() throws {
        let bench = try Bench()
        let first = try bench.config(1)
        try bench.config(2, [Bench.off(Bench.offer), Bench.banner])
        let third = try bench.config(3, [Bench.banner])
        #expect(try isOn(try restore(bench, first, third)) == false)
    }

    @Test("revive, or a config with the campaign on, makes the signer forget; a renewal does not")
    func forgotten() throws {
        var bench = try Bench()
        let first = try bench.config(1)
        let killed = try bench.renew(first, disabling: ["weekend-offer", "news"])
        bench.now = UnixTime(bench.now.seconds + 1)
        try bench.renew(killed)
        #expect(try off(bench) == ["news", "weekend-offer"])
        let revived = try bench.renew(killed, version: 5, enabling: ["weekend-offer"])
        #expect(try off(bench) == ["news"])
        try bench.config(6)
        #expect(try off(bench) == [])
        #expect(try payload(revived)["version"]?.integer == 5)
    }

    @Test("a version that is given up has switched nothing on")
    func withdrawn() throws {
        let bench = try Bench()
        let first = try bench.config(1)
        try bench.renew(first, disabling: ["weekend-offer"])
        let third = try bench.config(3, [Bench.banner])
        try bench.config(4)
        #expect(try off(bench) == [])
        var desk = try bench.desk()
        _ = try desk.withdraw(try number(4), reason: "never published", now: bench.now)
        #expect(try off(bench) == ["weekend-offer"])
        #expect(try isOn(try restore(bench, first, third)) == false)
    }

    @Test("a restore that was drafted before another process switched off is not signed")
    func race() throws {
        let bench = try Bench()
        let first = try bench.config(1)
        let second = try bench.config(2, [Bench.banner])
        let draft = try restore(bench, first, second)
        var history = try bench.desk().memory.history
        history.apply(
            AuditRecord(
                .adoption(
                    AdoptionRecord(
                        version: try number(2), digest: draft.digest + "x", kid: draft.key.kid,
                        reason: "", off: ["weekend-offer"])),
                at: bench.now, user: "", workspace: Bench.name))
        let refused = try refusal {
            try MemoryRule.records(
                of: draft, history: history, states: try bench.keyring.keyring.states)
        }
        guard case .transition(let violations) = refused else {
            Issue.record("\(String(describing: refused))")
            return
        }
        #expect(violations.map(\.code) == ["transition.enabled"])
    }

    @Test("lines of older logs name only what a person asked for, and are read")
    func older() throws {
        let bench = try Bench()
        let first = try bench.source(try bench.config(1))
        var memory = SwitchMemory()
        func line(_ role: TransitionRole, _ changes: SignedChanges) -> SignatureRecord {
            SignatureRecord(
                role: .step(role), kid: first.kid, thumbprint: "", version: .first, digest: "",
                issuedAt: bench.now, expiresAt: bench.now, changes: changes)
        }
        memory.apply(line(.kill, SignedChanges(disabled: ["a", "b"])), version: .first)
        #expect(memory.off == [Array("a".utf8), Array("b".utf8)])
        memory.apply(line(.revive, SignedChanges(enabled: ["b"])), version: .first)
        #expect(memory.off == [Array("a".utf8)])
        memory.withdraw(.first)
        #expect(memory.off == [Array("a".utf8), Array("b".utf8)])
    }

    @Test("every campaign of a large payload may be off")
    func many() throws {
        let bench = try Bench()
        let campaigns = (0..<1_200).map { number in
            let id = "campaign-\(number)-" + String(repeating: "x", count: 80)
            return Bench.off(Bench.banner).replacing("news", with: id)
        }
        try bench.config(1, campaigns)
        #expect(try off(bench).count == 1_200)
    }
}
