import DeviceModel
import Foundation
import GronaFormats
import LinuxIO
import PublishProtocol
import Publishing
import Synchronization
import TestSupport
import Testing

@Suite struct PublisherTests {
    private let shop: Shop

    init() throws {
        shop = try Shop()
    }

    private func served() throws -> Int64? {
        try shop.publisher().served().reading.version
    }

    /// Puts bytes where the config is, behind everybody's back.
    private func overwrite(_ bytes: [UInt8]) throws {
        let path = "public/v1/mobile/workspaces/acme-market/config"
        try shop.folder.write(path, bytes, permissions: 0o644)
    }

    @Test func `What is pushed is served, claimed and on record`() throws {
        let envelope = try shop.envelope(1)
        let report = try shop.publisher().push(envelope)
        let facts = try #require(report.document?.facts)
        #expect(report.verdict == .published(facts))
        #expect(report.alarms.isEmpty)
        let store = try shop.store()
        #expect(try store.read(.config(shop.workspace))?.bytes == envelope)
        #expect(try store.read(.version(shop.workspace, .first))?.bytes == envelope)
        let view = try shop.ledger().view(of: shop.workspace)
        #expect(view.highestServed == 1)
        #expect(view.lastServed == facts.payload)
        #expect(try shop.publisher().push(envelope).verdict == .unchanged(facts))
    }

    @Test func `The same content under another signature is served already`() throws {
        let payload = shop.payload(1)
        _ = try shop.publisher().push(try shop.envelope(payload))
        let report = try shop.publisher().push(try shop.envelope(payload))
        guard case .unchanged = report.verdict else {
            Issue.record("\(report.verdict)")
            return
        }
    }

    @Test func `A claim of the same content by another signature goes on with the claimed bytes`()
        throws
    {
        let payload = shop.payload(1)
        let claimed = try shop.envelope(payload)
        let store = try shop.store()
        #expect(try store.create(.version(shop.workspace, .first), claimed) == .done)
        let report = try shop.publisher().push(try shop.envelope(payload))
        guard case .published = report.verdict else {
            Issue.record("\(report.verdict)")
            return
        }
        #expect(try store.read(.config(shop.workspace))?.bytes == claimed)
    }

    @Test func `A claim that none of our keys signed takes the number and not the mark`() throws {
        let stranger = try TestKey(shop.key.kid)
        let store = try shop.store()
        let number = try #require(ConfigVersion(5))
        let junk = try shop.envelope(shop.payload(5), by: stranger)
        #expect(try store.create(.version(shop.workspace, number), junk) == .done)
        let five = try shop.publisher().push(try shop.envelope(5))
        #expect(five.verdict == .refused([.versionTaken(5)]))
        #expect(five.alarms == [.junkClaim(5)])
        #expect(five.marks.claimed == 0)
        #expect(five.marks.nextVersion == 1)
        let four = try shop.publisher().push(try shop.envelope(4))
        guard case .published = four.verdict else {
            Issue.record("\(four.verdict)")
            return
        }
    }

