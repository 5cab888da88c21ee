import GronaFormats
import StrictJSON
import Testing
import Transitions

@testable import Signing

@Suite("Drafting: config")
struct DraftingConfigTests {
    private func draft(
        _ bench: Bench, after: [UInt8]? = nil, campaigns: [String] = [Bench.offer, Bench.banner],
        minSDK: String = "1.0.0", _ change: (inout ConfigRequest) -> Void = { _ in }
    ) throws -> Draft {
        var request = ConfigRequest(version: after == nil ? .first : nil)
        change(&request)
        return try bench.drafting.config(
            try bench.workspace(campaigns, minSDK: minSDK),
            after: try after.map { try bench.source($0, .after) }, request)
    }

    @Test("the payload is canonical, and says now and the policy's lifetime")
    func payload() throws {
        let bench = try Bench()
        let draft = try draft(bench)
        let root = try JSONDocument.parse(draft.payload).root
        #expect(root.canonical() == draft.payload)
        #expect(root["issued_at"]?.integer == bench.now.seconds)
        #expect(root["expires_at"]?.integer == bench.now.seconds + 30 * 86_400)
        #expect(root["version"]?.integer == 1)
        #expect(draft.key.kid.text == "acme-market-current")
    }

    @Test("the same inputs give the same bytes")
    func reproducible() throws {
        let bench = try Bench()
        #expect(try draft(bench).payload == draft(bench).payload)
    }

    @Test("it follows an envelope with the next number")
    func after() throws {
        let bench = try Bench()
        let first = try bench.config(41)
        #expect(try draft(bench, after: first).version == number(42))
        let asked = try draft(bench, after: first) { $0.version = ConfigVersion(50) }
        #expect(asked.version == (try number(50)))
        let again = try refusal {
            try draft(bench, after: first) { $0.version = ConfigVersion(41) }
        }
        guard case .transition(let violations) = again else {
            Issue.record("\(String(describing: again))")
            return
        }
        #expect(violations.map(\.code) == ["transition.version"])
    }

    @Test(
        "issued_at is at most 300 seconds ahead and within 2020 to 2100",
        arguments: [(300, true), (301, false), (0, true), (-86_400, true)] as [(Int64, Bool)])
    func issuedAt(offset: Int64, isTaken: Bool) throws {
        let bench = try Bench()
        let time = UnixTime(bench.now.seconds + offset)
        let refused = try refusal { try draft(bench) { $0.issuedAt = time } }
        #expect(refused == (isTaken ? nil : .time(.issuedAtAhead(time, now: bench.now))))
    }

