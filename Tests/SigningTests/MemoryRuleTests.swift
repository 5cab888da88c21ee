import GronaFormats
import StrictJSON
import Testing

@testable import Signing

@Suite("What the signer's memory demands of a source")
struct MemoryRuleTests {
    @Test("what was signed here can be renewed, what was not cannot")
    func foreign() throws {
        let bench = try Bench()
        #expect(try refusal { try bench.renew(try bench.config(1)) } == nil)
        let refused = try refusal { try bench.renew(try bench.foreign(2)) }
        guard case .foreignSource(.source, let version, _, let isLogNew) = refused else {
            Issue.record("\(String(describing: refused))")
            return
        }
        #expect(version == (try number(2)))
        #expect(!isLogNew)
    }

    @Test("a signer that lost its log says that its log is new")
    func newLog() throws {
        let bench = try Bench()
        let refused = try refusal { try bench.renew(try bench.foreign(2)) }
        guard case .foreignSource(.source, _, _, isLogNew: true) = refused else {
            Issue.record("\(String(describing: refused))")
            return
        }
    }

    @Test("a person can take a foreign envelope in, once")
    func adopted() throws {
        let bench = try Bench()
        let foreign = try bench.foreign(2)
        var desk = try bench.desk()
        let source = try bench.source(foreign, .adopted)
        #expect(try desk.adopt([source], reason: "moved", now: bench.now).count == 1)
        #expect(try desk.adopt([source], reason: "moved", now: bench.now).isEmpty)
        #expect(try refusal { try bench.renew(foreign) } == nil)
    }

    @Test("many envelopes are taken in at once")
    func many() throws {
        let bench = try Bench()
        let sources = try (1...130).map { try bench.source(try bench.foreign($0), .adopted) }
        var desk = try bench.desk()
        #expect(try desk.adopt(sources, reason: "moved", now: bench.now).count == 130)
        #expect(try bench.desk().memory.history.floor == 130)
    }

