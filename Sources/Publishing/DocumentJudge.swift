package import DeviceModel
package import GronaFormats
package import GronaVerification
import Libcrypto
package import PublishProtocol
import StrictJSON

/// Judges envelopes of one workspace as its devices would, and as its history does.
///
/// A device trusts the keys that are current, retiring or next; what was published long ago is ours
/// by any key of the keyring that is not compromised. What a compromised key signed is ours where the
/// ledger knows it: the key was ours alone when that was published, and apps that pin it take it.
package struct DocumentJudge: Sendable {
    package let workspace: WorkspaceName
    package let now: UnixTime
    /// Whether the ledger knows a content under its number, a bundle's among bundles. Asked only
    /// where a key signed it that devices do not trust now; nil where there is no ledger to ask.
    package var vouching: (@Sendable (DocumentFacts, Channel) -> Bool)?
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
        if let facts = Self.facts(of: older, bytes) {
            let isKnown = channel == .remote && vouching?(facts, channel) ?? false
            return JudgedDocument(
                bytes, reading, isKnown ? older : outcome, ours: older,
                untrusted: state(of: older))
        }
        guard let revoked = known?.verify(bytes, query, at: now),
            let facts = Self.facts(of: revoked, bytes)
        else { return JudgedDocument(bytes, reading, outcome, ours: nil) }
        guard vouching?(facts, channel) ?? false else {
            return JudgedDocument(
                bytes, reading, outcome, ours: nil, distrusted: revoked,
                untrusted: state(of: revoked))
        }
        // An app release has the pins that it was built with: a bundle is for those of now.
        return JudgedDocument(
            bytes, reading, channel == .remote ? revoked : outcome, ours: revoked,
            untrusted: state(of: revoked))
    }

    private func state(of outcome: Outcome) -> KeyState? { outcome.kid.flatMap { states[$0] } }

    /// The facts of what one of our keys signed for this workspace, whatever else is wrong with it.
    private static func facts(of outcome: Outcome, _ bytes: [UInt8]) -> DocumentFacts? {
        isOurs(outcome) ? DocumentFacts(of: outcome, envelope: SHA256.digest(bytes).content) : nil
    }

    /// The same judge without a ledger: only keys that devices trust now make anything good.
    package var withoutLedger: DocumentJudge {
        var judge = self
        judge.vouching = nil
        return judge
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
    /// The key of our keyring that signed it, though devices do not trust it any more, and what
    /// became of that key; nil where devices trust the key, or it is none of ours.
    package let untrusted: UntrustedKey?

    /// What stands in the place of a document and is no file.
    init(noFile outcome: Outcome) {
        bytes = []
        self.outcome = outcome
        payload = nil
        kid = nil
        untrusted = nil
        found = .junk(envelope: SHA256.digest([]).content, code: FoundDocument.notAFile)
    }

    init(
        _ bytes: [UInt8], _ reading: EnvelopeReading, _ outcome: Outcome, ours: Outcome?,
        distrusted: Outcome? = nil, untrusted: KeyState? = nil
    ) {
        self.bytes = bytes
        self.outcome = outcome
        let envelope = SHA256.digest(bytes).content
        payload = ours?.payload
        kid = ours?.kid
        self.untrusted = untrusted.flatMap { state in
            (ours ?? distrusted)?.kid.map { UntrustedKey(kid: $0, state: state) }
        }
        let code = outcome.code?.rawValue
        if let facts = (ours ?? distrusted).flatMap({ DocumentFacts(of: $0, envelope: envelope) }) {
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

/// A key of our keyring that devices do not trust any more.
package struct UntrustedKey: Sendable, Hashable {
    package let kid: KeyID
    package let state: KeyState
}

extension DocumentFacts {
    /// Nil where the payload could not be read.
    fileprivate init?(of outcome: Outcome, envelope: ContentDigest) {
        guard let head = outcome.head else { return nil }
        self.init(
            version: head.version.number,
            payload: SHA256.digest(head.root.document.bytes).content, envelope: envelope)
    }
}

extension SHA256Digest {
    /// The same digest as the protocol holds it.
    var content: ContentDigest { ContentDigest(hex: hex) ?? ContentDigest(number: 0) }
}
