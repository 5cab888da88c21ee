internal import GronaFormats
internal import StrictJSON

/// `variants`: unique ids, integer weights that add up to 10,000, and for an offer one arm that
/// is treated (offers-and-grants: On the device, no grant, control arm).
enum VariantsRule {
    static let weightSum = Limits.totalWeight

    static func check(_ campaign: JSONElement, _ findings: inout Findings) {
        guard let element = findings.required("variants", of: campaign, .campaignVariants),
            let list = findings.array(element, .campaignVariants)
        else { return }
        var seen: [[UInt8]: JSONElement] = [:]
        var sum: Int64? = 0
        var treated = false
        for variant in list.elements {
            guard findings.object(variant, .campaignVariants) != nil else {
                sum = nil
                treated = true
                continue
            }
            checkID(of: variant, &seen, &findings)
            let weight = weight(of: variant, &findings)
            // No overflow: each is at most 10,000, and a file has far fewer than 2^49 variants.
            if let known = sum, let weight { sum = known + weight } else { sum = nil }
            if !isControl(variant, &findings) { treated = true }
        }
        if let sum, sum != weightSum {
            findings.add(.campaignWeights, at: element, .weights(sum: sum, expected: weightSum))
        }
        if !treated, campaign["kind"]?.string == "offer" {
            findings.add(.campaignVariants, at: element, .onlyControls)
        }
    }

    private static func checkID(
        of variant: JSONElement, _ seen: inout [[UInt8]: JSONElement], _ findings: inout Findings
    ) {
        guard let element = findings.required("id", of: variant, .campaignVariants),
            let id = findings.identifier(element, .campaignVariants)
        else { return }
        if let first = seen.updateValue(element, forKey: Array(id.utf8)) {
            findings.add(
                .campaignVariants, at: element,
                .duplicate(id: id, firstFile: findings.fileName, firstPointer: first.pointer))
        }
    }

    private static func weight(of variant: JSONElement, _ findings: inout Findings) -> Int64? {
        guard let element = findings.required("weight", of: variant, .campaignWeights) else {
            return nil
        }
        return findings.integer(element, within: 0...weightSum, .campaignWeights)
    }

    private static func isControl(_ variant: JSONElement, _ findings: inout Findings) -> Bool {
        guard let element = variant["control"] else { return false }
        return findings.boolean(element, .campaignVariants) ?? false
    }
}
