extension TokenCode {
    /// Where to look for the cause of a code that says nothing more by itself.
    package enum Cause: Hashable, Sendable {
        /// Something that this program gave, such as a length.
        case ours
        /// A key or a mechanism that is not made for this.
        case settings
        /// The module's own configuration, since it did not become ready.
        case initialising
        case device
        case vendor

        package init(_ code: TokenCode, in function: String) {
            if function == "C_Initialize" {
                self = .initialising
            } else if code.isVendors {
                self = .vendor
            } else if TokenCode.ours.contains(code), function != "C_GetSlotList" {
                self = .ours
            } else if TokenCode.ofSettings.contains(code) {
                self = .settings
            } else {
                self = .device
            }
        }
    }

    private static let ours: Set<TokenCode> = [
        .argumentsBad, .dataInvalid, .dataLengthRange, .bufferTooSmall, .operationActive,
        .operationNotInitialized,
    ]
    private static let ofSettings: Set<TokenCode> = [
        .keyFunctionNotPermitted, .keyTypeInconsistent, .keySizeRange, .mechanismInvalid,
        .mechanismParamInvalid, .actionProhibited, .templateInconsistent, .templateIncomplete,
        .attributeValueInvalid, .attributeTypeInvalid, .attributeReadOnly, .tokenWriteProtected,
        .functionNotSupported, .curveNotSupported, .domainParamsInvalid,
    ]
}
