import GronaFormats
import PublishProtocol
package import StrictJSON

extension StatusPicture {
    /// `{"store", "made_at", "needs_a_hand", "workspaces": […]}`; the workspaces by name.
    package var json: JSONValue {
        .object([
            ("store", .string(store)), ("made_at", .integer(madeAt.seconds)),
            ("needs_a_hand", .integer(Int64(group(.needsAHand).count))),
            ("workspaces", .array(byName.map { $0.json(at: madeAt) })),
        ])
    }
}

extension WorkspacePicture {
    fileprivate func json(at now: UnixTime) -> JSONValue {
        .object([
            ("workspace", .string(workspace.text)), ("version", .optional(version)),
            ("next_version", .optional(nextVersion)), ("kid", .optional(kid)),
            ("issued_at", .optional(life?.issuedAt)), ("due_at", .optional(life?.dueAt)),
            ("quarter_at", .optional(life?.quarterAt)),
            ("expires_at", .optional(life?.expiresAt)), ("digest", .optional(digest)),
            ("state", .string(state.rawValue)), ("need", .string(need(at: now).word)),
            ("due", .optional(due(at: now)?.rawValue)),
            ("delivery", .string(delivery.rawValue)),
            ("alarms", .array(alarms.map { .string($0) })),
            ("findings", .array(findings.map(\.json))),
            (
                "bundles",
                .array(bundles.map { $0.json(served: version ?? 0, delivery: delivery, at: now) })
            ),
            ("versions", .array(versions.map(\.json))), ("keys", .array(keys.map(\.json))),
        ])
    }
}

extension StatusFinding {
    fileprivate var json: JSONValue {
        .object([
            ("code", .string(code)), ("message", .string(message)), ("help", .optional(help)),
            ("commands", .array(commands.map { .string($0) })),
        ])
    }
}

extension StatusBundle {
    fileprivate func json(
        served: Int64, delivery: ConfigDelivery, at now: UnixTime
    ) -> JSONValue {
        let flags = flags(served: served, delivery: delivery, at: now)
        return .object([
            ("version", .integer(version)), ("digest", .string(digest)), ("kid", .string(kid)),
            ("issued_at", .optional(issuedAt)), ("expires_at", .optional(expiresAt)),
            ("flags", .array(flags.map { .string($0.rawValue) })),
        ])
    }
}

extension StatusVersion {
    fileprivate var json: JSONValue {
        .object([
            ("version", .integer(number)), ("state", .string(state.rawValue)),
            ("kid", .optional(kid)), ("issued_at", .optional(issuedAt)),
            ("expires_at", .optional(expiresAt)), ("digest", .optional(digest)),
        ])
    }
}

extension StatusKey {
    fileprivate var json: JSONValue {
        .object([
            ("kid", .string(kid)), ("use", .string(use.rawValue)),
            ("state", .optional(state?.rawValue)), ("since", .optional(since)),
        ])
    }
}

extension JSONValue {
    fileprivate static func optional(_ text: String?) -> JSONValue {
        text.map { .string($0) } ?? .null
    }

    fileprivate static func optional(_ number: Int64?) -> JSONValue {
        number.map { .integer($0) } ?? .null
    }

    fileprivate static func optional(_ time: UnixTime?) -> JSONValue {
        optional(time?.seconds)
    }
}
