import GronaFormats
import JOSE
import StrictJSON
import TestSupport
import Testing
import Transitions

@testable import Signing

@Suite("Drafting: renew, kill, revive and restore")
struct DraftingRenewTests {
    private func draft(
        _ bench: Bench, _ source: [UInt8], _ change: (inout RenewRequest) -> Void = { _ in }
    ) throws -> Draft {
        var request = RenewRequest()
        change(&request)
        return try bench.drafting.renew(try bench.source(source), request)
    }

    private func codes(_ body: () throws -> Draft) throws -> [String] {
        guard case .transition(let violations) = try refusal(body) else { return [] }
        return violations.map(\.code)
    }

    @Test("a renewal is the same content with a higher version and new times")
    func content() throws {
        var bench = try Bench()
        let first = try bench.config(1)
        bench.now = UnixTime(bench.now.seconds + 1_000)
        let draft = try draft(bench, first)
        let (old, new) = (try payload(first), try JSONDocument.parse(draft.payload).root)
        #expect(new["issued_at"]?.integer == bench.now.seconds)
        #expect(new["expires_at"]?.integer == bench.now.seconds + 30 * 86_400)
        #expect(ConfigDifference(from: old, to: new).isOnlyStamp)
        #expect(draft.role == .renew)
    }

    @Test("an expired config can be renewed")
    func expired() throws {
        var bench = try Bench()
        let first = try bench.config(1)
        bench.now = UnixTime(bench.now.seconds + 40 * 86_400)
        #expect(try refusal { try draft(bench, first) } == nil)
    }

    @Test("a renewal does not end before its source, unless that was asked for")
    func shorten() throws {
        let bench = try Bench()
        let first = try bench.config(1)
        let shorter = DurationSeconds(30 * 86_400 - 1)
        #expect(
            try codes { try draft(bench, first) { $0.lifetime = .lifetime(shorter) } }
                == ["transition.expires_at"])
        #expect(
            try refusal { try draft(bench, first) { $0.lifetime = .lifetime(.days(30)) } } == nil)
        #expect(
            try refusal {
                try draft(bench, first) {
                    $0.lifetime = .lifetime(shorter)
                    $0.shortens = true
                }
            } == nil)
    }

    @Test("a policy that became shorter shortens as far as it goes and no further")
    func shorterPolicy() throws {
        var bench = try Bench()
        let first = try bench.config(1)
        bench.policy.lifetimes.config = .days(7)
        #expect(try draft(bench, first).expiresAt == bench.now.adding(.days(7)))
        #expect(
            try codes {
                try draft(bench, first) {
                    $0.lifetime = .lifetime(DurationSeconds(7 * 86_400 - 1))
                }
            } == ["transition.expires_at"])
    }

    @Test("without a policy a renewal keeps its source's lifetime, which is also its cap")
    func undeclared() throws {
        var bench = try Bench()
        bench.policy.lifetimes.config = .days(10)
        let first = try bench.config(1)
        bench.policy = .undeclared(Bench.name)
        let renewed = try draft(bench, first)
        #expect(renewed.expiresAt == bench.now.adding(.days(10)))
        #expect(renewed.notes == [.policyUndeclared(Bench.name)])
        let longer = DurationSeconds(10 * 86_400 + 1)
        #expect(
            try refusal { try draft(bench, first) { $0.lifetime = .lifetime(longer) } }
                == .time(.lifetimeTooLong(.config, longer, cap: .days(10))))
    }

    @Test("kill switches off and may end earlier; it needs campaigns that are there")
    func kill() throws {
        let bench = try Bench()
        let first = try bench.config(1)
        let draft = try draft(bench, first) {
            $0.disabling = ["weekend-offer"]
            $0.lifetime = .lifetime(.hours(1))
        }
        #expect(draft.role == .kill)
        #expect(
            try refusal { try self.draft(bench, first) { $0.disabling = ["weekend-offer", "x"] } }
                == .unknownCampaign("x"))
    }

    @Test("killing what is off already changes nothing")
    func killAgain() throws {
        let bench = try Bench()
        let off = try bench.config(1, [Bench.off(Bench.offer), Bench.banner])
        #expect(try refusal { try draft(bench, off) { $0.disabling = ["weekend-offer"] } } == nil)
    }

    @Test("revive switches the named campaign on")
    func revive() throws {
        let bench = try Bench()
        let off = try bench.config(1, [Bench.off(Bench.offer), Bench.banner])
        let draft = try draft(bench, off) { $0.enabling = ["weekend-offer"] }
        #expect(draft.role == .revive)
        let root = try JSONDocument.parse(draft.payload).root
        #expect(
            root["campaigns"]?.elements.allSatisfy { $0["enabled"]?.boolean == true } ?? false)
    }

    @Test("members that nobody knows pass through by value")
    func passThrough() throws {
        let bench = try Bench()
        let campaigns =
            #"[{"id":"x","kind":"banner","enabled":true,"new":{"a":1.50,"b":"\u00e9"}}]"#
        let foreign = try bench.foreign(1, campaigns: campaigns)
        var desk = try bench.desk()
        _ = try desk.adopt([try bench.source(foreign, .adopted)], reason: "x", now: bench.now)
        let renewed = try payload(bench.renew(foreign))
        #expect(
            renewed["campaigns"]?.canonical() == (try payload(foreign))["campaigns"]?.canonical())
    }

    @Test(
        "a source that a device would reject is refused by the row that rejects it",
        arguments: [
            (#""schema":1"#, #""schema":2"#, RuleCode.payloadUnknownSchema),
            (#""workspace":"acme-market""#, #""workspace":"other""#, .payloadWrongWorkspace),
            (#""ttl_seconds":900"#, #""ttl_seconds":-1"#, .payloadTTL),
            (#""min_sdk":"1.0.0""#, #""min_sdk":"1.0""#, .payloadMalformed),
            (#""version":3"#, #""version":0"#, .payloadMalformed),
        ])
    func rows(from: String, to: String, code: RuleCode) throws {
        let bench = try Bench()
        let good = try payload(try bench.foreign(3)).canonical()
        let text = String(decoding: good, as: UTF8.self).replacing(from, with: to)
        let bad = try #require(bench.keys["current"]).envelope(Array(text.utf8)).serialized()
        guard case .source(.source, let violation) = try refusal({ try bench.source(bad) }) else {
            Issue.record("\(to) was taken")
            return
        }
        #expect(violation.code == code)
        #expect(try refusal { try bench.source(try bench.foreign(3)) } == nil)
    }

    @Test("a source whose signature does not hold is refused")
    func signature() throws {
        let bench = try Bench()
        let stranger = try Bench()
        guard
            case .source(_, let violation) = try refusal({
                try bench.source(try stranger.foreign(1))
            })
        else {
            Issue.record("a stranger's envelope was taken")
            return
        }
        #expect(violation.code == .signatureInvalid)
    }

    @Test("restore ends when the policy says, also when that is before its sources end")
    func restore() throws {
        var bench = try Bench()
        let old = try bench.config(1)
        let served = try bench.config(2, [Bench.banner])
        bench.policy.lifetimes.config = .hours(1)
        let draft = try bench.drafting.restore(
            try bench.source(old, .old), served: try bench.source(served, .served),
            version: try number(3))
        #expect(draft.expiresAt == bench.now.adding(.hours(1)))
        #expect(
            try refusal {
                try bench.drafting.restore(
                    try bench.source(old, .old), served: try bench.source(served, .served),
                    version: try number(2))
            } != nil)
    }
}
