/// What a change of a campaign means for shoppers and for money.
package enum CampaignEffect: Sendable, Equatable {
    /// The campaign can render from now on.
    case switchedOn(isOffer: Bool)
    /// The campaign stops rendering (signed-configuration: Rollback protection, kill switch).
    case switchedOff(isOffer: Bool)
    /// Grants of the old value no longer match (offers-and-grants: On the device, Matching); in
    /// thousandths.
    case moneyValue(old: Int64, new: Int64)
    /// Grants of the old type no longer match (offers-and-grants: On the device, Matching).
    case treatmentType(old: String, new: String)
    /// An SDK that needs a newer config stops it or lets it go on (signed-configuration:
    /// Configurations that need a newer SDK).
    case movesBasket(Bool)
    /// It is offered a placement earlier (higher number) or later.
    case priority(old: Int64, new: Int64)
    /// Shoppers change arms: ids or weights of variants differ.
    case buckets
    /// It is on at other times.
    case schedule
}
