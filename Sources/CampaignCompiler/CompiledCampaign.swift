package import StrictJSON

/// A campaign as it stands in a payload.
package struct CompiledCampaign: Sendable {
    package let id: String
    package let kind: String
    package let enabled: Bool

    /// 0 where the source leaves it out.
    package let priority: Int64

    /// What is written: the source's members by value, without those whose name begins with `$`,
    /// times in Unix seconds.
    package let value: JSONValue

    /// Reads a campaign that the rules found no error in.
    init?(_ source: JSONElement) {
        guard let id = source["id"]?.string, let kind = source["kind"]?.string,
            let enabled = source["enabled"]?.boolean
        else { return nil }
        self.id = id
        self.kind = kind
        self.enabled = enabled
        self.priority = source["priority"]?.integer ?? 0
        var members: [(String, JSONValue)] = []
        for member in source.members where !SourceMembers.isDropped(member.name) {
            members.append((member.name, Self.compiled(member.name, member.value)))
        }
        self.value = .object(members)
    }

    private static func compiled(_ name: String, _ value: JSONElement) -> JSONValue {
        if TimesRule.members.contains(name), let seconds = TimesRule.unixSeconds(value) {
            return .integer(seconds)
        }
        return .element(value)
    }

    /// Whether it is offered a placement before another: by priority, then by the bytes of the id.
    func stands(before other: CompiledCampaign) -> Bool {
        if priority != other.priority { return priority > other.priority }
        return id.utf8.lexicographicallyPrecedes(other.id.utf8)
    }
}
