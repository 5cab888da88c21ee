import DeviceModel
import ES256
import GronaFormats
import JOSE
import LinuxIO
import PublishProtocol
import Publishing
import StrictJSON
import TestSupport
import Testing

/// A workspace with a key, a store in a temporary folder, and publishers.
final class Shop: Sendable {
    static let now = UnixTime(1_793_264_400)
    static let month: Int64 = 30 * 86_400

    let folder: TemporaryFolder
    let key: TestKey
    let workspace: WorkspaceName

    init() throws {
        folder = try TemporaryFolder()
        key = try TestKey()
        workspace = try #require(WorkspaceName("acme-market"))
        _ = try Folder(creating: FilePath(folder.path("public")), permissions: 0o755)
    }

    func store() throws -> FileStore {
        try FileStore("file:\(folder.path("public"))")
    }

    func ledger(_ name: String = "ledger") -> FileLedger {
        let place = FilePath(folder.path(name))
        return FileLedger(
            at: place.appending("ledger.ndjson"), envelopes: place.appending("envelopes"))
    }

    func pins(_ key: TestKey? = nil) throws -> PinsFile {
        let key = key ?? self.key
        let pin = Pin(
            kid: try #require(KeyID(key.kid)),
            publicKey: try #require(PublicKeyText(spki: key.publicKey.spki)))
        return PinsFile(id: nil, workspace: workspace, config: [pin], grant: [])
    }

    func judge(now: UnixTime = Shop.now) throws -> DocumentJudge {
        try DocumentJudge(pins: try pins(), now: now)
    }

    /// Trusts the shop's key by a keyring in which another one is compromised.
    func keyringJudge(compromised: TestKey) throws -> DocumentJudge {
        try keyringJudge(compromised, .compromised)
    }

    /// Trusts the shop's key by a keyring in which another one has a state.
    func keyringJudge(
        _ other: TestKey, _ state: KeyState, now: UnixTime = Shop.now
    ) throws -> DocumentJudge {
        func record(_ key: TestKey, _ state: KeyState) throws -> KeyRecord {
            KeyRecord(
                kid: try #require(KeyID(key.kid)), use: .config, signer: "file:\(key.kid).pem",
                publicKey: try #require(PublicKeyText(spki: key.publicKey.spki)),
                thumbprint: key.thumbprint, born: KeyEvent(state: state, at: Shop.now))
        }
        let keyring = Keyring(
            id: try #require(KeyringID(String(repeating: "0", count: 32))), workspace: workspace,
            keys: [try record(key, .current), try record(other, state)])
        return try DocumentJudge(keyring: keyring, now: now)
    }

    /// A publisher with a ledger of its own name: publishers of one name share one.
    func publisher(_ ledger: String = "ledger", now: UnixTime = Shop.now) throws -> Publisher {
        Publisher(
            store: try store(), ledger: self.ledger(ledger), judge: try judge(now: now),
            user: "tester")
    }

    /// A config with one offer; `content` tells one from another.
    func payload(
        _ version: Int64, content: Int64 = 0, offerIsOn: Bool = true, hasOffer: Bool = true,
        issuedAt: Int64 = Shop.now.seconds, lifetime: Int64 = Shop.month,
        minSDK: String = "1.0.0", isDemo: Bool = false, value: Int64 = 10_000
    ) -> [UInt8] {
        let offer = JSONValue.object([
            ("id", .string("weekend-offer")), ("kind", .string("offer")),
            ("enabled", .boolean(offerIsOn)), ("unit", .string("customer")),
            ("placements", .array([.string("home")])),
            (
                "treatment",
                .object([("type", .string("percent_off")), ("value", .integer(value))])
            ),
            (
                "variants",
                .array([.object([("id", .string("B")), ("weight", .integer(10_000))])])
            ),
        ])
        return JSONValue.object([
            ("schema", .integer(1)), ("version", .integer(version)),
            ("workspace", .string(workspace.text)), ("min_sdk", .string(minSDK)),
            ("issued_at", .integer(issuedAt)), ("expires_at", .integer(issuedAt + lifetime)),
            ("ttl_seconds", .integer(3_600)),
            (
                "settings",
                .object(
                    [("content", .integer(content))] + (isDemo ? [("demo", .boolean(true))] : []))
            ),
            ("campaigns", .array(hasOffer ? [offer] : [])),
        ]).canonical()
    }

    func envelope(_ payload: [UInt8], by key: TestKey? = nil) throws -> [UInt8] {
        try (key ?? self.key).envelope(payload).serialized()
    }

    func envelope(_ version: Int64, content: Int64 = 0) throws -> [UInt8] {
        try envelope(payload(version, content: content))
    }
}

extension Publisher {
    /// Pushes an envelope that a device accepts.
    func push(
        _ envelope: [UInt8], rules: PushRules? = nil,
        expecting: Publication.Expectations = .init(), isDryRun: Bool = false
    ) throws -> PublishReport {
        let document = judge.judge(envelope)
        return push(
            document, try #require(document.facts), payload: try #require(document.payload),
            rules: rules ?? PushRules(policy: .undeclared(judge.workspace), now: judge.now),
            expecting: expecting, isDryRun: isDryRun)
    }

    func release(
        _ bundle: [UInt8], policy: WorkspacePolicy? = nil, isDryRun: Bool = false
    ) -> PublishReport {
        releaseBundle(
            .finished(bundle), release: judge,
            policy: policy ?? .undeclared(judge.workspace), isDryRun: isDryRun)
    }
}

/// Somebody who sees everything that a store shows and remembers it.
final class Observer {
    private let store: FileStore
    private let judge: DocumentJudge
    private var highest: Int64 = 0
    private var contents: [Int64: ContentDigest] = [:]

    init(_ shop: Shop) throws {
        store = try shop.store()
        judge = try shop.judge()
    }

    /// Records an issue for each invariant that does not hold; answers the served version.
    @discardableResult func look(_ comment: Comment? = nil) throws -> Int64 {
        var version: Int64 = 0
        if let object = try store.read(.config(judge.workspace)) {
            let document = judge.judge(object)
            #expect(document.outcome.accepted, comment)
            let facts = try #require(document.facts, comment)
            version = facts.version
            #expect(contents[version, default: facts.payload] == facts.payload, comment)
            contents[version] = facts.payload
            let number = try #require(ConfigVersion(version))
            let claim = try store.read(.version(judge.workspace, number))
            #expect(claim?.bytes == object.bytes, comment)
        }
        #expect(version >= highest, comment)
        highest = version
        for bundle in try store.bundles(of: judge.workspace) {
            #expect(bundle.version.number <= version, comment)
        }
        return version
    }
}
