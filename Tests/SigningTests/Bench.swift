import CampaignCompiler
import ES256
import FileKeys
import GronaFormats
import JOSE
import Ledger
import Libcrypto
import LinuxIO
import ProjectFiles
import SigningKeys
import StrictJSON
import TestSupport
import Testing

@testable import Signing

/// A workspace with real keys and a state folder of its own.
struct Bench {
    static let name = WorkspaceName("acme-market").unsafelyGiven
    static let start = UnixTime(1_793_264_400)

    let folder: TestFolder
    var now = Bench.start
    var policy = WorkspacePolicy(workspace: Bench.name)
    /// By the name of the state; `grant` is the current grant key.
    let keys: [String: TestKey]

    init() throws {
        folder = try TestFolder()
        var keys: [String: TestKey] = [:]
        for state in ["current", "retiring", "generated", "retired", "compromised"] {
            keys[state] = try TestKey("acme-market-\(state)")
        }
        keys["grant"] = try TestKey("acme-market-grants")
        self.keys = keys
        try writeKeyring()
    }

    func writeKeyring(_ states: [String: KeyState] = [:]) throws {
        var records: [KeyRecord] = []
        for (name, key) in keys.sorted(by: { $0.key < $1.key }) {
            let state = states[name] ?? KeyState(rawValue: name) ?? .current
            records.append(
                KeyRecord(
                    kid: try #require(KeyID(key.kid)), use: name == "grant" ? .grant : .config,
                    signer: "file:\(key.kid).pem",
                    publicKey: try #require(PublicKeyText(spki: key.publicKey.spki)),
                    thumbprint: key.thumbprint, born: KeyEvent(state: state, at: Bench.start)))
        }
        let id = try #require(KeyringID(String(repeating: "0a", count: 16)))
        let keyring = Keyring(id: id, workspace: Bench.name, keys: records)
        try folder.folder("keys/acme-market", permissions: 0o700)
        try folder.write("keys/acme-market/keyring.json", keyring.serialized(), permissions: 0o600)
    }

    var keyring: KeyringFile {
        get throws { try KeyringFile.read(Bench.name, below: folder.file("keys")) }
    }

    var log: HashChainLog { SignerMemory.log(at: folder.file("state/audit.ndjson")) }

    /// A desk that has read what the log says now.
    func desk(strict: Bool = false) throws -> SigningDesk {
        SigningDesk(
            keyring: try keyring, policy: policy, isStrict: strict,
            memory: try SignerMemory(
                log, writer: .init(user: "tester", workspace: Bench.name, isRehearsal: false)))
    }

    func key(_ name: String = "current") throws -> KeyInHand {
        let key = try #require(keys[name])
        let record = try #require(keyring.keyring.keys.first { $0.kid.text == key.kid })
        return KeyInHand(
            try SelfVerifyingSigner(FileKey(key.privateKey), expecting: key.publicKey),
            record: record)
    }

    // MARK: Campaigns

    static let offer = """
        {"id":"weekend-offer","kind":"offer","enabled":true,"unit":"customer",\
        "placements":["cart.top"],"priority":10,"treatment":{"type":"percent_off","value":10000},\
        "variants":[{"id":"A","weight":2000,"control":true},{"id":"B","weight":8000}]}
        """
    static let banner = """
        {"id":"news","kind":"banner","enabled":true,"unit":"device","placements":["home"],\
        "variants":[{"id":"only","weight":10000}]}
        """

    static func off(_ campaign: String) -> String {
        campaign.replacing(#""enabled":true"#, with: #""enabled":false"#)
    }

    func workspace(
        _ campaigns: [String] = [offer, banner], minSDK: String = "1.0.0", more: String = ""
    ) throws -> CheckedWorkspace {
        var files = [
            SourceFile(
                name: "workspace.json",
                bytes: Array(
                    #"{"workspace":"acme-market","min_sdk":"\#(minSDK)","ttl_seconds":900\#(more)}"#
                        .utf8))
        ]
        for campaign in campaigns {
            let bytes = Array(campaign.utf8)
            let id = try #require(JSONDocument.parse(bytes).root["id"]?.string)
            files.append(SourceFile(name: "\(id).json", bytes: bytes))
        }
        let lint = CampaignCompiler.check(
            WorkspaceSource(folder: "acme-market", label: "", files: files))
        return try #require(lint.workspace, "\(lint.findings)")
    }

    // MARK: Signing

    func source(
        _ bytes: [UInt8], _ role: SourceRole = .source, expiry: SignedSource.Expiry = .mayBeOver
    ) throws -> SignedSource {
        try desk().source(
            try FlattenedJWS(parsing: bytes), byteCount: bytes.count, role: role, expiry: expiry,
            now: now)
    }

    /// Signs with the current key and a desk of its own.
    func sign(_ draft: Draft) throws -> [UInt8] {
        var desk = try desk()
        return try desk.sign(draft, with: try key(), now: now).bytes
    }

    var drafting: Drafting {
        get throws { try desk().drafting(at: now) }
    }

    /// A config of the standard campaigns.
    @discardableResult
    func config(
        _ version: Int64, _ campaigns: [String] = [offer, banner]
    ) throws -> [UInt8] {
        let request = ConfigRequest(version: ConfigVersion(version))
        return try sign(
            try drafting.config(try workspace(campaigns), after: nil, request))
    }

    @discardableResult
    func renew(
        _ source: [UInt8], version: Int64? = nil, disabling: [String] = [],
        enabling: [String] = []
    ) throws -> [UInt8] {
        var request = RenewRequest(version: version.flatMap { ConfigVersion($0) })
        request.disabling = disabling
        request.enabling = enabling
        return try sign(try drafting.renew(try self.source(source), request))
    }

    /// An envelope that somebody else made with a key of the keyring.
    func foreign(
        _ version: Int64, by name: String = "current", campaigns: String = "[\(offer),\(banner)]"
    ) throws -> [UInt8] {
        let text = """
            {"campaigns":\(campaigns),"expires_at":\(now.seconds + 86_400),\
            "issued_at":\(now.seconds),"min_sdk":"1.0.0","schema":1,"ttl_seconds":900,\
            "version":\(version),"workspace":"acme-market"}
            """
        return try #require(keys[name]).envelope(Array(text.utf8)).serialized()
    }
}

extension Optional {
    /// The value of a constant that is right by inspection.
    fileprivate var unsafelyGiven: Wrapped {
        switch self {
        case .some(let value): value
        case .none: preconditionFailure("a constant of the tests is wrong")
        }
    }
}

/// The refusal that `body` ends with; none where it passes.
func refusal<Value>(_ body: () throws -> Value) throws -> SigningError? {
    do {
        _ = try body()
        return nil
    } catch let error as SigningError {
        return error
    }
}

/// The payload of an envelope.
func payload(_ envelope: [UInt8]) throws -> JSONElement {
    let bytes = try #require(Base64URL.decode(FlattenedJWS(parsing: envelope).payload))
    return try JSONDocument.parse(bytes).root
}

func number(_ version: Int64) throws -> ConfigVersion { try #require(ConfigVersion(version)) }
