import GronaFormats
import JOSE
import StrictJSON
import TestSupport
import Testing
import Transitions

@testable import Signing

@Suite("What the policy and the memory say to each role")
struct PolicyRuleTests {
    /// A known source with `settings.demo`.
    private func demo(_ bench: Bench) throws -> [UInt8] {
        let text = String(
            decoding: try payload(bench.foreign(1)).canonical(), as: UTF8.self
        ).replacing(#""schema":1"#, with: #""schema":1,"settings":{"demo":true}"#)
        let envelope = try #require(bench.keys["current"]).envelope(Array(text.utf8)).serialized()
        var desk = try bench.desk()
        _ = try desk.adopt([try bench.source(envelope, .adopted)], reason: "x", now: bench.now)
        return envelope
    }

    @Test("settings.demo is signed for a demo workspace alone, whatever the role")
    func demoSettings() throws {
        var bench = try Bench()
        let source = try demo(bench)
        func refusals() throws -> [SigningError?] {
            let source = try bench.source(source)
            var revive = RenewRequest()
            revive.enabling = ["news"]
            return try [
                refusal { try bench.drafting.renew(source, RenewRequest()) },
                refusal { try bench.drafting.renew(source, revive) },
                refusal { try bench.drafting.restore(source, served: source) },
                refusal { try bench.drafting.bundle(source, BundleRequest()) },
            ]
        }
        let refused = SigningError.demoOutsideDemo(Bench.name)
        #expect(try refusals() == [refused, refused, refused, refused])
        bench.policy.environment = .demo
        #expect(try refusals() == [nil, nil, nil, nil])
    }

    @Test("a kill is not held up by settings.demo, and says so")
    func demoKill() throws {
        var bench = try Bench()
        let source = try demo(bench)
        var request = RenewRequest()
        request.disabling = ["weekend-offer"]
        let draft = try bench.drafting.renew(try bench.source(source), request)
        #expect(draft.notes == [.demoOutsideDemo(Bench.name)])
        bench.policy.environment = .demo
        #expect(try bench.drafting.renew(try bench.source(source), request).notes == [])
    }

    @Test("a restore does not raise min_sdk above the served one's")
    func minSDK() throws {
        let bench = try Bench()
        let raised = ConfigRequest(version: try number(1))
        let old = try bench.sign(
            try bench.drafting.config(
                try bench.workspace(minSDK: "9.0.0"), after: nil, raised))
        let served = try bench.config(2)
        guard
            case .transition(let violations) = try refusal({
                try bench.drafting.restore(
                    try bench.source(old, .old), served: try bench.source(served, .served))
            })
        else {
            Issue.record("min_sdk was raised")
            return
        }
        #expect(violations.map(\.code) == ["transition.min_sdk"])
        #expect(
            try refusal {
                try bench.drafting.restore(
                    try bench.source(served, .old), served: try bench.source(served, .served))
            } == nil)
    }

    @Test("a switch that stands already as it is asked for is a note")
    func idle() throws {
        let bench = try Bench()
        let source = try bench.source(
            try bench.config(1, [Bench.off(Bench.offer), Bench.banner]))
        var request = RenewRequest()
        request.disabling = ["weekend-offer", "news"]
        #expect(try bench.drafting.renew(source, request).notes == [.offAlready("weekend-offer")])
        request.disabling = []
        request.enabling = ["weekend-offer", "news"]
        #expect(try bench.drafting.renew(source, request).notes == [.onAlready("news")])
    }

    @Test("where no config is served, a config goes above all that was signed, and says so")
    func bundleOnly() throws {
        var bench = try Bench()
        bench.policy.delivery = .bundleOnly
        let workspace = try bench.workspace()
        func config(_ version: Int64) throws -> Draft {
            try bench.drafting.config(
                workspace, after: nil, ConfigRequest(version: try number(version)))
        }
        _ = try bench.sign(
            try bench.drafting.bundle(workspace, version: try number(5), BundleRequest()))
        #expect(
            try refusal { try config(5) }
                == .version(.notAbove(try number(5), highest: 5, next: try number(6))))
        let sixth = try config(6)
        #expect(sixth.notes == [.notServed(Bench.name)])
        _ = try bench.sign(sixth)
        // The same act again is the same document.
        #expect(try config(6).digest == sixth.digest)
    }
}
