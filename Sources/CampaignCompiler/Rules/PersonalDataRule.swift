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
                    look(at: member.nameElement, &findings)
                    open.append(member.value)
                }
            case .array:
                open.append(contentsOf: element.elements)
            case .string:
                look(at: element, &findings)
            case .number, .boolean, .null:
                break
            }
            isOutermost = false
        }
    }

    /// - Parameter element: A string or a member's name, whose pointer is the member's.
    private static func look(at element: JSONElement, _ findings: inout Findings) {
        let bytes = element.utf8 ?? []
        if EmailPattern.occurs(in: bytes) {
            findings.add(.campaignEmail, at: element, .email(text(bytes)))
        }
        if PhonePattern.occurs(in: bytes) {
            findings.add(.campaignPhone, .warning, at: element, .phone(text(bytes)))
        }
        if CustomerIDPattern.occurs(in: bytes) {
            findings.add(.campaignCustomerID, .warning, at: element, .customerID(text(bytes)))
        }
    }

    private static func text(_ bytes: [UInt8]) -> String {
        String(decoding: bytes, as: UTF8.self)
    }
}
