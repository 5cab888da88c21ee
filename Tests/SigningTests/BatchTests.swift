import GronaFormats
import JOSE
import Ledger
import LinuxIO
import ProjectFiles
import StrictJSON
import Synchronization
import TestSupport
import Testing

@testable import Signing

/// Trouble of the world outside, by name.
private struct Trouble: Error, Equatable {
    let name: String
}

/// The bench as a world, which can be told to fail.
private struct World: BatchWorld {
    let bench: Bench
    var lacksKeyring = false
    var lacksKey = false
    let opened = Counter()
    let looked = Counter()

    func desk(having kid: KeyID?) throws(Trouble) -> SigningDesk {
        looked.add()
        guard !lacksKeyring, kid?.text.hasPrefix("acme-market") ?? false,
            let desk = try? bench.desk()
        else { throw Trouble(name: "no keyring") }
        return desk
    }

    func open(_ key: KeyRecord, at desk: SigningDesk) throws(Trouble) -> KeyInHand {
        opened.add()
        guard !lacksKey, let key = try? bench.key() else { throw Trouble(name: "no key") }
        return key
    }

    func now() -> UnixTime { UnixTime(bench.now.seconds + 1) }
}

@Suite("Batches")
struct BatchTests {
    private func line(_ text: String) -> LineReader.Line { .text(Array(text.utf8)) }

