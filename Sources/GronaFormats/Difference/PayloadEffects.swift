internal import StrictJSON

/// Works out what changes at the top of a payload mean.
enum PayloadEffects {
    static func of(_ old: JSONElement, _ new: JSONElement) -> [PayloadEffect] {
        var effects: [PayloadEffect] = []
        if old["workspace"]?.utf8 != new["workspace"]?.utf8 { effects.append(.otherWorkspace) }
        if let before = old["version"]?.integer, let after = new["version"]?.integer,
            after < before
        {
            effects.append(.versionFalls(old: before, new: after))
        }
        if let before = version(old), let after = version(new), after > before {
            effects.append(.minSDKRaised(old: before, new: after))
        }
        let demo = (isDemo(old), isDemo(new))
        if demo.0 != demo.1 { effects.append(.demo(demo.1)) }
        if let before = old["expires_at"]?.integer, let after = new["expires_at"]?.integer,
            after < before
        {
            effects.append(.expiresEarlier(old: before, new: after))
        }
        return effects
    }

    private static func version(_ payload: JSONElement) -> SDKVersion? {
        payload["min_sdk"]?.string.flatMap { SDKVersion($0) }
    }

    private static func isDemo(_ payload: JSONElement) -> Bool {
        payload["settings"]?["demo"]?.boolean ?? false
    }
}