    @Test("an issued_at before 2020 is refused, the first second of 2020 only for its lifetime")
    func bounds() throws {
        let bench = try Bench()
        let before = UnixTime(1_577_836_799)
        #expect(
            try refusal { try draft(bench) { $0.issuedAt = before } }
                == .time(.issuedAtOutOfBounds(before)))
        let end = UnixTime(1_577_836_800 + 30 * 86_400)
        #expect(
            try refusal { try draft(bench) { $0.issuedAt = .earliest } }
                == .time(.alreadyExpired(end, now: bench.now)))
    }

    @Test("a clock outside of 2020 to 2100 signs nothing")
    func clock() throws {
        var bench = try Bench()
        bench.now = UnixTime(1_577_836_799)
        #expect(try refusal { try draft(bench) } == .time(.clockOutOfBounds(bench.now)))
        bench.now = .earliest
        #expect(try refusal { try draft(bench) } == nil)
        bench.now = UnixTime(UnixTime.latest.seconds + 1)
        #expect(try refusal { try draft(bench) } == .time(.clockOutOfBounds(bench.now)))
    }

    @Test(
        "no option goes beyond the policy's lifetime",
        arguments: [(30 * 86_400, true), (30 * 86_400 + 1, false), (1, true), (0, false)]
            as [(Int64, Bool)])
    func lifetime(seconds: Int64, isTaken: Bool) throws {
        let bench = try Bench()
        for request in [
            LifetimeRequest.lifetime(DurationSeconds(seconds)),
            .until(UnixTime(bench.now.seconds + seconds)),
        ] {
            let refused = try refusal { try draft(bench) { $0.lifetime = request } }
            if isTaken {
                #expect(refused == nil)
            } else if seconds == 0 {
                #expect(refused == .time(.lifetimeNotPositive(.config)))
            } else {
                let expected = SigningError.time(
                    .lifetimeTooLong(.config, DurationSeconds(seconds), cap: .days(30)))
                #expect(refused == expected)
            }
        }
    }

    @Test("an end before now is refused even when it is after issued_at")
    func past() throws {
        let bench = try Bench()
        let refused = try refusal {
            try draft(bench) {
                $0.issuedAt = UnixTime(bench.now.seconds - 100)
                $0.lifetime = .until(bench.now)
            }
        }
        #expect(refused == .time(.alreadyExpired(bench.now, now: bench.now)))
    }

    @Test("sums beyond the range of numbers are refused, not wrapped")
    func overflow() throws {
        let bench = try Bench()
        let refused = try refusal {
            try draft(bench) { $0.lifetime = .lifetime(DurationSeconds(.max)) }
        }
        let expected = SigningError.time(
            .lifetimeTooLong(.config, DurationSeconds(.max), cap: .days(30)))
        #expect(refused == expected)
    }

    @Test("what was off has to be named to be on")
    func enabling() throws {
        let bench = try Bench()
        let off = try bench.config(1, [Bench.off(Bench.offer), Bench.banner])
        let refused = try refusal { try draft(bench, after: off) }
        guard case .transition(let violations) = refused else {
            Issue.record("\(String(describing: refused))")
            return
        }
        #expect(violations.map(\.code) == ["transition.enabled"])
        let named = try draft(bench, after: off) { $0.enabling = ["weekend-offer"] }
        #expect(named.changes.enabled == ["weekend-offer"])
        let unknown = try refusal { try draft(bench, after: off) { $0.enabling = ["nope"] } }
        #expect(unknown == .unknownCampaign("nope"))
    }

    @Test("min_sdk rises only with leave")
    func minSDK() throws {
        let bench = try Bench()
        let first = try bench.config(1)
        guard case .transition = try refusal({ try draft(bench, after: first, minSDK: "1.0.1") })
        else {
            Issue.record("min_sdk was raised silently")
            return
        }
        #expect(
            try refusal {
                try draft(bench, after: first, minSDK: "1.0.1") { $0.raisesMinSDK = true }
            } == nil)
    }

    @Test(
        "only the current config key signs",
        arguments: [
            ("acme-market-current", nil),
            ("acme-market-retiring", .cannotSign(kid("acme-market-retiring"), .retiring)),
            ("acme-market-generated", .cannotSign(kid("acme-market-generated"), .generated)),
            ("acme-market-compromised", .cannotSign(kid("acme-market-compromised"), .compromised)),
            ("acme-market-grants", .otherUse(kid("acme-market-grants"), .grant)),
            ("nobody", .unknownKey(kid("nobody"))),
        ] as [(String, KeyringProblem?)])
    func asked(name: String, problem: KeyringProblem?) throws {
        let bench = try Bench()
        let refused = try refusal { try draft(bench) { $0.kid = KeyID(name) } }
        #expect(refused == problem.map { .keyring($0) })
    }

    @Test("without a current key nothing is signed")
    func noCurrentKey() throws {
        let bench = try Bench()
        try bench.writeKeyring(["current": .compromised])
        #expect(
            try refusal { try draft(bench) } == .keyring(.noCurrentKey(Bench.name, .config)))
    }
}

/// A kid of a table, which is right by inspection.
func kid(_ text: String) -> KeyID {
    guard let kid = KeyID(text) else { preconditionFailure(text) }
    return kid
}
