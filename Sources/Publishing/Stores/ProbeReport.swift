package import GronaFormats
package import StrictJSON

/// What a store does with conditions, as a probe found it.
package struct ProbeReport: Sendable, Equatable {
    package var checks: [Check] = []
    /// Whether it takes its tags back only without their quotation marks.
    package var wantsBareTags = false
    /// Whether tags are weak after a write.
    package var hasWeakTags = false
    /// Whether it keeps older versions of an object by itself.
    package var isVersioned = false

    package init() {}

    /// One question and the answer.
    package struct Check: Sendable, Equatable {
        package let name: Name
        package let outcome: Outcome
        /// What the store said, where a status tells more.
        package let status: Int?
        /// The most winners of one round of a race.
        package let winners: Int?
    }

    package enum Outcome: Sendable, Equatable {
        case holds
        case fails
        /// The store has no place to ask it, or it cannot come up here.
        case skipped
    }

    package enum Name: String, Sendable, CaseIterable {
        case createOnly = "create-only"
        case createRace = "create-race"
        case wrongTag = "wrong-tag"
        case missingTag = "missing-tag"
        case rightTag = "right-tag"
        case staleTag = "stale-tag"
        case replaceRace = "replace-race"
        case readAfterWrite = "read-after-write"
        case contentType = "content-type"
        case cacheControl = "cache-control"

        /// Whether publishing goes by it. The others are what devices and caches are told.
        package var isNeeded: Bool { self != .contentType && self != .cacheControl }
    }

    /// Whether a store that answers so compares and swaps.
    package var isTrusted: Bool {
        !checks.contains { $0.name.isNeeded && $0.outcome == .fails }
    }

    package subscript(name: Name) -> Outcome? {
        checks.first { $0.name == name }?.outcome
    }

    mutating func note(
        _ name: Name, _ holds: Bool?, status: Int? = nil, winners: Int? = nil
    ) {
        checks.append(
            Check(
                name: name, outcome: holds.map { $0 ? .holds : .fails } ?? .skipped,
                status: status, winners: winners))
    }
}

/// A report that is kept, and what a person decided about it.
package struct ProbeRecord: Sendable, Equatable {
    package let store: String
    package let time: UnixTime
    package let report: ProbeReport
    /// Who takes the risk of a store that does not compare and swap, and since when.
    package var singlePublisher: Promise?

    package struct Promise: Sendable, Equatable {
        package let user: String
        package let time: UnixTime

        package init(user: String, time: UnixTime) {
            self.user = user
            self.time = time
        }
    }

    package init(
        store: String, time: UnixTime, report: ProbeReport, singlePublisher: Promise? = nil
    ) {
        self.store = store
        self.time = time
        self.report = report
        self.singlePublisher = singlePublisher
    }
}

extension ProbeReport {
    package var json: JSONValue {
        .object([
            (
                "checks",
                .array(
                    checks.map { check in
                        var members: [(String, JSONValue)] = [
                            ("check", .string(check.name.rawValue)),
                            ("ok", check.outcome.json),
                        ]
                        if let status = check.status {
                            members.append(("status", .integer(Int64(status))))
                        }
                        if let winners = check.winners {
                            members.append(("winners", .integer(Int64(winners))))
                        }
                        return .object(members)
                    })
            ),
            ("if_match", .string(wantsBareTags ? "bare" : "quoted")),
            ("weak_tags", .boolean(hasWeakTags)), ("versioned", .boolean(isVersioned)),
        ])
    }

    /// Nil for anything that `json` does not write.
    init?(_ json: JSONElement) {
        guard let checks = json["checks"], checks.kind == .array,
            let match = json["if_match"]?.string, let weak = json["weak_tags"]?.boolean,
            let versioned = json["versioned"]?.boolean
        else { return nil }
        wantsBareTags = match == "bare"
        hasWeakTags = weak
        isVersioned = versioned
        for check in checks.elements {
            guard let name = check["check"]?.string.flatMap(Name.init(rawValue:)),
                let outcome = check["ok"].flatMap(Outcome.init(_:))
            else { return nil }
            self.checks.append(
                Check(
                    name: name, outcome: outcome,
                    status: check["status"]?.integer.flatMap { Int(exactly: $0) },
                    winners: check["winners"]?.integer.flatMap { Int(exactly: $0) }))
        }
    }
}

extension ProbeReport.Outcome {
    fileprivate var json: JSONValue {
        switch self {
        case .holds: .boolean(true)
        case .fails: .boolean(false)
        case .skipped: .string("skipped")
        }
    }

    fileprivate init?(_ json: JSONElement) {
        switch (json.boolean, json.string) {
        case (true?, _): self = .holds
        case (false?, _): self = .fails
        case (nil, "skipped"): self = .skipped
        default: return nil
        }
    }
}
