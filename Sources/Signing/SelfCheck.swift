import DeviceModel
import ES256
import GronaFormats
import JOSE
import Libcrypto

/// The last look before an envelope leaves: the whole table of a device that pins this key.
enum SelfCheck {
    static func check(
        _ envelope: FlattenedJWS, key: KeyInHand, workspace: WorkspaceName, now: UnixTime
    ) throws(SigningError) -> [UInt8] {
        let bytes = envelope.serialized()
        guard bytes.count <= Limits.envelope.signing else {
            throw .envelopeTooLarge(bytes.count, limit: Limits.envelope.signing)
        }
        let install = Install(
            workspace: workspace.text, sdkVersion: nil, pins: [key.record.kid],
            highestVersion: .notAsked)
        let reading = EnvelopeReading(bytes)
        var signature = SignatureCheck.notChecked
        if let question = reading.question(for: install) {
            let holds = key.publicKey.isValidSignature(
                question.signature, for: SHA256.digest(question.signingInput))
            signature = holds ? .holds : .fails
        }
        let outcome = outcome(install, reading, signature: signature, at: now)
        if let violation = outcome.violation { throw .ownEnvelope(violation) }
        return bytes
    }
}
