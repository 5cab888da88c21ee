import GronaCommand
import GronaFormats

/// The words that terminal and page share.
enum StatusWords {
    /// The label of a workspace's state.
    static func label(_ workspace: WorkspacePicture, at now: UnixTime) -> String {
        switch workspace.need(at: now) {
        case .alarm: "alarm"
        case .due: "due"
        case .fine: workspace.state == .bundleOnly ? "bundle-only" : "fine"
        case .dark, .corrupt, .rolledBack, .expiring: workspace.state.rawValue
        }
    }

    /// What is left of a life: `5d 2h left`, `ended 3h 20m ago`.
    static func left(_ life: ConfigLife, at now: UnixTime) -> String {
        let left = life.left(at: now).seconds
        return left > 0 ? "\(span(left)) left" : "ended \(span(left == .min ? .max : -left)) ago"
    }

    /// As in all other answers, such as those of `health`.
    static func span(_ seconds: Int64) -> String { DurationWording.short(seconds) }

    /// `2026-11-05 09:00`, in UTC; seconds where the calendar ends.
    static func time(_ time: UnixTime) -> String {
        guard let text = time.rfc3339 else { return String(time.seconds) }
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))"
    }

    /// A tick of an axis: `5 Nov`, or `06:00` where ticks are closer than a day.
    static func tick(_ time: UnixTime, step: Int64) -> String {
        guard let text = time.rfc3339 else { return String(time.seconds) }
        let digits = Array(text.utf8)
        if step < 86_400, time.seconds % 86_400 != 0 { return String(text.dropFirst(11).prefix(5)) }
        let month = Int(digits[5] - 48) * 10 + Int(digits[6] - 48)
        let day = Int(digits[8] - 48) * 10 + Int(digits[9] - 48)
        return "\(day) \(months[month - 1])"
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    static func flag(_ flag: StatusBundle.Flag) -> String {
        switch flag {
        case .aboveServed: "above what is served: an install that has it takes no update"
        case .expired: "expired"
        case .untrusted: "no key that devices trust now has signed it"
        }
    }

    /// What a key does: `signs configs since …`.
    static func key(_ key: StatusKey, of workspace: WorkspacePicture) -> String {
        var words = key.use == .config ? "configs" : "grants"
        if let since = key.since { words += ", since \(time(since))" }
        if key.use == .config {
            if key.signed(workspace.kid) { words += "; signed what is served" }
            let count = workspace.bundles.filter { key.signed($0.kid) }.count
            if count > 0 { words += "; signed \(count) bundle\(count == 1 ? "" : "s")" }
        }
        return words
    }

    static func count(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
}
