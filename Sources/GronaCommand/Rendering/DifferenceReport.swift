package import CommandLineKit
package import GronaFormats
package import StrictJSON

/// The difference of two configs, as text for a reviewer and as JSON.
package enum DifferenceReport {
    /// Longest value that is shown whole, in characters.
    private static let longestValue = 60

    /// One line where nothing but version and times differs; otherwise what it means for shoppers
    /// first, then value by value.
    package static func text(_ difference: ConfigDifference, style: TextStyle) -> String {
        guard !difference.isEmpty else { return "no difference\n" }
        var text = ""
        for effect in difference.effects {
            text += style.yellow("! " + DisplayText.escaped(words(effect))) + "\n"
        }
        for change in difference.members { text += line(change, style) }
        for campaign in difference.campaigns { text += lines(campaign, style) }
        if let order = difference.order {
            text += "~ order of the campaigns\n"
            text +=
                style.red("  - " + DisplayText.escaped(order.old.joined(separator: ", "))) + "\n"
            text += style.green("  + " + DisplayText.escaped(order.new.joined(separator: ", ")))
            text += "\n"
        }
        if difference.isOnlyStamp { text += "the same campaigns and settings\n" }
        return text
    }

    private static func lines(_ campaign: CampaignChange, _ style: TextStyle) -> String {
        let name = DisplayText.escaped("campaign \(campaign.id)")
        var text =
            switch campaign.kind {
            case .added: style.green("+ \(name)") + "\n"
            case .removed: style.red("- \(name)") + "\n"
            case .changed: style.bold("~ \(name)") + "\n"
            }
        for effect in campaign.effects {
            text += "  " + style.yellow("! " + DisplayText.escaped(words(effect))) + "\n"
        }
        for change in campaign.values { text += "  " + line(change, style) }
        return text
    }

    private static func line(_ change: ValueChange, _ style: TextStyle) -> String {
        let pointer = DisplayText.escaped(change.pointer)
        switch (change.old, change.new) {
        case (let old?, let new?):
            return "~ \(pointer): \(style.red(shown(old, change))) -> "
                + "\(style.green(shown(new, change)))\n"
        case (let old?, nil): return style.red("- \(pointer): \(shown(old, change))") + "\n"
        case (nil, let new?): return style.green("+ \(pointer): \(shown(new, change))") + "\n"
        case (nil, nil): return ""
        }
    }

    /// The value on one line; times are told as people read them.
    private static func shown(_ value: JSONElement, _ change: ValueChange) -> String {
        let text = String(decoding: value.canonical(), as: UTF8.self)
        if change.pointer.hasSuffix("_at"), let seconds = value.integer {
            return "\(seconds) (\(UnixTime(seconds)))"
        }
        guard text.count > longestValue else { return DisplayText.escaped(text) }
        return DisplayText.escaped(String(text.prefix(longestValue))) + "…"
    }

    /// What a change of a campaign means.
    package static func words(_ effect: CampaignEffect) -> String {
        switch effect {
        case .switchedOn(let isOffer): isOffer ? "the offer is switched on" : "it is switched on"
        case .switchedOff(let isOffer): isOffer ? "the offer is switched off" : "it is switched off"
        case .moneyValue(let old, let new):
            "the treatment's value goes from \(thousandths(old)) to \(thousandths(new));"
                + " grants of the old value no longer match"
        case .treatmentType(let old, let new):
            "the treatment goes from \"\(old)\" to \"\(new)\"; grants of the old type no longer match"
        case .movesBasket(true): "it adds to the basket now"
        case .movesBasket(false): "it no longer adds to the basket"
        case .priority(let old, let new):
            new > old
                ? "it is offered a placement earlier: priority \(old) to \(new)"
                : "it is offered a placement later: priority \(old) to \(new)"
        case .buckets: "shoppers change arms: ids or weights of variants differ"
        case .schedule: "it is on at other times"
        }
    }

    /// What a change at the top means.
    package static func words(_ effect: PayloadEffect) -> String {
        switch effect {
        case .minSDKRaised(let old, let new):
            "apps with an SDK below \(new) lose their offers (min_sdk was \(old))"
        case .demo(true): "offers render without a grant where the app agrees (settings.demo)"
        case .demo(false): "offers need a grant again (settings.demo)"
        case .expiresEarlier(let old, let new):
            "every campaign ends earlier: \(UnixTime(new)) instead of \(UnixTime(old))"
        case .otherWorkspace: "these are configs of two workspaces"
        case .versionFalls(let old, let new):
            "installs that accepted \(old) reject \(new), which is lower"
        }
    }

    private static func thousandths(_ value: Int64) -> String {
        guard value >= 0 else { return String(value) + "/1000" }
        let rest = String(1_000 + value % 1_000).dropFirst()
        return value % 1_000 == 0 ? String(value / 1_000) : "\(value / 1_000).\(rest)"
    }

    // MARK: JSON

    /// `{"members": […], "campaigns": [{"id", "change", "effects", "values"}], "effects", "order"}`
    package static func json(_ difference: ConfigDifference) -> JSONValue {
        .object([
            ("members", .array(difference.members.map(json))),
            ("effects", .array(difference.effects.map { .string(words($0)) })),
            ("campaigns", .array(difference.campaigns.map(json))),
            (
                "order",
                difference.order.map { order in
                    .object([
                        ("old", .array(order.old.map { .string($0) })),
                        ("new", .array(order.new.map { .string($0) })),
                    ])
                } ?? .null
            ),
        ])
    }

    private static func json(_ campaign: CampaignChange) -> JSONValue {
        let change =
            switch campaign.kind {
            case .added: "added"
            case .removed: "removed"
            case .changed: "changed"
            }
        return .object([
            ("id", .string(campaign.id)), ("change", .string(change)),
            ("effects", .array(campaign.effects.map { .string(words($0)) })),
            ("values", .array(campaign.values.map(json))),
        ])
    }

    private static func json(_ change: ValueChange) -> JSONValue {
        .object([
            ("pointer", .string(change.pointer)),
            ("old", change.old.map { .element($0) } ?? .null),
            ("new", change.new.map { .element($0) } ?? .null),
        ])
    }
}
