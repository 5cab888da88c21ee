import DeviceModel
import GronaFormats
import JOSE

/// A payload whose members can be changed one by one, each as JSON text.
struct PayloadDraft {
    var members: [(name: String, json: String)] = [
        ("schema", "1"), ("version", "7"), ("workspace", #""acme-market""#),
        ("issued_at", "1793264400"), ("expires_at", "1795856400"), ("ttl_seconds", "3600"),
        ("min_sdk", #""1.4.0""#),
    ]

    func with(_ name: String, _ json: String?) -> PayloadDraft {
        var draft = self
        let position = draft.members.firstIndex { $0.name == name } ?? draft.members.count
        draft.members.removeAll { $0.name == name }
        if let json { draft.members.insert((name, json), at: min(position, draft.members.count)) }
        return draft
    }

    var bytes: [UInt8] {
        Array("{\(members.map { "\"\($0.name)\":\($0.json)" }.joined(separator: ","))}".utf8)
    }
}

/// An envelope whose parts can be changed one by one; its signature is 64 bytes of nothing, since
/// what the check of it says is a value here.
struct EnvelopeDraft {
    static let header = #"{"alg":"ES256","kid":"k1","typ":"grona-config+jws"}"#

    var protected = Base64URL.encodedString(Array(header.utf8))
    var payload: String
    var signature = Base64URL.encodedString([UInt8](repeating: 7, count: 64))

    init(_ payload: PayloadDraft = PayloadDraft()) {
        self.payload = Base64URL.encodedString(payload.bytes)
    }

    init(payloadBytes: [UInt8]) {
        payload = Base64URL.encodedString(payloadBytes)
    }

    init(header: String) {
        self.init()
        protected = Base64URL.encodedString(Array(header.utf8))
    }

    var bytes: [UInt8] {
        Array(
            #"{"protected":"\#(protected)","payload":"\#(payload)","signature":"\#(signature)"}"#
                .utf8)
    }

    /// The same envelope with blanks at its end.
    func padded(to count: Int) -> [UInt8] {
        bytes + [UInt8](repeating: 0x20, count: max(0, count - bytes.count))
    }
}

/// 2026-10-29T09:20:00Z, 20 minutes after the drafts' `issued_at`.
let now = UnixTime(1_793_265_600)

func version(_ number: Int64) -> ConfigVersion {
    ConfigVersion(number) ?? .first
}

func sdk(_ text: String) -> SDKVersion {
    SDKVersion(text) ?? SDKVersion(major: 0, minor: 0, patch: 0)
}

func kid(_ text: String) -> Set<KeyID> {
    Set([text].compactMap(KeyID.init(_:)))
}

/// An install that accepts the drafts.
func install(
    sdk text: String? = "1.4.0", highest: HighestVersion = .none, isDemo: Bool = false
) -> Install {
    Install(
        workspace: "acme-market", sdkVersion: text.map(sdk), pins: kid("k1"),
        isDemo: isDemo, highestVersion: highest)
}

func run(
    _ bytes: [UInt8], _ install: Install = install(), signature: SignatureCheck = .holds,
    channel: Channel = .remote, at time: UnixTime = now
) -> Outcome {
    outcome(install, EnvelopeReading(bytes), signature: signature, channel: channel, at: time)
}

extension Install {
    /// Takes an envelope that it accepts, or not.
    mutating func receive(
        _ payload: PayloadDraft, _ channel: Channel = .remote, at time: UnixTime = now
    ) -> Outcome {
        let result = run(EnvelopeDraft(payload).bytes, self, channel: channel, at: time)
        self = result.install
        return result
    }
}
