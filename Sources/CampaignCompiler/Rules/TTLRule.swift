internal import GronaFormats
internal import StrictJSON

/// `ttl_seconds`: within the bounds to which an SDK would clamp it (signed-configuration:
/// Refresh).
enum TTLRule {
    static func check(_ workspace: JSONElement, _ findings: inout Findings) -> Int64? {
        guard let element = findings.required("ttl_seconds", of: workspace, .workspaceTTL) else {
            return nil
        }
        return findings.integer(element, within: Limits.ttlSeconds, .workspaceTTL)
    }
}