    @Test("an adopted envelope raises the floor")
    func adoptedFloor() throws {
        let bench = try Bench()
        let first = try bench.config(1)
        var desk = try bench.desk()
        _ = try desk.adopt(
            [try bench.source(try bench.foreign(5), .adopted)], reason: "x", now: bench.now)
        #expect(
            try refusal { try bench.renew(first) }
                == .staleSource(.source, version: try number(1), floor: 5))
    }

    @Test("a config, kill, revive or restore makes everything older stale; a renewal does not")
    func floor() throws {
        var bench = try Bench()
        let first = try bench.config(1)
        let renewed = try bench.renew(first)
        bench.now = UnixTime(bench.now.seconds + 1)
        #expect(try refusal { try bench.renew(first) } == nil)
        let killed = try bench.renew(renewed, version: 10, disabling: ["weekend-offer"])
        for old in [first, renewed] {
            let version = try number(payload(old)["version"]?.integer ?? 0)
            #expect(
                try refusal { try bench.renew(old) }
                    == .staleSource(.source, version: version, floor: 10))
        }
        bench.now = UnixTime(bench.now.seconds + 1)
        #expect(try refusal { try bench.renew(killed) } == nil)
    }

    @Test("a source at the floor is taken, one version below it is not")
    func boundary() throws {
        let bench = try Bench()
        let below = try bench.config(4)
        let at = try bench.config(5, [Bench.banner])
        #expect(
            try refusal { try bench.renew(below) }
                == .staleSource(.source, version: try number(4), floor: 5))
        #expect(try refusal { try bench.renew(at) } == nil)
        #expect(
            try refusal {
                try bench.drafting.bundle(try bench.source(below), BundleRequest())
            } == .staleSource(.source, version: try number(4), floor: 5))
    }

    @Test("withdrawing the version that set the floor lowers it to the one before")
    func withdraw() throws {
        let bench = try Bench()
        let first = try bench.config(1)
        try bench.config(5, [Bench.banner])
        #expect(
            try refusal { try bench.renew(first) }
                == .staleSource(.source, version: try number(1), floor: 5))
        var desk = try bench.desk()
        #expect(try desk.withdraw(try number(5), reason: "typo", now: bench.now))
        #expect(try !desk.withdraw(try number(5), reason: "typo", now: bench.now))
        #expect(try payload(bench.renew(first))["version"]?.integer == 6)
        #expect(
            try refusal { try desk.withdraw(try number(4), reason: "x", now: bench.now) }
                == .version(.unknown(try number(4))))
    }

    @Test("what was given up is no source any more")
    func withdrawnSource() throws {
        let bench = try Bench()
        let first = try bench.config(1)
        var desk = try bench.desk()
        _ = try desk.withdraw(try number(1), reason: "typo", now: bench.now)
        guard case .foreignSource = try refusal({ try bench.renew(first) }) else {
            Issue.record("a version that was given up was renewed")
            return
        }
    }

    @Test("the act that set the floor can be repeated; another act on its source cannot")
    func repeated() throws {
        var bench = try Bench()
        let first = try bench.config(1)
        let killed = try bench.renew(first, disabling: ["weekend-offer"])
        #expect(try payload(killed)["version"]?.integer == 2)
        bench.now = UnixTime(bench.now.seconds + 60)
        let again = try bench.renew(first, disabling: ["weekend-offer"])
        #expect(try payload(again)["version"]?.integer == 3)
        let other = try refusal { try bench.renew(first, disabling: ["news"]) }
        #expect(other == .staleSource(.source, version: try number(1), floor: 3))
        let plain = try refusal { try bench.renew(first) }
        #expect(plain == .staleSource(.source, version: try number(1), floor: 3))
    }

    @Test("a repeat that asks for the number again is told the next free one")
    func repeatedNumber() throws {
        var bench = try Bench()
        let first = try bench.config(1)
        try bench.renew(first, version: 2, disabling: ["weekend-offer"])
        bench.now = UnixTime(bench.now.seconds + 60)
        #expect(
            try refusal { try bench.renew(first, version: 2, disabling: ["weekend-offer"]) }
                == .version(.reused(try number(2), next: try number(3))))
        #expect(
            try refusal { try bench.renew(first, version: 3, disabling: ["weekend-offer"]) } == nil)
    }

    @Test("kill takes a foreign source of a current or retiring key, and records it as adopted")
    func kill() throws {
        let bench = try Bench()
        for (version, name) in [(3, "current"), (5, "retiring")] as [(Int64, String)] {
            let foreign = try bench.foreign(version, by: name)
            guard case .foreignSource = try refusal({ try bench.renew(foreign) }) else {
                Issue.record("a foreign source was renewed")
                return
            }
            let killed = try bench.renew(foreign, disabling: ["weekend-offer"])
            #expect(try payload(killed)["version"]?.integer == version + 1)
            let digest = try bench.source(foreign).digest
            #expect(try bench.desk().memory.history.origin(of: digest) == .adopted)
        }
        #expect(
            try refusal {
                try bench.renew(try bench.foreign(4), disabling: ["weekend-offer"])
            } == .staleSource(.source, version: try number(4), floor: 6))
    }

    @Test(
        "kill takes nothing of a key that never was current or is retired",
        arguments: ["generated", "retired"])
    func killForeign(name: String) throws {
        let bench = try Bench()
        let foreign = try bench.foreign(3, by: name)
        guard
            case .foreignSource = try refusal({
                try bench.renew(foreign, disabling: ["weekend-offer"])
            })
        else {
            Issue.record("kill took a source by a \(name) key")
            return
        }
    }

    @Test("a compromised key vouches only for what this signer signed itself")
    func compromised() throws {
        var bench = try Bench()
        let own = try bench.config(1)
        let adopted = try bench.foreign(2, by: "retiring")
        var desk = try bench.desk()
        _ = try desk.adopt([try bench.source(adopted, .adopted)], reason: "x", now: bench.now)
        let stolen = try bench.foreign(3, by: "compromised")
        let thief = kid("acme-market-compromised")
        #expect(
            try refusal { try bench.renew(stolen, disabling: ["weekend-offer"]) }
                == .compromisedSource(.source, thief))
        // Now the keys of both known envelopes are compromised too, and another one signs.
        try bench.writeKeyring([
            "current": .compromised, "retiring": .compromised, "generated": .current,
        ])
        desk = try bench.desk()
        #expect(try desk.acceptKeyring(now: bench.now))
        #expect(
            try refusal { try bench.drafting.renew(try bench.source(adopted), RenewRequest()) }
                == .compromisedSource(.source, kid("acme-market-retiring")))
        _ = try desk.withdraw(try number(2), reason: "stolen", now: bench.now)
        bench.now = UnixTime(bench.now.seconds + 1)
        #expect(
            try refusal { try bench.drafting.renew(try bench.source(own), RenewRequest()) } == nil)
    }

    @Test("a bundle is no source of a config")
    func bundle() throws {
        let bench = try Bench()
        let served = try bench.config(1)
        let bundle = try bench.sign(
            try bench.drafting.bundle(try bench.source(served), BundleRequest()))
        guard case .foreignSource = try refusal({ try bench.renew(bundle) }) else {
            Issue.record("a bundle was renewed")
            return
        }
    }

    @Test("restore asks the served envelope for the floor, and both for the log")
    func restore() throws {
        var bench = try Bench()
        let old = try bench.config(1)
        let served = try bench.config(2, [Bench.off(Bench.offer), Bench.banner])
        let restored = try bench.sign(
            try bench.drafting.restore(
                try bench.source(old, .old), served: try bench.source(served, .served)))
        let root = try payload(restored)
        #expect(root["version"]?.integer == 3)
        // What is off in the served one stays off, whatever the old one says.
        let offer = root["campaigns"]?.elements.first { $0["id"]?.string == "weekend-offer" }
        #expect(offer?["enabled"]?.boolean == false)
        bench.now = UnixTime(bench.now.seconds + 1)
        let third = try bench.config(4)
        #expect(
            try refusal {
                try bench.drafting.restore(
                    try bench.source(old, .old), served: try bench.source(served, .served))
            } == .staleSource(.served, version: try number(2), floor: 4))
        let foreign = try bench.foreign(9)
        guard
            case .foreignSource(.served, _, _, _) = try refusal({
                try bench.drafting.restore(
                    try bench.source(old, .old), served: try bench.source(foreign, .served))
            }),
            case .foreignSource(.old, _, _, _) = try refusal({
                try bench.drafting.restore(
                    try bench.source(foreign, .old), served: try bench.source(third, .served))
            })
        else {
            Issue.record("a foreign envelope was restored")
            return
        }
    }
}
