package import StrictJSON

/// Row `min-sdk`: `min_sdk` is at most the SDK's own version; a config that needs a newer SDK
/// supersedes the one that runs.
///
/// Source: signed-configuration: What the SDK checks, Configurations that need a newer SDK.
package enum MinSDKRule {
    package static func check(
        _ root: JSONElement, available: SDKVersion
    ) throws(RuleViolation) -> SDKVersion {
        let needed = try read(root)
        guard needed <= available else {
            throw RuleViolation(.payloadNeedsNewerSDK, .sdk(needed: needed, available: available))
        }
        return needed
    }

    package static func read(_ root: JSONElement) throws(RuleViolation) -> SDKVersion {
        let value = try root.required("min_sdk", .sdkVersion, .payloadMalformed)
        guard let version = value.string.flatMap(SDKVersion.init(_:)) else {
            throw .wrong("/min_sdk", .sdkVersion, .payloadMalformed)
        }
        return version
    }
}
