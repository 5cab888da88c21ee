import GronaFormats
import StrictJSON

/// The payload that is followed and the one that follows, compared member by member.
struct PayloadPair {
    let source: JSONElement
    let new: JSONElement

    /// Members which have rules of their own.
    private static let ruled = ["version", "issued_at", "expires_at", "campaigns"]

    func versionMustRise(alsoAbove other: PayloadPair? = nil) -> [TransitionViolation] {
        guard let version = integer("version", of: new), let before = integer("version", of: source)
        else { return [unreadable("version")] }
        var floor = before
        if let other {
            guard let served = integer("version", of: other.source) else {
                return [unreadable("version")]
            }
            floor = max(floor, served)
        }
        return version > floor ? [] : [violation("version", .notAbove(floor))]
    }

    func versionMustStay() -> [TransitionViolation] {
        guard let version = integer("version", of: new), let before = integer("version", of: source)
        else { return [unreadable("version")] }
        return version == before ? [] : [violation("version", .notEqual(to: before))]
    }

    func expiry(_ rule: ExpiryRule) -> [TransitionViolation] {
        guard rule != .mayShorten else { return [] }
        guard let expires = integer("expires_at", of: new),
            let before = integer("expires_at", of: source)
        else { return [unreadable("expires_at")] }
        var earliest = before
        if case .policy(let lifetime) = rule,
            let issued = integer("issued_at", of: new), let was = integer("issued_at", of: source),
            lifetime < before.subtractingSaturating(was)
        {
            earliest = min(before, issued.addingSaturating(lifetime))
        }
        return expires >= earliest ? [] : [violation("expires_at", .earlier(than: earliest))]
    }

    func expiryNotAfterSource() -> [TransitionViolation] {
        guard let expires = integer("expires_at", of: new),
            let before = integer("expires_at", of: source)
        else { return [unreadable("expires_at")] }
        return expires <= before ? [] : [violation("expires_at", .later(than: before))]
    }

    /// Everything at the top that has no rule of its own stays as it is.
    func otherMembers() -> [TransitionViolation] {
        var found: [TransitionViolation] = []
        for member in new.members where !Self.isRuled(member.name) {
            found += mustBeEqual(member.name)
        }
        for member in source.members
        where !Self.isRuled(member.name) && new[member.name] == nil {
            found.append(
                TransitionViolation(
                    member: member.name, pointer: member.value.pointer, reason: .removed))
        }
        return found
    }

    func mustBeEqual(_ name: String) -> [TransitionViolation] {
        switch (source[name], new[name]) {
        case (nil, nil):
            return []
        case (nil, let value?):
            return [TransitionViolation(member: name, pointer: value.pointer, reason: .added)]
        case (let value?, nil):
            return [TransitionViolation(member: name, pointer: value.pointer, reason: .removed)]
        case (let before?, let after?):
            return before.canonical() == after.canonical()
                ? []
                : [TransitionViolation(member: name, pointer: after.pointer, reason: .changed)]
        }
    }

    func minSDKMustNotRise() -> [TransitionViolation] {
        guard let text = source["min_sdk"]?.string, let before = SDKVersion(text),
            let now = (new["min_sdk"]?.string).flatMap({ SDKVersion($0) })
        else { return source["min_sdk"] == nil ? [] : mustBeEqual("min_sdk") }
        return now <= before ? [] : [violation("min_sdk", .raised(above: text))]
    }

    private static func isRuled(_ name: String) -> Bool {
        ruled.contains { $0.utf8.elementsEqual(name.utf8) }
    }

    private func integer(_ name: String, of payload: JSONElement) -> Int64? {
        payload[name]?.integer
    }

    private func violation(
        _ member: String, _ reason: TransitionViolation.Reason
    ) -> TransitionViolation {
        TransitionViolation(member: member, pointer: "/\(member)", reason: reason)
    }

    private func unreadable(_ member: String) -> TransitionViolation {
        violation(member, .unreadable)
    }
}

extension Int64 {
    func addingSaturating(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other > 0 ? .max : .min) : sum
    }

    func subtractingSaturating(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other > 0 ? .min : .max) : difference
    }
}
