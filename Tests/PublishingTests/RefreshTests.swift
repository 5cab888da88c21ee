import GronaFormats
import JOSE
import LinuxIO
import ProjectFiles
import PublishProtocol
import StrictJSON
import TestSupport
import Testing

@testable import Publishing

/// A signer in this process, which a test may break.
private final class Renewer: Renewing {
    let key: TestKey
    var now = Shop.now
    var asked: [ConfigVersion] = []
    /// Done before an answer; a publisher may be faster there.
    var before: () throws -> Void = {}
    var refusal: SignerError?
    var isRogue = false
    /// Another key than the one that is current.
    var other: TestKey?
    /// Instead of what was asked for.
    var version: ConfigVersion?
    var lifetime: Int64?
    var changesContent = false

    init(_ key: TestKey) { self.key = key }

    func renew(
        _ envelope: JSONElement, version: ConfigVersion
    ) throws(SignerError) -> SignerAnswer {
        asked.append(version)
        do { try before() } catch { throw .malformed("\(error)") }
        if let refusal { throw refusal }
        do {
            let payload = try JSONDocument.parse(
                Base64URL.decode(Array((envelope["payload"]?.string ?? "").utf8)) ?? []
            ).root
            let life =
                (payload["expires_at"]?.integer ?? 0) - (payload["issued_at"]?.integer ?? 0)
            let members: [(String, JSONValue)] = payload.members.map { member in
                switch member.name {
                case "version":
                    (member.name, .integer((self.version ?? version).number))
                case "issued_at": (member.name, .integer(now.seconds))
                case "expires_at": (member.name, .integer(now.seconds + (lifetime ?? life)))
                case "campaigns" where changesContent: (member.name, .array([]))
                default: (member.name, .element(member.value))
                }
            }
            let signer = isRogue ? try TestKey() : other ?? key
            let made = try signer.envelope(JSONValue.object(members).canonical()).serialized()
            let answer = JSONValue.object([
                ("id", .string("1")), ("envelope", .element(try JSONDocument.parse(made).root)),
                ("audit", .string("head")),
            ])
            return try SignerAnswer(
                try JSONDocument.parse(answer.canonical()).root, said: "", exit: .exited(0))
        } catch let error as SignerError {
            throw error
        } catch {
            throw .malformed("\(error)")
        }
    }
}

/// One workspace over a store in a folder, on bad days.
@Suite struct RefreshTests {
    private let shop: Shop
    private let renewer: Renewer
    private static let later = UnixTime(Shop.now.seconds + 20 * 86_400)

    init() throws {
        shop = try Shop()
        renewer = Renewer(shop.key)
        renewer.now = Self.later
        let report = try shop.publisher().push(try shop.envelope(1))
        try #require(report.verdict.isPublished)
    }

    private var staged: StagedEnvelopes {
        StagedEnvelopes(StateFolder(FilePath(shop.folder.path("state"))).store("store"))
    }

