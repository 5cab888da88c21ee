import CommandLineKit
import GronaFormats
import Signing

/// The words for grants and preview pins that are not given.
enum GrantWording {
    static func failure(_ refusal: GrantRefusal) -> Failure { Failure(diagnostic(refusal)) }

    static func diagnostic(_ refusal: GrantRefusal) -> Diagnostic {
        Diagnostic(
            code: code(refusal).rawValue, message: message(refusal), help: help(refusal),
            exit: .refused)
    }

    static func code(_ refusal: GrantRefusal) -> RuleCode {
        switch refusal {
        case .sourceExpired: .grantSourceExpired
        case .unknownCampaign, .unreadableCampaign, .disabledCampaign, .notStarted, .ended:
            .grantCampaign
        case .noTreatment, .notForCustomers: .grantNotAnOffer
        case .unknownVariant, .controlVariant: .grantVariant
        case .subjectLength, .subjectNoncharacter: .grantSubject
        case .lifetimeNotPositive, .lifetimeTooLong, .timesOutOfBounds: .grantLifetime
        case .tokenTooLarge: .grantTooLarge
        }
    }

    private static func message(_ refusal: GrantRefusal) -> String {
        switch refusal {
        case .sourceExpired(let end, _): "the config ended at \(TimeWording.text(end))"
        case .unknownCampaign(let id): "there is no campaign \(id)"
        case .unreadableCampaign(let id): "campaign \(id) cannot be read as a device would"
        case .disabledCampaign(let id): "campaign \(id) is off"
        case .notStarted(let id, let start):
            "campaign \(id) starts at \(TimeWording.text(start))"
        case .ended(let id, let end): "campaign \(id) ended at \(TimeWording.text(end))"
        case .noTreatment(let id): "campaign \(id) is no offer"
        case .notForCustomers(let id): "campaign \(id) is not decided by customer"
        case .unknownVariant(let campaign, let variant):
            "campaign \(campaign) has no variant \(variant)"
        case .controlVariant(let campaign, let variant):
            "variant \(variant) of campaign \(campaign) is a control: it is shown nothing"
        case .subjectLength(let count):
            "a customer id has 1 to 256 bytes, this one has \(count)"
        case .subjectNoncharacter(let value):
            "the customer id has the noncharacter U+\(String(value, radix: 16, uppercase: true))"
        case .lifetimeNotPositive(let lifetime): "a lifetime of \(lifetime) is no lifetime"
        case .lifetimeTooLong(let lifetime, let cap):
            "a lifetime of \(lifetime) is over the limit of \(cap)"
        case .timesOutOfBounds(let time):
            "\(TimeWording.text(time)) is outside of 2020 to 2100"
        case .tokenTooLarge(let count, let limit):
            "the token would have \(count) bytes, over the limit of \(limit)"
        }
    }

    private static func help(_ refusal: GrantRefusal) -> String {
        switch refusal {
        case .sourceExpired: "fetch what is served now, or renew it"
        case .unknownCampaign, .unreadableCampaign, .unknownVariant, .noTreatment:
            "'grona-sign inspect' shows the campaigns of a config"
        case .disabledCampaign, .notStarted, .ended, .notForCustomers:
            "grants follow the config: sign and publish one in which the campaign runs"
        case .controlVariant: "name a variant that is treated"
        case .subjectLength, .subjectNoncharacter:
            "give the opaque id that the app passes to identify"
        case .lifetimeNotPositive, .lifetimeTooLong:
            "give a shorter --ttl, or change lifetimes.grant in workspace.json"
        case .timesOutOfBounds: "check the clock of this machine"
        case .tokenTooLarge: "use a shorter customer id"
        }
    }
}

/// The words for preview pins that are not given.
enum PreviewWording {
    static func failure(_ refusal: PreviewRefusal) -> Failure { Failure(diagnostic(refusal)) }

    static func diagnostic(_ refusal: PreviewRefusal) -> Diagnostic {
        let (code, message, help): (RuleCode, String, String) =
            switch refusal {
            case .unknownCampaign(let id):
                (
                    .previewCampaign, "there is no campaign \(id)",
                    "'grona-sign inspect' shows the campaigns of a config"
                )
            case .unknownVariant(let campaign, let variant):
                (
                    .previewVariant, "campaign \(campaign) has no variant \(variant)",
                    "'grona-sign inspect' shows the variants of a campaign"
                )
            case .lifetimeNotPositive(let lifetime):
                (
                    .previewLifetime, "a lifetime of \(lifetime) is no lifetime",
                    "give a --ttl of at least one second"
                )
            case .lifetimeTooLong(let lifetime, let cap):
                (
                    .previewLifetime, "a lifetime of \(lifetime) is over the limit of \(cap)",
                    "give a shorter --ttl, or change lifetimes.preview in workspace.json"
                )
            case .timesOutOfBounds(let time):
                (
                    .previewLifetime, "\(TimeWording.text(time)) is outside of 2020 to 2100",
                    "check the clock of this machine"
                )
            case .tokenTooLarge(let count, let limit):
                (
                    .previewTooLarge,
                    "the token would have \(count) bytes, over the limit of \(limit)",
                    "use shorter ids"
                )
            }
        return Diagnostic(code: code.rawValue, message: message, help: help, exit: .refused)
    }
}
