internal import GronaFormats
internal import StrictJSON

/// `order_backends`: the names of those who have to confirm a grant key before it signs.
enum OrderBackendsRule {
    static func read(_ workspace: JSONElement, _ findings: inout Findings) -> [String] {
        guard let element = workspace["order_backends"],
            let list = findings.array(element, .workspaceOrderBackends)
        else { return [] }
        return list.elements.compactMap { findings.identifier($0, .workspaceOrderBackends) }
    }
}