    private func request(
        _ id: String, _ envelope: [UInt8], _ more: String = ""
    ) -> LineReader.Line {
        line(#"{"id":"\#(id)","envelope":\#(String(decoding: envelope, as: UTF8.self))\#(more)}"#)
    }

    private func answers(
        _ world: World, kind: BatchKind = .renew(allowsDisable: false),
        _ lines: [LineReader.Line]
    ) -> [(id: String, outcome: String)] {
        var signer = BatchSigner(kind, world: world)
        return signer.answer(lines).map { answer in
            let id = answer.id.map { String(decoding: $0.canonical(), as: UTF8.self) } ?? "null"
            switch answer.result {
            case .success(.standing(let standing, let floor)):
                return (id, "\(standing) \(floor)")
            case .success(.signed(let signed)):
                let version = (try? payload(signed.bytes))?["version"]?.integer ?? 0
                return (id, "version \(version)")
            case .failure(.line(let problem)): return (id, "\(problem)")
            case .failure(.signing(let error)): return (id, "\(error)")
            case .failure(.world(let trouble)): return (id, trouble.name)
            }
        }
    }

    @Test("answers come in the order of the lines, a bad line gets its own, a blank one none")
    func order() throws {
        let bench = try Bench()
        let served = try bench.config(1)
        let found = answers(
            World(bench: bench),
            [
                request("a", served, #","version":2"#), line(""), line(" \r"),
                line("{"), request("b", served, #","version":3"#), .tooLong, line("[]"),
                line(#"{"id":true}"#), request("c", served),
                request("d", served, #","version":4,"surprise":1"#),
                request("e", served, #","version":"4""#), line(#"{"id":5,"envelope":{}}"#),
                request("f", served, #","version":4"#),
            ])
        #expect(
            found.map(\.id) == [
                #""a""#, "null", #""b""#, "null", "null", "null", #""c""#, #""d""#, #""e""#, "5",
                #""f""#,
            ])
        #expect(found[0].outcome == "version 2")
        #expect(found[1].outcome.contains("truncated"))
        #expect(found[2].outcome == "version 3")
        #expect(found[3].outcome.hasPrefix("tooLong"))
        #expect(found[4].outcome == "notAnObject")
        #expect(found[5].outcome == #"member("id")"#)
        #expect(found[6].outcome == #"missingMember("version")"#)
        #expect(found[7].outcome == #"unknownMember("surprise")"#)
        #expect(found[8].outcome == #"member("version")"#)
        #expect(found[9].outcome == #"envelope("envelope")"#)
        #expect(found[10].outcome == "version 4")
    }

    @Test("campaigns are switched off only in a batch that was started for it, and never on")
    func disable() throws {
        let bench = try Bench()
        let served = try bench.config(1)
        let off = request("a", served, #","version":2,"disable":["weekend-offer"]"#)
        let on = request("b", served, #","version":3,"enable":["weekend-offer"]"#)
        let empty = request("c", served, #","version":4,"disable":[]"#)
        #expect(
            answers(World(bench: bench), [off, on, empty]).map(\.outcome) == [
                "disableNotAllowed", #"unknownMember("enable")"#, "version 4",
            ])
        let allowed = answers(World(bench: bench), kind: .renew(allowsDisable: true), [off, on])
        #expect(allowed.map(\.outcome) == ["version 2", #"unknownMember("enable")"#])
    }

    @Test("two requests of one group never get one version")
    func sameVersion() throws {
        let bench = try Bench()
        let served = try bench.config(1)
        let found = answers(
            World(bench: bench),
            [
                request("a", served, #","version":2"#),
                request("b", served, #","version":2,"lifetime":"31d""#),
                request("c", served, #","version":2"#),
            ])
        #expect(found[0].outcome == "version 2")
        #expect(found[1].outcome.contains("lifetimeTooLong"))
        // The same payload again is the same content.
        #expect(found[2].outcome == "version 2")
        let lines = try bench.log.tip().lines
        #expect(lines == 4)
    }

    @Test("a keyring that cannot be used is asked for once, and only its requests fail")
    func badKeyring() throws {
        let bench = try Bench()
        let served = try bench.config(1)
        let stranger = try TestKey("other-shop").envelope(Array("{}".utf8)).serialized()
        let world = World(bench: bench)
        let found = answers(
            world,
            [
                request("a", stranger, #","version":2"#), request("b", served, #","version":2"#),
                request("c", stranger, #","version":2"#),
            ])
        #expect(found.map(\.outcome) == ["no keyring", "version 2", "no keyring"])
        #expect(world.looked.value == 2)
    }

    @Test("a key that cannot be opened is tried once, and sets no floor")
    func badKey() throws {
        let bench = try Bench()
        let served = try bench.config(1)
        let lines = try bench.log.tip().lines
        var world = World(bench: bench)
        world.lacksKey = true
        var signer = BatchSigner(.renew(allowsDisable: false), world: world)
        for _ in 0..<3 {
            let answer = signer.answer([request("a", served, #","version":2"#)])
            guard case .failure(.world(let trouble))? = answer.first?.result else {
                Issue.record("a request without a key was answered")
                return
            }
            #expect(trouble.name == "no key")
        }
        #expect(world.opened.value == 1)
        #expect(try bench.log.tip().lines == lines)
    }

    @Test("what is open beyond the limit is closed and opened again; a refused key is not")
    func limit() throws {
        let bench = try Bench()
        let served = try bench.config(1)
        func world(lacksKey: Bool = false) -> World {
            var world = World(bench: bench)
            world.lacksKey = lacksKey
            return world
        }
        func opened(_ world: World, limit: Int) -> Int {
            var signer = BatchSigner(.renew(allowsDisable: false), world: world, openLimit: limit)
            for version in 2...4 {
                let answers = signer.answer([request("a", served, #","version":\#(version)"#)])
                if !world.lacksKey, case .failure(let fault)? = answers.first?.result {
                    Issue.record("\(fault)")
                }
            }
            return world.opened.value
        }
        #expect(opened(world(), limit: 1) == 3)
        #expect(opened(world(), limit: 2) == 1)
        #expect(opened(world(lacksKey: true), limit: 1) == 1)
    }

    @Test("what another process signs between two groups is seen")
    func grown() throws {
        let bench = try Bench()
        let served = try bench.config(1)
        var signer = BatchSigner(.renew(allowsDisable: false), world: World(bench: bench))
        _ = signer.answer([request("a", served, #","version":2"#)])
        let newer = try bench.config(10, [Bench.banner])
        let answers = signer.answer([
            request("b", served, #","version":11"#), request("c", newer, #","version":11"#),
        ])
        guard case .failure(.signing(.staleSource)) = answers[0].result,
            case .success = answers[1].result
        else {
            Issue.record("\(answers)")
            return
        }
    }

    @Test("restore and bundle take what their lines name")
    func others() throws {
        let bench = try Bench()
        let old = try bench.config(1)
        let served = try bench.config(2, [Bench.banner])
        let text = String(decoding: served, as: UTF8.self)
        let restored = answers(
            World(bench: bench), kind: .restore,
            [
                request("a", old, #","served":\#(text),"version":3"#),
                request("b", old, #","version":3"#),
            ])
        #expect(restored.map(\.outcome) == ["version 3", #"missingMember("served")"#])
        let fresh = try bench.config(4)
        let bundled = answers(
            World(bench: bench), kind: .bundle,
            [
                request("a", fresh), request("b", fresh, #","keep_offers":true,"lifetime":3600"#),
                request("c", fresh, #","keep_offers":true,"lifetime":"4d""#),
                request("d", fresh, #","keep_offers":1"#), request("e", fresh, #","version":4"#),
            ])
        #expect(bundled[0].outcome == "version 4")
        #expect(bundled[1].outcome == "version 4")
        #expect(bundled[2].outcome.contains("lifetimeTooLong"))
        #expect(bundled[3].outcome == #"member("keep_offers")"#)
        #expect(bundled[4].outcome == #"unknownMember("version")"#)
    }

    @Test("a full group is signed, with an adoption for each")
    func fullGroup() throws {
        let bench = try Bench()
        var signer = BatchSigner(.renew(allowsDisable: true), world: World(bench: bench))
        let lines = try (1...signer.groupLimit).map { index in
            request(
                "\(index)", try bench.foreign(Int64(2 * index)),
                #","version":\#(2 * index + 1),"disable":["news"]"#)
        }
        let answers = signer.answer(lines)
        #expect(answers.count == 31)
        for answer in answers {
            guard case .success = answer.result else {
                Issue.record("\(answer)")
                return
            }
        }
        #expect(try bench.log.tip().lines == 63)
    }
}
