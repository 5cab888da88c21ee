package import GronaFormats
import PublishProtocol
package import StrictJSON
import Transitions

/// What a re-basing run does to the content that it finds: it is made anew on every base.
package enum ContentChange: Sendable {
    /// Campaigns are switched off.
    case kill([String])
    /// The content of an older config comes back; what is off stays off.
    case restore(JudgedDocument)

    /// The campaigns that it names and that the content does not have.
    package func unknownCampaigns(in source: ConfigPayload) -> [String] {
        guard case .kill(let campaigns) = self else { return [] }
        return campaigns.filter { id in !source.has(campaign: id) }
    }

    /// Whether the content is so already.
    package func isDone(in source: ConfigPayload) -> Bool {
        switch self {
        case .kill(let campaigns): campaigns.allSatisfy { source.isOff(campaign: $0) }
        case .restore:
            preview(of: source).map {
                let difference = ConfigDifference(from: source.root, to: $0)
                return difference.isEmpty || difference.isOnlyStamp
            } ?? false
        }
    }

    /// Whether the same content by another key is worth a version: who wants content back wants it
    /// from a key that devices trust; an offer that is off is off.
    func signsAnew(_ source: JudgedDocument) -> Bool {
        if case .restore = self { source.untrusted != nil } else { false }
    }

    /// What would come of it but for version and times, which are the source's.
    ///
    /// The signer's own memory may keep more switched off than can be seen from here.
    package func preview(of source: ConfigPayload) -> JSONElement? {
        switch self {
        case .kill(let campaigns):
            Self.payload(of: source.root, stamp: source.root) { id in
                campaigns.contains { id.elementsEqual($0.utf8) }
            }
        case .restore(let old):
            old.payload.flatMap { old in
                Self.payload(of: old.root, stamp: source.root) { id in
                    source.campaignElements.contains {
                        $0["id"]?.utf8 == id && $0["enabled"]?.boolean != true
                    }
                }
            }
        }
    }

    /// A content with version and times of another, and some campaigns switched off.
    private static func payload(
        of content: JSONElement, stamp: JSONElement, off: ([UInt8]) -> Bool
    ) -> JSONElement? {
        let members: [(String, JSONValue)] = content.members.map { member in
            let name = member.name
            if ConfigDifference.stampMembers.contains(where: { $0.utf8.elementsEqual(name.utf8) }) {
                return (name, stamp[name].map { .element($0) } ?? .null)
            }
            guard name.utf8.elementsEqual("campaigns".utf8), member.value.kind == .array else {
                return (name, .element(member.value))
            }
            return (name, .array(member.value.elements.map { campaign($0, off: off) }))
        }
        return try? JSONDocument.parse(JSONValue.object(members).canonical()).root
    }

    private static func campaign(
        _ element: JSONElement, off: ([UInt8]) -> Bool
    ) -> JSONValue {
        guard element.kind == .object, let id = element["id"]?.utf8, off(id) else {
            return .element(element)
        }
        return .object(
            element.members.map { member in
                member.name.utf8.elementsEqual("enabled".utf8)
                    ? (member.name, .boolean(false)) : (member.name, .element(member.value))
            })
    }

    /// Has it signed.
    func ask(
        _ signer: SignerCommand, _ source: JudgedDocument, version: ConfigVersion
    ) throws(SignerError) -> SignerAnswer {
        switch self {
        case .kill(let campaigns):
            try signer.kill(try source.envelope(), disabling: campaigns, version: version)
        case .restore(let old):
            try signer.restore(
                try old.envelope(), served: try source.envelope(), version: version)
        }
    }

    /// The first way in which what a signer gave is not what it was asked for.
    func lie(
        in new: ConfigPayload, source: ConfigPayload, now: UnixTime
    ) -> SignerLie? {
        let away = new.issuedAt.since(now).seconds
        guard (-SignerCheck.clockTolerance...SignerCheck.clockTolerance).contains(away) else {
            return .issued(new.issuedAt, now: now)
        }
        switch self {
        case .kill(let campaigns):
            let step = Transition.kill(of: source.root)
            if let violation = step.violations(in: new.root).first { return .beyond(violation) }
            return campaigns.first { !new.isOff(campaign: $0) }.map { .stillOn($0) }
        case .restore(let old):
            guard let old = old.payload else { return nil }
            // More may be off than is served: the signer remembers what was switched off.
            let off = Set(
                new.campaignElements.filter { $0["enabled"]?.boolean == false }
                    .compactMap { $0["id"]?.utf8 })
            let step = Transition.restore(of: old.root, served: source.root, keepingOff: off)
            return step.violations(in: new.root).first.map { .beyond($0) }
        }
    }
}

extension ConfigPayload {
    private func elements(of campaign: String) -> [JSONElement] {
        campaignElements.filter { $0["id"]?.utf8?.elementsEqual(campaign.utf8) ?? false }
    }

    func has(campaign: String) -> Bool { !elements(of: campaign).isEmpty }

    /// Whether no campaign of the name can be on.
    func isOff(campaign: String) -> Bool {
        elements(of: campaign).allSatisfy { $0["enabled"]?.boolean == false }
    }
}
