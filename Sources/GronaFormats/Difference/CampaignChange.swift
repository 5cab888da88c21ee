/// How one campaign differs between two payloads.
package struct CampaignChange: Sendable {
    package enum Kind: Sendable, Equatable {
        case added, removed, changed
    }

    package let id: String
    package let kind: Kind

    /// The values that differ; empty for a campaign that only one payload has.
    package let values: [ValueChange]

    /// What that means, in the order in which people should read it.
    package let effects: [CampaignEffect]
}