    private func order(_ state: KeyState = .current) throws -> RefreshOrder {
        RefreshOrder(
            policy: .undeclared(shop.workspace),
            keys: [try #require(KeyID(shop.key.kid)): state])
    }

    private func refresh(
        at now: UnixTime = RefreshTests.later, ledger: String = "ledger",
        _ state: KeyState = .current
    ) throws -> PublishReport {
        try shop.publisher(ledger, now: now).refresh(
            try order(state), signer: renewer, staged: staged)
    }

    private func served() throws -> JudgedDocument? {
        try shop.publisher(now: Self.later).served().document
    }

    private func overwrite(_ bytes: [UInt8]?) throws {
        let path = FilePath(
            shop.folder.path("public/v1/mobile/workspaces/\(shop.workspace)/config"))
        _ = try FileSystem.removeFile(path)
        guard let bytes else { return }
        try OutputFile(at: path, replacing: false).commit(bytes)
    }

    @Test func `Not due is left alone`() throws {
        let report = try refresh(at: Shop.now)
        guard case .unchanged = report.verdict else {
            Issue.record("\(report.verdict)")
            return
        }
        #expect(renewer.asked.isEmpty)
    }

    @Test func `Due by life or by its key is renewed, with the same content`() throws {
        #expect(try refresh().verdict.isPublished)
        #expect(try served()?.facts?.version == 2)
        #expect(try served()?.payload?.issuedAt == Self.later)
        #expect(try served()?.payload?.campaigns.count == 1)
        #expect(try !refresh().verdict.isPublished)
        let other = try TestKey("other-1")
        renewer.other = other
        let publisher = Publisher(
            store: try shop.store(), ledger: shop.ledger(),
            judge: try shop.keyringJudge(other, .standby, now: Self.later), user: "tester")
        let report = publisher.refresh(try order(.retiring), signer: renewer, staged: staged)
        #expect(report.verdict.isPublished)
        #expect(renewer.asked.map(\.number) == [2, 3])
    }

    @Test func `Due by its key alone, it is not signed by that key again; due by life, it is`()
        throws
    {
        #expect(try refresh().verdict.isPublished)
        let report = try refresh(.retiring)
        #expect(report.failure == .signer(.otherKey(try #require(KeyID(shop.key.kid)), .retiring)))
        #expect(try served()?.facts?.version == 2)
        #expect(staged.read(shop.workspace) == nil)
        let due = UnixTime(Self.later.seconds + 20 * 86_400)
        renewer.now = due
        #expect(try refresh(at: due, .retiring).verdict.isPublished)
    }

    @Test func `One that is over is renewed all the same`() throws {
        let late = UnixTime(Shop.now.seconds + 40 * 86_400)
        renewer.now = late
        let report = try refresh(at: late)
        #expect(report.verdict.isPublished)
        #expect(report.alarms.map(\.code) == ["served.unusable"])
    }

    @Test(
        "What is missing, junk or rolled back is mended from what the ledger saw served",
        arguments: ["missing", "junk", "stranger", "rolled-back"])
    func mended(_ what: String) throws {
        let second = try shop.envelope(2, content: 7)
        try #require(try shop.publisher().push(second).verdict.isPublished)
        switch what {
        case "missing": try overwrite(nil)
        case "junk": try overwrite(Array("junk".utf8))
        case "stranger": try overwrite(try shop.envelope(shop.payload(9), by: try TestKey()))
        default: try overwrite(try shop.envelope(1))
        }
        let report = try refresh()
        #expect(report.verdict.isPublished, "\(report.verdict)")
        #expect(!report.alarms.isEmpty)
        #expect(try served()?.facts?.version == 3)
        // The newest content, not what stood there.
        #expect(try served()?.payload?.settings?["content"]?.integer == 7)
    }

    @Test func `What no ledger saw is left to a person`() throws {
        try overwrite(Array("junk".utf8))
        let report = try refresh(ledger: "another")
        guard case .refused(let refusals) = report.verdict else {
            Issue.record("\(report.verdict)")
            return
        }
        #expect(refusals.map(\.code) == ["served.unusable"])
        #expect(renewer.asked.isEmpty)
    }

    @Test func `A publisher that wins has its content renewed, or left where it is fresh`() throws {
        var isFirst = true
        renewer.before = { [shop] in
            guard isFirst else { return }
            isFirst = false
            let new = try shop.envelope(
                shop.payload(2, content: 5, issuedAt: Self.later.seconds))
            #expect(try shop.publisher(now: Self.later).push(new).verdict.isPublished)
        }
        let report = try refresh()
        guard case .unchanged = report.verdict else {
            Issue.record("\(report.verdict)")
            return
        }
        #expect(try served()?.payload?.settings?["content"]?.integer == 5)
    }

    @Test func `Two hosts at once waste at most one number`() throws {
        var isFirst = true
        renewer.before = {
            guard isFirst else { return }
            isFirst = false
            let other = Renewer(self.shop.key)
            other.now = Self.later
            let report = try self.shop.publisher("other", now: Self.later).refresh(
                try self.order(), signer: other,
                staged: StagedEnvelopes(
                    StateFolder(FilePath(self.shop.folder.path("other-state"))).store("store")))
            #expect(report.verdict.isPublished)
        }
        _ = try refresh()
        #expect(try served()?.facts?.version == 2)
        #expect(renewer.asked.count == 1)
    }

    @Test(
        "Killed anywhere, the next run converges and asks for no second signature",
        arguments: [0, 1, 2, 3, 4])
    func killed(_ write: Int) throws {
        var publisher = try shop.publisher(now: Self.later)
        let store = StoppedStore(try shop.store(), after: write)
        publisher = Publisher(
            store: store, ledger: shop.ledger(), judge: publisher.judge, user: "tester")
        _ = publisher.refresh(try order(), signer: renewer, staged: staged)
        let again = try refresh()
        switch again.verdict {
        case .published, .unchanged: break
        default: Issue.record("\(again.verdict)")
        }
        #expect(try served()?.facts?.version == 2)
        #expect(renewer.asked.count == 1)
        #expect(staged.read(shop.workspace) == nil)
    }

    @Test func `A staged envelope is not used on another base, by another key, or aged`() throws {
        let stopped = Publisher(
            store: StoppedStore(try shop.store(), after: 0), ledger: shop.ledger(),
            judge: try shop.judge(now: Self.later), user: "tester")
        _ = stopped.refresh(try order(), signer: renewer, staged: staged)
        #expect(staged.read(shop.workspace) != nil)
        // More than a tenth of its life later.
        let late = UnixTime(Self.later.seconds + 4 * 86_400)
        renewer.now = late
        #expect(try refresh(at: late).verdict.isPublished)
        #expect(renewer.asked.count == 2)
    }

    @Test func `A signer that gives something else is caught, and nothing is claimed`() throws {
        for isRogue in [true, false] {
            renewer.isRogue = isRogue
            renewer.changesContent = !isRogue
            let report = try refresh()
            guard case .signer(let error)? = report.failure else {
                Issue.record("\(report.verdict)")
                return
            }
            #expect(isRogue ? error.code != "signer.lied" : error.code == "signer.lied")
            #expect(try served()?.facts?.version == 1)
            #expect(staged.read(shop.workspace) == nil)
        }
    }

    @Test(
        "It is signed by a key that apps have to know, whatever the signer's keyring says",
        arguments: [
            (.standby, nil), (.retiring, nil), (.generated, "signer.key"),
            (.announced, "signer.key"), (.retired, "header.unknown-kid"),
            (.compromised, "header.unknown-kid"),
        ] as [(KeyState, String?)])
    func signedBy(_ state: KeyState, _ code: String?) throws {
        let other = try TestKey("other-1")
        renewer.other = other
        let publisher = Publisher(
            store: try shop.store(), ledger: shop.ledger(),
            judge: try shop.keyringJudge(other, state, now: Self.later), user: "tester")
        let report = publisher.refresh(try order(), signer: renewer, staged: staged)
        #expect(report.verdict.isPublished == (code == nil), "\(report.verdict)")
        if let code {
            guard case .signer(let error)? = report.failure else {
                Issue.record("\(report.verdict)")
                return
            }
            #expect(error.code == code)
            #expect(try served()?.facts?.version == 1)
            #expect(staged.read(shop.workspace) == nil)
        }
    }

    @Test(
        "It lives no longer than its source where no policy says how long, and longer than is left",
        arguments: [
            (nil, nil, true), (30 * 86_400, nil, true), (30 * 86_400 + 1, nil, false),
            (400 * 86_400, nil, false), (10 * 86_400 + 1, nil, true), (10 * 86_400, nil, false),
            (9 * 86_400, nil, false), (nil, 2, true), (nil, 3, false), (nil, 503, false),
        ] as [(Int64?, Int64?, Bool)])
    func bounds(_ lifetime: Int64?, _ version: Int64?, _ isTaken: Bool) throws {
        renewer.lifetime = lifetime
        renewer.version = version.flatMap { ConfigVersion($0) }
        let report = try refresh()
        #expect(report.verdict.isPublished == isTaken, "\(report.verdict)")
        if !isTaken {
            #expect(try served()?.facts?.version == 1)
            #expect(staged.read(shop.workspace) == nil)
        }
    }

    @Test(
        "It lives as long as the policy says, where one says it",
        arguments: [
            (14 * 86_400, true), (14 * 86_400 + 1, false), (30 * 86_400, false),
            (12 * 86_400, true), (10 * 86_400, false),
        ] as [(Int64, Bool)])
    func policyBounds(_ lifetime: Int64, _ isTaken: Bool) throws {
        renewer.lifetime = lifetime
        var policy = WorkspacePolicy.undeclared(shop.workspace)
        policy.isDeclared = true
        policy.lifetimes.config = DurationSeconds(14 * 86_400)
        var changed = try order()
        changed.policy = policy
        let report = try shop.publisher(now: Self.later).refresh(
            changed, signer: renewer, staged: staged)
        #expect(report.verdict.isPublished == isTaken, "\(report.verdict)")
    }

    @Test func `What changes at every look costs one signature, and no more in the next runs`()
        throws
    {
        let path = FilePath(
            shop.folder.path("public/v1/mobile/workspaces/\(shop.workspace)/config"))
        var publisher = try shop.publisher(now: Self.later)
        publisher.beforeEach = { request in
            guard case .readServed = request else { return }
            _ = try? FileSystem.removeFile(path)
            try? OutputFile(at: path, replacing: false).commit(SystemRandom.bytes(16))
        }
        for _ in 0..<3 {
            let report = publisher.refresh(try order(), signer: renewer, staged: staged)
            guard case .lost = report.verdict else {
                Issue.record("\(report.verdict)")
                return
            }
        }
        #expect(renewer.asked.map(\.number) == [2])
        // Quiet again, it is mended with what was signed.
        #expect(try refresh().verdict.isPublished)
        #expect(renewer.asked.map(\.number) == [2])
        #expect(try served()?.facts?.version == 2)
    }

    @Test func `A signer that refuses leaves what is served`() throws {
        renewer.refusal = .refused(
            code: "key.pin-wrong", message: "", help: nil, exit: .exited(77))
        let report = try refresh()
        guard case .failed(.sign, _) = report.verdict else {
            Issue.record("\(report.verdict)")
            return
        }
        #expect(try served()?.facts?.version == 1)
    }
}

/// A store that goes away after some writes.
private final class StoppedStore: PublicationStore, @unchecked Sendable {
    private let inner: FileStore
    private var left: Int

    init(_ inner: FileStore, after writes: Int) {
        self.inner = inner
        left = writes
    }

    var name: String { inner.name }

    private func spend() throws(StoreError) {
        guard left > 0 else { throw .busy(status: 503) }
        left -= 1
    }

    func read(_ key: StoreKey) throws(StoreError) -> StoredObject? { try inner.read(key) }
    func create(_ key: StoreKey, _ bytes: [UInt8]) throws(StoreError) -> WriteAnswer {
        try spend()
        return try inner.create(key, bytes)
    }
    func replace(
        _ key: StoreKey, _ bytes: [UInt8], ifMatching tag: EntityTag
    ) throws(StoreError) -> WriteAnswer {
        try spend()
        return try inner.replace(key, bytes, ifMatching: tag)
    }
    func versions(
        of workspace: WorkspaceName, from floor: Int64
    ) throws(StoreError) -> [ConfigVersion] { try inner.versions(of: workspace, from: floor) }
    func bundles(of workspace: WorkspaceName) throws(StoreError) -> [BundleName] {
        try inner.bundles(of: workspace)
    }
    func workspaces() throws(StoreError) -> [WorkspaceName] { try inner.workspaces() }
}

extension Verdict {
    fileprivate var isPublished: Bool {
        if case .published = self { true } else { false }
    }
}
