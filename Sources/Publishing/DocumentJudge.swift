package import DeviceModel
package import GronaFormats
package import GronaVerification
import Libcrypto
package import PublishProtocol
import StrictJSON

/// Judges envelopes of one workspace as its devices would, and as its history does.
///
/// A device trusts the keys that are current, retiring or next; what was published long ago is ours
/// by any key of the keyring that is not compromised.
package struct DocumentJudge: Sendable {
    package let workspace: WorkspaceName
    package let now: UnixTime
    private let devices: EnvelopeVerifier
    private let history: EnvelopeVerifier
    /// Knows every config key of the keyring, those that are not trusted any more too.
    private let known: EnvelopeVerifier?
    /// The keyring's keys; those of pins have no states.
    private let states: [KeyID: KeyState]

    /// Trusts a keyring.
    package init(keyring: Keyring, now: UnixTime) throws(TrustError) {
        workspace = keyring.workspace
        self.now = now
        devices = EnvelopeVerifier(trust: try TrustedKeys(keyrings: [keyring]))
        states = Dictionary(keyring.keys.map { ($0.kid, $0.state) }) { first, _ in first }
        let all = keyring.keys.filter { $0.use == .config }
        let ever = all.filter { $0.state != .compromised }
        history = try Self.verifier(of: ever, in: keyring)
        known = ever.count == all.count ? nil : try Self.verifier(of: all, in: keyring)
    }

    private static func verifier(
        of keys: [KeyRecord], in keyring: Keyring
    ) throws(TrustError) -> EnvelopeVerifier {
        let pins = PinsFile(
            id: keyring.id, workspace: keyring.workspace,
            config: keys.map { Pin(kid: $0.kid, publicKey: $0.publicKey) }, grant: [])
        return EnvelopeVerifier(trust: try TrustedKeys(pins: pins))
    }

    /// Trusts what an app pins, and nothing else.
    package init(pins: PinsFile, now: UnixTime) throws(TrustError) {
        workspace = pins.workspace
        self.now = now
        devices = EnvelopeVerifier(trust: try TrustedKeys(pins: pins))
        history = devices
        known = nil
        states = [:]
    }

    /// The state of a key that apps need not have among their pins, so that what it signs now reaches
    /// no device: one that is made or announced. Nil for every other key.
    ///
    /// One that apps have got may be current where it signs before this copy of the keyring says so.
    func unpinnedState(of kid: KeyID?) -> KeyState? {
        switch kid.flatMap({ states[$0] }) {
        case .generated: .generated
        case .announced: .announced
        default: nil
        }
    }

    package func judge(_ bytes: [UInt8], channel: Channel = .remote) -> JudgedDocument {
        let reading = EnvelopeReading(bytes)
        let query = EnvelopeQuery(workspace: workspace.text, channel: channel)
        let outcome = devices.verify(bytes, query, at: now)
        if Self.isOurs(outcome) { return JudgedDocument(bytes, reading, outcome, ours: outcome) }
        let older = history.verify(bytes, query, at: now)
        if Self.isOurs(older) { return JudgedDocument(bytes, reading, outcome, ours: older) }
        let revoked = known?.verify(bytes, query, at: now)
        return JudgedDocument(
            bytes, reading, outcome, ours: nil,
            distrusted: revoked.flatMap { Self.isOurs($0) ? $0 : nil })
    }

    /// Something too large to be read is judged by its size, something that is no file as junk.
    package func judge(_ object: StoredObject, channel: Channel = .remote) -> JudgedDocument {
        guard object.isFile else {
            let nothing = judge([], channel: channel)
            return JudgedDocument(noFile: nothing.outcome)
        }
        let bytes = object.bytes ?? [UInt8](repeating: 0x20, count: Limits.envelope.verifying + 1)
        return judge(bytes, channel: channel)
    }

    /// Signed by one of our keys for this workspace, whatever else is wrong with it.
    private static func isOurs(_ outcome: Outcome) -> Bool {
        outcome.kid != nil && outcome.head != nil && outcome[.workspace] == .passed
    }
}

/// An envelope with what a device says about it.
package struct JudgedDocument: Sendable {
    package let bytes: [UInt8]
    /// What a device does with it now.
    package let outcome: Outcome
    package let found: FoundDocument
    /// The typed payload; nil where it cannot be read or is not ours.
    package let payload: ConfigPayload?
    package let kid: KeyID?

    /// What stands in the place of a document and is no file.
    init(noFile outcome: Outcome) {
        bytes = []
        self.outcome = outcome
        payload = nil
        kid = nil
        found = .junk(envelope: SHA256.digest([]).content, code: FoundDocument.notAFile)
    }

    init(
        _ bytes: [UInt8], _ reading: EnvelopeReading, _ outcome: Outcome, ours: Outcome?,
        distrusted: Outcome? = nil
    ) {
        self.bytes = bytes
        self.outcome = outcome
        let envelope = SHA256.digest(bytes).content
        payload = ours?.payload
        kid = ours?.kid
        let code = outcome.code?.rawValue
        if let head = (ours ?? distrusted)?.head {
            let facts = DocumentFacts(
                version: head.version.number,
                payload: SHA256.digest(head.root.document.bytes).content, envelope: envelope)
            found =
                ours != nil
                ? .genuine(facts, defect: code)
                : .distrusted(facts, code: code ?? RuleCode.signatureInvalid.rawValue)
        } else {
            found = .junk(envelope: envelope, code: code ?? RuleCode.payloadMalformed.rawValue)
        }
    }

    package var facts: DocumentFacts? { found.genuineFacts }
}

extension SHA256Digest {
    /// The same digest as the protocol holds it.
    var content: ContentDigest { ContentDigest(hex: hex) ?? ContentDigest(number: 0) }
}
