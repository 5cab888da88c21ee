import GronaFormats
import StrictJSON

/// What a payload has to be before a key is asked to sign it: every row of the device's table that
/// needs no signature, with the limits of the signing side.
enum PayloadCheck {
    static func check(
        _ bytes: [UInt8], workspace: WorkspaceName, now: UnixTime
    ) throws(SigningError) -> JSONElement {
        guard bytes.count <= Limits.payload.signing else {
            throw .payloadTooLarge(bytes.count, limit: Limits.payload.signing)
        }
        do throws(RuleViolation) {
            let head = try PayloadRule.read(decoded: bytes)
            try WorkspaceRule.check(head.workspace, needed: workspace.text)
            try SchemaRule.check(head.schema)
            _ = try TimesRule.check(head.root)
            try ExpiredRule.check(head.root, now: now)
            _ = try TTLRule.check(head.root)
            _ = try MinSDKRule.read(head.root)
            return head.root
        } catch {
            throw .ownEnvelope(error)
        }
    }
}