    @Test func `A document under another number's name is junk`() throws {
        let store = try shop.store()
        let number = try #require(ConfigVersion(5))
        let envelope = try shop.envelope(4)
        #expect(try store.create(.version(shop.workspace, number), envelope) == .done)
        #expect(
            try shop.publisher().push(try shop.envelope(5)).verdict == .refused([.versionTaken(5)]))
    }

    @Test func `A store that went back is an alarm, blocks bundles and is mended by a push`() throws
    {
        let first = try shop.envelope(1)
        _ = try shop.publisher().push(first)
        _ = try shop.publisher().push(try shop.envelope(2))
        try overwrite(first)
        let bundle = try shop.envelope(shop.payload(1, hasOffer: false, lifetime: 86_400))
        #expect(
            try shop.publisher().release(bundle).verdict
                == .refused([.rolledBack(served: 1, mark: 2)]))
        let survey = try shop.publisher().survey()
        #expect(survey.alarms() == [.rolledBack(served: 1, mark: 2)])
        #expect(survey.marks.nextVersion == 3)
        let again = try shop.publisher().push(try shop.envelope(2, content: 9))
        #expect(again.verdict == .refused([.versionNotAbove(2, above: 2, where: .claim)]))
        let third = try shop.publisher().push(try shop.envelope(3))
        guard case .published = third.verdict else {
            Issue.record("\(third.verdict)")
            return
        }
        #expect(third.alarms == [.rolledBack(served: 1, mark: 2)])
        #expect(try shop.publisher().survey().alarms().isEmpty)
        guard case .released = try shop.publisher().release(bundle).verdict else {
            Issue.record("not released")
            return
        }
    }

    @Test func `A store that was emptied takes no number a second time`() throws {
        _ = try shop.publisher().push(try shop.envelope(1))
        _ = try shop.publisher().push(try shop.envelope(2))
        try FileManager.default.removeItem(atPath: shop.folder.path("public/v1"))
        #expect(
            try shop.publisher().push(try shop.envelope(2, content: 9)).verdict
                == .refused([.versionNotAbove(2, above: 2, where: .ledger)]))
        guard case .published = try shop.publisher().push(try shop.envelope(3)).verdict else {
            Issue.record("not published")
            return
        }
    }

    @Test(arguments: [[], Array("<html>".utf8), [0xFF, 0xFE]] as [[UInt8]])
    func `A served copy that is corrupt does not block the push that repairs it`(
        _ bytes: [UInt8]
    ) throws {
        let second = try shop.envelope(2)
        _ = try shop.publisher().push(try shop.envelope(1))
        _ = try shop.publisher().push(second)
        try overwrite(bytes)
        #expect(try served() == nil)
        // The very document that was served before is good enough.
        let report = try shop.publisher().push(second)
        guard case .published = report.verdict else {
            Issue.record("\(report.verdict)")
            return
        }
        #expect(report.alarms.contains(.rolledBack(served: nil, mark: 2)))
        #expect(try served() == 2)
    }

    @Test func `An expired served copy does not block a push and blocks a bundle`() throws {
        _ = try shop.publisher().push(try shop.envelope(shop.payload(1, lifetime: 600)))
        let later = UnixTime(Shop.now.seconds + 600)
        let bundle = shop.payload(
            1, hasOffer: false, issuedAt: later.seconds, lifetime: 60)
        #expect(
            try shop.publisher(now: later).release(try shop.envelope(bundle)).verdict
                == .refused([.servedUnusable(code: "payload.expired")]))
        let report = try shop.publisher(now: later).push(
            try shop.envelope(shop.payload(2, issuedAt: later.seconds)))
        guard case .published = report.verdict else {
            Issue.record("\(report.verdict)")
            return
        }
        #expect(report.alarms == [.servedUnusable(code: "payload.expired")])
    }

    @Test func `A campaign that was switched off stays off, in a store that went back too`() throws
    {
        let on = try shop.envelope(1)
        _ = try shop.publisher().push(on)
        _ = try shop.publisher().push(try shop.envelope(shop.payload(2, offerIsOn: false)))
        try overwrite(on)
        let third = try shop.envelope(shop.payload(3))
        let report = try shop.publisher().push(third)
        guard case .refused(let refusals) = report.verdict else {
            Issue.record("\(report.verdict)")
            return
        }
        #expect(refusals.map(\.code) == ["transition.enabled"])
        var rules = PushRules(policy: .undeclared(shop.workspace), now: Shop.now)
        rules.enabling = ["weekend-offer"]
        guard case .published = try shop.publisher().push(third, rules: rules).verdict else {
            Issue.record("not published")
            return
        }
    }

    @Test func `A rehearsal without writing leaves nothing`() throws {
        let report = try shop.publisher().push(try shop.envelope(1), isDryRun: true)
        #expect(report.verdict == .wouldPublish(try #require(report.document?.facts)))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: shop.folder.path("public")).isEmpty)
        #expect(!FileManager.default.fileExists(atPath: shop.folder.path("ledger")))
    }

    @Test func `A push whose base changed meanwhile is lost and says what is served`() throws {
        _ = try shop.publisher().push(try shop.envelope(1))
        var publisher = try shop.publisher("other")
        let shop = shop
        publisher.beforeEach = { request in
            guard case .claim = request else { return }
            _ = try? shop.publisher().push(try shop.envelope(2))
        }
        let report = try publisher.push(try shop.envelope(3))
        guard case .lost(_, let reading) = report.verdict else {
            Issue.record("\(report.verdict)")
            return
        }
        #expect(reading.version == 2)
        #expect(report.before?.facts?.version == 1)
        #expect(report.after?.facts?.version == 2)
        #expect(try served() == 2)
    }
}

@Suite struct ReleaseTests {
    private let shop: Shop

    init() throws {
        shop = try Shop()
        for version in Int64(1)...2 { _ = try shop.publisher().push(try shop.envelope(version)) }
    }

    private func bundle(
        _ version: Int64, lifetime: Int64 = 86_400, by key: TestKey? = nil
    ) throws -> [UInt8] {
        try shop.envelope(shop.payload(version, hasOffer: false, lifetime: lifetime), by: key)
    }

