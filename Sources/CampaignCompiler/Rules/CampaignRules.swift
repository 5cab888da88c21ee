internal import StrictJSON

/// Every rule of a campaign, in the order of its table.
enum CampaignRules {
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
        PersonalDataRule.check(campaign, &findings, skipping: SourceMembers.isDropped)
    }
}
