internal import GronaFormats
internal import StrictJSON

/// The top-level `min_sdk` (signed-configuration: What the SDK checks, `min_sdk`).
enum WorkspaceMinSDKRule {
    static func check(_ workspace: JSONElement, _ findings: inout Findings) -> SDKVersion? {
        guard let element = findings.required("min_sdk", of: workspace, .workspaceMinSDK) else {
            return nil
        }
        return findings.version(element, .workspaceMinSDK)
    }
}