    @Test(arguments: [(1, true), (2, true), (3, false)] as [(Int64, Bool)])
    func `A bundle is released at or below the served version`(
        _ version: Int64, _ isReleased: Bool
    ) throws {
        let report = try shop.publisher().release(try bundle(version))
        if isReleased {
            #expect(report.verdict == .released(try #require(report.document?.facts)))
            let name = try #require(try shop.store().bundles(of: shop.workspace).first)
            #expect(name.version.number == version)
            #expect(try shop.ledger().view(of: shop.workspace).highestBundle == version)
        } else {
            #expect(report.verdict == .refused([.bundleAboveServed(3, served: 2)]))
            #expect(try shop.store().bundles(of: shop.workspace).isEmpty)
        }
    }

    @Test func `A bundle is released twice as one`() throws {
        let bytes = try bundle(2)
        for _ in 0..<2 {
            guard case .released = try shop.publisher().release(bytes).verdict else {
                Issue.record("not released")
                return
            }
        }
        #expect(try shop.store().bundles(of: shop.workspace).count == 1)
    }

    @Test func `The pins of the app release decide`() throws {
        let other = try TestKey("acme-market-2026-11")
        let release = try DocumentJudge(pins: try shop.pins(other), now: Shop.now)
        let report = try shop.publisher().releaseBundle(
            .finished(try bundle(2)), release: release, policy: .undeclared(shop.workspace),
            isDryRun: false)
        #expect(report.verdict == .refused([.bundleKey(kid: shop.key.kid)]))
    }

    @Test func `A bundle that nobody we know signed is refused before the store is asked`() throws {
        let stranger = try TestKey(shop.key.kid)
        let report = try shop.publisher().release(try bundle(2, by: stranger))
        #expect(report.verdict == .refused([.device(code: "signature.invalid")]))
        #expect(report.before == nil)
    }

