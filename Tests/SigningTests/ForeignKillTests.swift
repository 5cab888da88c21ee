import GronaFormats
import StrictJSON
import Testing
import Transitions

@testable import Signing

@Suite("A kill of what was signed elsewhere")
struct ForeignKillTests {
    private func isForeign(_ error: SigningError?) -> Bool {
        if case .foreignSource = error { return true }
        return false
    }

    @Test("it has to stop something")
    func stopsSomething() throws {
        let bench = try Bench()
        let off = "[\(Bench.off(Bench.offer)),\(Bench.banner)]"
        let idle = try bench.foreign(3, campaigns: off)
        #expect(
            isForeign(try refusal { try bench.renew(idle, disabling: ["weekend-offer"]) }))
        #expect(try refusal { try bench.renew(idle, disabling: ["news"]) } == nil)
    }

    @Test("it brings nothing back that was switched off here")
    func bringsNothingBack() throws {
        let bench = try Bench()
        let first = try bench.config(1)
        try bench.renew(first, disabling: ["weekend-offer"])
        let foreign = try bench.foreign(3)
        guard
            case .transition(let violations) = try refusal({
                try bench.renew(foreign, disabling: ["news"])
            })
        else {
            Issue.record("a killed offer came back")
            return
        }
        #expect(violations.map(\.code) == ["transition.enabled"])
        #expect(violations.map(\.campaign) == ["weekend-offer"])
        #expect(
            try refusal { try bench.renew(foreign, disabling: ["news", "weekend-offer"]) } == nil)
    }

    @Test("its number is measured against the log, not against what nobody vouches for")
    func jump() throws {
        let bench = try Bench()
        try bench.config(5)
        let far = try bench.foreign(1_005)
        #expect(
            try refusal { try bench.renew(far, disabling: ["weekend-offer"]) }
                == .version(.jump(try number(1_006), highest: 5)))
        let near = try bench.foreign(1_004)
        #expect(
            try payload(bench.renew(near, disabling: ["weekend-offer"]))["version"]?.integer
                == 1_005)
    }

    @Test("after a person has taken it in, its own number counts")
    func adopted() throws {
        let bench = try Bench()
        try bench.config(5)
        let far = try bench.foreign(2_000)
        var desk = try bench.desk()
        _ = try desk.adopt([try bench.source(far, .adopted)], reason: "moved", now: bench.now)
        #expect(try refusal { try bench.renew(far, disabling: ["weekend-offer"]) } == nil)
    }

    @Test("it is never a bundle, in which offers are missing")
    func bundle() throws {
        let bench = try Bench()
        let served = try bench.config(1)
        let bundle = try bench.sign(
            try bench.drafting.bundle(try bench.source(served), BundleRequest()))
        #expect(isForeign(try refusal { try bench.renew(bundle, disabling: ["news"]) }))
        #expect(try refusal { try bench.renew(served, disabling: ["news"]) } == nil)
    }

    @Test("an expired one can be killed")
    func expired() throws {
        var bench = try Bench()
        let foreign = try bench.foreign(3)
        bench.now = UnixTime(bench.now.seconds + 90_000)
        #expect(try refusal { try bench.renew(foreign, disabling: ["weekend-offer"]) } == nil)
    }
}
