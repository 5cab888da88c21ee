import GronaFormats
import StrictJSON
import Testing

@testable import Signing

@Suite("Versions")
struct VersionTests {
    @Test(
        "a version is at most 1,000 above the highest one known",
        arguments: [(1_000, nil), (1_001, 0)] as [(Int64, Int64?)])
    func first(version: Int64, highest: Int64?) throws {
        let bench = try Bench()
        let refused = try refusal { try bench.config(version) }
        let expected = try highest.map {
            SigningError.version(.jump(try number(version), highest: $0))
        }
        #expect(refused == expected)
    }

    @Test("the log, the source and --after are what is known")
    func known() throws {
        let bench = try Bench()
        let first = try bench.config(500)
        #expect(try refusal { try bench.renew(first, version: 1_500) } == nil)
        // A signer without memory knows the envelope that is followed.
        let elsewhere = try Bench()
        var request = ConfigRequest(version: ConfigVersion(9_000))
        let after = try elsewhere.source(try elsewhere.foreign(8_000), .after)
        #expect(
            try refusal {
                try elsewhere.drafting.config(try elsewhere.workspace(), after: after, request)
            } == nil)
        request.version = ConfigVersion(9_001)
        #expect(
            try refusal {
                try elsewhere.drafting.config(try elsewhere.workspace(), after: after, request)
            } == .version(.jump(try number(9_001), highest: 8_000)))
    }

    @Test("a jump is allowed by repeating its number")
    func allowed() throws {
        let bench = try Bench()
        var request = ConfigRequest(version: ConfigVersion(5_000))
        request.allowedJump = 4_999
        #expect(
            try refusal {
                try bench.drafting.config(try bench.workspace(), after: nil, request)
            } == .version(.jump(try number(5_000), highest: 0)))
        request.allowedJump = 5_000
        #expect(
            try refusal {
                try bench.drafting.config(try bench.workspace(), after: nil, request)
            } == nil)
    }

    @Test("one version never gets two payloads, and the refusal names the next free one")
    func reused() throws {
        let bench = try Bench()
        try bench.config(7)
        #expect(try refusal { try bench.config(7) } == nil)
        let refused = try refusal { try bench.config(7, [Bench.banner]) }
        #expect(refused == .version(.reused(try number(7), next: try number(8))))
        #expect(try refusal { try bench.config(8, [Bench.banner]) } == nil)
    }

    @Test("a withdrawn version is still not given to another payload")
    func withdrawn() throws {
        var bench = try Bench()
        try bench.config(7)
        var desk = try bench.desk()
        #expect(try desk.withdraw(try number(7), reason: "typo", now: bench.now))
        bench.now = UnixTime(bench.now.seconds + 1)
        #expect(
            try refusal { try bench.config(7) }
                == .version(.reused(try number(7), next: try number(8))))
    }

    @Test("a renewal that was given up is not made again, not in the same second either")
    func withdrawnRenewal() throws {
        let bench = try Bench()
        let first = try bench.config(7)
        #expect(try payload(bench.renew(first))["version"]?.integer == 8)
        #expect(try payload(bench.renew(first, version: 8))["version"]?.integer == 8)
        var desk = try bench.desk()
        #expect(try desk.withdraw(try number(8), reason: "never published", now: bench.now))
        #expect(
            try refusal { try bench.renew(first, version: 8) }
                == .version(.reused(try number(8), next: try number(9))))
        #expect(try payload(bench.renew(first))["version"]?.integer == 9)
    }

    @Test("a renewal takes the number after the highest one known")
    func next() throws {
        var bench = try Bench()
        let first = try bench.config(7)
        #expect(try payload(bench.renew(first))["version"]?.integer == 8)
        bench.now = UnixTime(bench.now.seconds + 1)
        #expect(try payload(bench.renew(first))["version"]?.integer == 9)
    }

    @Test("a renewal is counted from the highest number known, as everything is")
    func counting() throws {
        let bench = try Bench()
        let first = try bench.config(1)
        try bench.renew(first, version: 1_001)
        #expect(
            try refusal { try bench.renew(first, version: 2_002) }
                == .version(.jump(try number(2_002), highest: 1_001)))
        #expect(try refusal { try bench.renew(first, version: 2_001) } == nil)
    }

    @Test("a renewal that is in the way costs one number, however high others are")
    func lowestFree() throws {
        var bench = try Bench()
        let first = try bench.config(1)
        try bench.renew(first, version: 2)
        try bench.renew(first, version: 1_001)
        bench.now = UnixTime(bench.now.seconds + 1)
        #expect(
            try refusal { try bench.renew(first, version: 2) }
                == .version(.reused(try number(2), next: try number(3))))
        // Nor does one without a number go where it may not.
        #expect(try payload(bench.renew(first))["version"]?.integer == 3)
        // A kill is never out of numbers.
        #expect(
            try refusal { try bench.renew(first, version: 1_002, disabling: ["news"]) } == nil)
    }

    @Test("the last version of all is signed, and none after it")
    func last() throws {
        let bench = try Bench()
        var request = ConfigRequest(version: .last)
        request.allowedJump = ConfigVersion.last.number
        let last = try bench.sign(
            try bench.drafting.config(try bench.workspace(), after: nil, request))
        #expect(try refusal { try bench.renew(last) } == .version(.noneLeft))
    }
}