    @Test func `A config is no bundle`() throws {
        let report = try shop.publisher().release(try shop.envelope(2))
        #expect(
            report.verdict
                == .refused([.bundleLifetime(30 * 86_400, atMost: 3 * 86_400)]))
    }

    @Test func `A bundle of an old version is held against that version`() throws {
        let other = try shop.envelope(
            shop.payload(1, content: 5, hasOffer: false, lifetime: 86_400))
        guard case .refused(let refusals) = try shop.publisher().release(other).verdict else {
            Issue.record("released")
            return
        }
        #expect(refusals.map(\.code) == ["transition.settings"])
    }

    @Test func `Without a config URL, numbers rise from bundle to bundle`() throws {
        let kiosk = try Shop()
        let policy = WorkspacePolicy(workspace: kiosk.workspace, delivery: .bundleOnly)
        for (version, isReleased) in [(Int64(2), true), (1, false), (2, true), (5, true)] {
            let bytes = try kiosk.envelope(
                kiosk.payload(version, hasOffer: false, lifetime: 86_400))
            let report = try kiosk.publisher().release(bytes, policy: policy)
            let wasReleased = if case .released = report.verdict { true } else { false }
            #expect(wasReleased == isReleased, "\(version): \(report.verdict)")
        }
    }

    @Test func `A signer's bundle is released`() throws {
        let answer = try bundle(2)
        let file = try shop.folder.write(
            "answer",
            Array("{\"id\":\"1\",\"envelope\":".utf8) + answer
                + Array(",\"audit\":\"\(String(repeating: "a", count: 64))\"}\n".utf8))
        let signer = SignerCommand(
            words: ["/bin/sh", "-c", FilePath("cat > /dev/null; cat \(file)")],
            timeout: DurationSeconds(10))
        let report = try shop.publisher().releaseBundle(
            .signer(signer, lifetime: nil, keepsOffers: false), release: try shop.judge(),
            policy: .undeclared(shop.workspace), isDryRun: false)
        #expect(report.verdict == .released(try #require(report.document?.facts)))
        #expect(report.document?.bytes == answer)
        let text = try String(
            contentsOfFile: shop.folder.path("ledger/ledger.ndjson"), encoding: .utf8)
        #expect(text.contains("\"audit\":\"aaaa"))
    }

    /// A signer that answers with these bytes and ends with this status.
    private func signer(_ envelope: [UInt8], status: Int = 0) throws -> SignerCommand {
        let file = try shop.folder.write(
            "answer", Array("{\"id\":\"1\",\"envelope\":".utf8) + envelope + Array("}\n".utf8))
        return SignerCommand(
            words: ["/bin/sh", "-c", FilePath("cat > /dev/null; cat \(file); exit \(status)")],
            timeout: DurationSeconds(10))
    }

    private func ask(_ signer: SignerCommand, lifetime: Int64? = nil) throws -> PublishReport {
        try shop.publisher().releaseBundle(
            .signer(signer, lifetime: lifetime.map { DurationSeconds($0) }, keepsOffers: false),
            release: try shop.judge(), policy: .undeclared(shop.workspace), isDryRun: false)
    }

    enum Lie: CaseIterable {
        case none, version, content, lifetime, offers, early, late, status
    }

    @Test(arguments: Lie.allCases)
    func `A signer that gives another document than was asked for lies`(_ lie: Lie) throws {
        let payload = shop.payload(
            lie == .version ? 1 : 2, content: lie == .content ? 7 : 0, hasOffer: lie == .offers,
            issuedAt: Shop.now.seconds + (lie == .early ? -301 : lie == .late ? 299 : 0),
            lifetime: lie == .lifetime ? 3_601 : 3_600)
        let report = try ask(
            try signer(try shop.envelope(payload), status: lie == .status ? 65 : 0),
            lifetime: 3_600)
        if lie == .none || lie == .late {
            #expect(report.verdict == .released(try #require(report.document?.facts)))
            return
        }
        guard case .signer(.differs)? = report.failure else {
            Issue.record("\(report.verdict)")
            return
        }
        #expect(try shop.store().bundles(of: shop.workspace).isEmpty)
        let text = try String(
            contentsOfFile: shop.folder.path("ledger/ledger.ndjson"), encoding: .utf8)
        #expect(text.contains(#""code":"signer.lied""#))
    }

    @Test(arguments: [false, true])
    func `What was signed and not served is finished, but never on top of something else`(
        _ isDisturbed: Bool
    ) throws {
        let shop = try Shop()
        _ = try shop.publisher().push(try shop.envelope(1))
        let second = try shop.envelope(2, content: 7)
        let third = try shop.envelope(shop.payload(3, offerIsOn: false))
        for (number, bytes) in [(Int64(2), second), (3, third)] {
            let version = try #require(ConfigVersion(number))
            #expect(try shop.store().create(.version(shop.workspace, version), bytes) == .done)
        }
        let answer =
            #"{"error":{"code":"transition.stale-source","message":"x","signed_version":3}}"#
        let file = try shop.folder.write("answer", Array("\(answer)\n".utf8))
        let signer = SignerCommand(
            words: ["/bin/sh", "-c", FilePath("cat > /dev/null; cat \(file); exit 65")],
            timeout: DurationSeconds(60))
        var publisher = try shop.publisher("fresh")
        let asked = Mutex(0)
        // Another publisher was between claim and swap, and swaps when this one has given up.
        publisher.beforeEach = { request in
            guard case .sign = request else { return }
            let count = asked.withLock { count in
                count += 1
                return count
            }
            guard isDisturbed, count == Publication.maximumTries else { return }
            let key = StoreKey.config(shop.workspace)
            let store = try? shop.store()
            guard let tag = (try? store?.read(key))?.tag else { return }
            #expect((try? store?.replace(key, second, ifMatching: tag)) == .done)
        }
        let report = publisher.rebase(
            .kill(["weekend-offer"]), signer: signer, policy: .undeclared(shop.workspace),
            isDryRun: false)
        let served = try shop.store().read(.config(shop.workspace))?.bytes
        if isDisturbed {
            #expect(served == second, "another content is served")
            #expect(report.finished.isEmpty)
            guard case .signer(.outdated)? = report.failure else {
                Issue.record("\(report.verdict)")
                return
            }
        } else {
            #expect(served == third, "another content is served")
            #expect(report.finished.map(\.version) == [3])
            #expect(report.verdict == .unchanged(try #require(report.finished.first)))
        }
    }

    @Test func `The pins of a release do not make a bundle ours`() throws {
        let other = try TestKey("acme-market-2026-11")
        let release = try DocumentJudge(pins: try shop.pins(other), now: Shop.now)
        let report = try shop.publisher().releaseBundle(
            .finished(try bundle(2, by: other)), release: release,
            policy: .undeclared(shop.workspace), isDryRun: false)
        #expect(report.verdict == .refused([.bundleUntrusted(code: "header.unknown-kid")]))
    }

    @Test func `A signer that gives something else is caught`() throws {
        let stranger = try bundle(2, by: try TestKey(shop.key.kid))
        let file = try shop.folder.write(
            "answer", Array("{\"id\":\"1\",\"envelope\":".utf8) + stranger + Array("}\n".utf8))
        let signer = SignerCommand(
            words: ["/bin/sh", "-c", FilePath("cat > /dev/null; cat \(file)")],
            timeout: DurationSeconds(10))
        let report = try shop.publisher().releaseBundle(
            .signer(signer, lifetime: nil, keepsOffers: false), release: try shop.judge(),
            policy: .undeclared(shop.workspace), isDryRun: false)
        #expect(report.failure == .signer(.lied(code: "signature.invalid")))
        #expect(try shop.store().bundles(of: shop.workspace).isEmpty)
    }
}
