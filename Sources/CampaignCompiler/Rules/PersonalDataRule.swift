internal import GronaFormats
internal import StrictJSON

/// No personal data in what anyone can fetch (signed-configuration: Who does what, the
/// configuration is public): looks at every string, names of members included.
enum PersonalDataRule {
    /// Looks at a value and at everything in it.
    ///
    /// - Parameter skipping: Which members of the outermost object are not signed.
    static func check(
        _ value: JSONElement, _ findings: inout Findings,
        skipping: (String) -> Bool = { _ in false }
    ) {
        // A list instead of recursion: no document decides how deep the stack goes.
        var open: [JSONElement] = [value]
        var isOutermost = true
        while let element = open.popLast() {
            switch element.kind {
            case .object:
                for member in element.members where !(isOutermost && skipping(member.name)) {
                    look(at: member.name, member.nameElement.position, member.value, &findings)
                    open.append(member.value)
                }
            case .array:
                open.append(contentsOf: element.elements)
            case .string:
                look(at: element.string ?? "", element.position, element, &findings)
            case .number, .boolean, .null:
                break
            }
            isOutermost = false
        }
    }

    private static func look(
        at text: String, _ position: JSONPosition, _ element: JSONElement,
        _ findings: inout Findings
    ) {
        let bytes = Array(text.utf8)
        if EmailPattern.occurs(in: bytes) {
            findings.add(
                .campaignEmail, position: position, pointer: element.pointer, .email(text))
        }
        if PhonePattern.occurs(in: bytes) {
            findings.add(
                .campaignPhone, .warning, position: position, pointer: element.pointer,
                .phone(text))
        }
        if CustomerIDPattern.occurs(in: bytes) {
            findings.add(
                .campaignCustomerID, .warning, position: position, pointer: element.pointer,
                .customerID(text))
        }
    }
}
