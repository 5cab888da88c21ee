package import LinuxIO

/// A key of a token, as a URI names it (RFC 7512), read strictly.
///
/// Beyond the RFC: something must be selected, the module is named by an absolute `module-path`,
/// `type` is `private` or absent, `pin-value` is refused, `pin-source` is a file or a credential,
/// and `x-grona-init` carries what a module wants as `pReserved` of `C_Initialize`. Attributes that
/// are not known are refused: one that says which key is meant must not be passed over.
package struct PKCS11URI: Hashable, Sendable {
    /// What of a token, slot, library or object a URI can name.
    package enum Selector: String, Hashable, Sendable, CaseIterable {
        case token, manufacturer, serial, model
        case libraryManufacturer = "library-manufacturer"
        case libraryVersion = "library-version"
        case libraryDescription = "library-description"
        case object, id
        case slotDescription = "slot-description"
        case slotManufacturer = "slot-manufacturer"
        case slotID = "slot-id"

        /// The bytes of the field that it is compared with (PKCS#11 v2.40, 3); `nil` where there is
        /// no limit.
        var limit: Int? {
            switch self {
            case .token, .manufacturer, .libraryManufacturer, .libraryDescription,
                .slotManufacturer:
                32
            case .serial, .model: 16
            case .slotDescription: 64
            case .libraryVersion, .slotID, .object, .id: nil
            }
        }
    }

    /// The text after `pkcs11:`. It may name a file with a PIN; `shown` is for people.
    package let text: String
    /// Decoded values; a missing one fits anything, an empty one only an empty field.
    package let selectors: [Selector: [UInt8]]
    /// Absolute.
    package let module: FilePath
    package let pinSource: PINSource?
    /// The decoded value of `x-grona-init`, without a zero byte.
    package let initString: [UInt8]?

    /// - Parameter text: what follows `pkcs11:`.
    package init(_ text: String) throws(PKCS11URIError) {
        let parts = try PKCS11URIParts(text)
        self.text = text
        var selectors: [Selector: [UInt8]] = [:]
        for part in parts.path {
            guard let selector = Selector(rawValue: part.name) else {
                try Self.check(notSelecting: part)
                continue
            }
            selectors[selector] = try Self.value(of: part, selector)
        }
        guard !selectors.isEmpty else { throw .nothingSelected }
        self.selectors = selectors
        guard let module = parts.query["module-path"] else {
            throw parts.query["module-name"] == nil ? .noModule : .moduleName
        }
        guard parts.query["module-name"] == nil else { throw .moduleName }
        guard module.first == UInt8(ascii: "/") else { throw .relativeModule }
        self.module = FilePath(bytes: module)
        pinSource = try parts.query["pin-source"].map {
            value throws(PKCS11URIError) in try PINSource(value)
        }
        initString = parts.query["x-grona-init"]
    }

    /// What may be shown: the values of the attributes that speak of a PIN left out.
    package var shown: String { PKCS11URIParts.redacted(text) }

    /// The value of a selector as text, where it is UTF-8.
    package func selected(_ selector: Selector) -> String? {
        selectors[selector].flatMap { String(validating: $0, as: UTF8.self) }
    }

    private static func check(notSelecting part: PKCS11URIParts.Part) throws(PKCS11URIError) {
        guard part.name == "type" else { throw .unknownAttribute(part.name) }
        guard part.value.elementsEqual("private".utf8) else { throw .otherType }
    }

    private static func value(
        of part: PKCS11URIParts.Part, _ selector: Selector
    ) throws(PKCS11URIError) -> [UInt8] {
        let value = part.value
        if let limit = selector.limit, value.count > limit {
            throw .tooLong(part.name, limit: limit)
        }
        switch selector {
        case .id: break
        case .slotID:
            guard decimal(value[...], below: .max) != nil else { throw .badNumber(part.name) }
        case .libraryVersion:
            let numbers = value.split(
                separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
            guard numbers.count <= 2, numbers.allSatisfy({ decimal($0, below: 256) != nil })
            else { throw .badNumber(part.name) }
        default:
            guard String(validating: value, as: UTF8.self) != nil else { throw .notUTF8(part.name) }
        }
        return value
    }

    /// Digits without a sign; `nil` for anything else or from `limit` on.
    package static func decimal(_ digits: ArraySlice<UInt8>, below limit: UInt64) -> UInt64? {
        guard !digits.isEmpty, digits.count <= 20 else { return nil }
        var number: UInt64 = 0
        for digit in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digit) else { return nil }
            let (tens, isOver) = number.multipliedReportingOverflow(by: 10)
            let (sum, isOverToo) = tens.addingReportingOverflow(UInt64(digit & 0x0F))
            guard !isOver, !isOverToo else { return nil }
            number = sum
        }
        return number < limit ? number : nil
    }
}
