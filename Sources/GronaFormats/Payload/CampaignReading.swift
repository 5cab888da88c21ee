package import StrictJSON

// Reading one campaign of a payload: whatever a rule of the campaign needs must be there in its
// type, or the campaign is unreadable as a whole and never runs (it fails closed).
extension Campaign {
    /// - Throws: a violation whose pointer begins at the campaign.
    package init(reading element: JSONElement) throws(RuleViolation) {
        let code = RuleCode.payloadCampaign
        self.element = element
        id = try element.identifier("id", code)
        kind = try element.known("kind", CampaignKind.init(rawValue:), code)
        isEnabled = try element.flag("enabled", code)
        unit = try element.known("unit", CampaignUnit.init(rawValue:), code)
        placements = try element.list("placements", code, isRequired: true) {
            value throws(RuleViolation) in
            guard let id = value.string.flatMap(Identifier.init(_:)) else {
                throw .wrong("", .identifier, code)
            }
            return id
        }
        variants = try element.list("variants", code, isRequired: true) {
            value throws(RuleViolation) in try CampaignVariant(reading: value, code)
        }
        treatment = try element.optional("treatment") { value throws(RuleViolation) in
            try Treatment(reading: value, code)
        }
        minSDK = try element.optional("min_sdk") { value throws(RuleViolation) in
            guard let version = value.string.flatMap(SDKVersion.init(_:)) else {
                throw .wrong("", .sdkVersion, code)
            }
            return version
        }
        segments = try element.list("segments", code, isRequired: false) {
            value throws(RuleViolation) in
            guard let segment = value.string else { throw .wrong("", .string, code) }
            return segment
        }
        priority = element["priority"] == nil ? 0 : try element.integer("priority", code)
        startsAt = element["starts_at"] == nil ? nil : try element.time("starts_at", code)
        endsAt = element["ends_at"] == nil ? nil : try element.time("ends_at", code)
        action = try element.optional("call_to_action") { value throws(RuleViolation) in
            try value.identifier("action", code)
        }
    }
}

extension CampaignVariant {
    init(reading element: JSONElement, _ code: RuleCode) throws(RuleViolation) {
        id = try element.identifier("id", code)
        weight = try element.integer("weight", code)
        isControl = element["control"] == nil ? false : try element.flag("control", code)
        content = element["content"]
    }
}

extension Treatment {
    init(reading element: JSONElement, _ code: RuleCode) throws(RuleViolation) {
        type = try element.identifier("type", code)
        value = try element.integer("value", code)
        guard value >= 0 else { throw .wrong("/value", .nonNegativeInteger, code) }
    }
}

extension JSONElement {
    fileprivate func known<Value>(
        _ name: String, _ make: (String) -> Value?, _ code: RuleCode
    ) throws(RuleViolation) -> Value {
        let value = try required(name, .knownValue, code)
        guard let known = value.string.flatMap(make) else {
            throw .wrong("/" + name, .knownValue, code)
        }
        return known
    }

    fileprivate func optional<Value>(
        _ name: String, _ read: (JSONElement) throws(RuleViolation) -> Value
    ) throws(RuleViolation) -> Value? {
        guard let value = self[name] else { return nil }
        do throws(RuleViolation) {
            return try read(value)
        } catch {
            throw error.below("/" + name)
        }
    }

    fileprivate func list<Value>(
        _ name: String, _ code: RuleCode, isRequired: Bool,
        _ read: (JSONElement) throws(RuleViolation) -> Value
    ) throws(RuleViolation) -> [Value] {
        if !isRequired && self[name] == nil { return [] }
        let value = try required(name, .array, code)
        guard value.kind == .array else { throw .wrong("/" + name, .array, code) }
        var list: [Value] = []
        list.reserveCapacity(value.count)
        for element in value.elements {
            do throws(RuleViolation) {
                list.append(try read(element))
            } catch {
                throw error.below("/\(name)/\(list.count)")
            }
        }
        return list
    }
}
