import DeviceModel
import GronaFormats
import Testing

/// A small generator with a seed, so that a failure can be run again.
struct Generator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

@Suite("Mutated envelopes")
struct MutationTests {
    private func mutated(_ bytes: [UInt8], _ generator: inout Generator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...4, using: &generator) {
            guard !bytes.isEmpty else { return bytes }
            let position = Int.random(in: 0..<bytes.count, using: &generator)
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes[position] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes.remove(at: position)
            case 2: bytes.insert(UInt8.random(in: 0...255, using: &generator), at: position)
            case 3: bytes.removeSubrange(position...)
            default: bytes.insert(contentsOf: bytes[..<position].suffix(9), at: position)
            }
        }
        return bytes
    }

    private func fingerprint(_ outcome: Outcome) -> String {
        "\(outcome.rows) \(outcome.warnings) \(outcome.supersedes) "
            + "\(String(describing: outcome.head?.version)) \(outcome.install.highestVersion) "
            + "\(String(describing: outcome.install.supersededBy)) "
            + "\(outcome.install.activity(at: now))"
    }

    @Test("never trap, and equal inputs give equal outcomes", arguments: 0..<8)
    func mutatedEnvelopes(seed: UInt64) {
        var generator = Generator(state: seed)
        let campaigns =
            #"[{"id":"o","kind":"offer","enabled":true,"unit":"customer","placements":["home"],"#
            + #""variants":[{"id":"A","weight":10000}],"starts_at":1793264400}]"#
        let payload = PayloadDraft().with("campaigns", campaigns).with("settings", "{}")
        var rejected = 0
        for round in 0..<1500 {
            // Half of the mutations hit the envelope, half the payload inside.
            let bytes =
                round.isMultiple(of: 2)
                ? mutated(EnvelopeDraft(payload).bytes, &generator)
                : EnvelopeDraft(payloadBytes: mutated(payload.bytes, &generator)).bytes
            let signature = [SignatureCheck.holds, .holds, .holds, .fails][round % 4]
            let first = run(bytes, install(highest: .accepted(version(3))), signature: signature)
            let second = run(bytes, install(highest: .accepted(version(3))), signature: signature)
            #expect(fingerprint(first) == fingerprint(second))
            #expect(first.rows.count == DeviceCheck.allCases.count)
            #expect(first.accepted == (first.code == nil))
            if !first.accepted {
                rejected += 1
                #expect(first.install.highestVersion == .accepted(version(3)))
                #expect(first.install.running == nil)
            }
        }
        #expect(rejected > 500)
    }
}
