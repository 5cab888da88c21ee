internal import StrictJSON

/// Every rule of a campaign, in the order of its table.
enum CampaignRules {
    /// Members whose form leaves no room for personal data, though digits and dots may look alike.
    private static let ruled = ["min_sdk"] + TimesRule.members

    static func check(_ campaign: JSONElement, _ findings: inout Findings) {
        IdentityRule.check(campaign, &findings)
        KindRule.check(campaign, &findings)
        EnabledRule.check(campaign, &findings)
        UnitRule.check(campaign, &findings)
        PlacementsRule.check(campaign, &findings)
        VariantsRule.check(campaign, &findings)
        TreatmentRule.check(campaign, &findings)
        MinSDKRule.check(campaign, &findings)
        SegmentsRule.check(campaign, &findings)
        PriorityRule.check(campaign, &findings)
        TimesRule.check(campaign, &findings)
        CallToActionRule.check(campaign, &findings)
        PersonalDataRule.check(campaign, &findings) { name in
            SourceMembers.isDropped(name) || ruled.contains(name)
        }
    }
}
