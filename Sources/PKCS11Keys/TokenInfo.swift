import CPKCS11
import SigningKeys

/// What a slot's token tells about itself (PKCS#11 v2.40, 3.2).
struct TokenInfo {
    let slot: CK_SLOT_ID
    let slotInfo: CK_SLOT_INFO
    let info: CK_TOKEN_INFO

    var name: TokenName {
        TokenName(
            label: FixedText.text(of: info.label),
            manufacturer: FixedText.text(of: info.manufacturerID),
            model: FixedText.text(of: info.model), serial: FixedText.text(of: info.serialNumber))
    }

    func has(_ flag: UInt) -> Bool { info.flags & flag != 0 }

    /// Whether the URI's selectors for slots and tokens fit.
    func fits(_ uri: PKCS11URI) -> Bool {
        uri.selectors.allSatisfy { selector, value in
            switch selector {
            case .token: FixedText.bytes(of: info.label) == value
            case .manufacturer: FixedText.bytes(of: info.manufacturerID) == value
            case .serial: FixedText.bytes(of: info.serialNumber) == value
            case .model: FixedText.bytes(of: info.model) == value
            case .slotDescription: FixedText.bytes(of: slotInfo.slotDescription) == value
            case .slotManufacturer: FixedText.bytes(of: slotInfo.manufacturerID) == value
            case .slotID: PKCS11URI.decimal(value[...], below: .max) == UInt64(slot)
            case .libraryManufacturer, .libraryVersion, .libraryDescription, .object, .id: true
            }
        }
    }
}

/// What a library tells about itself (`CK_INFO`).
struct LibraryInfo {
    let info: CK_INFO

    static let selectors: [PKCS11URI.Selector] = [
        .libraryManufacturer, .libraryVersion, .libraryDescription,
    ]

    func fits(_ uri: PKCS11URI) -> Bool {
        uri.selectors.allSatisfy { selector, value in
            switch selector {
            case .libraryManufacturer: FixedText.bytes(of: info.manufacturerID) == value
            case .libraryDescription: FixedText.bytes(of: info.libraryDescription) == value
            case .libraryVersion:
                version(value) == [info.libraryVersion.major, info.libraryVersion.minor]
            default: true
            }
        }
    }

    /// `3.4` or `3`, which is 3.0 (RFC 7512, 2.3).
    private func version(_ text: [UInt8]) -> [UInt8] {
        let numbers = text.split(separator: UInt8(ascii: ".")).map {
            UInt8(PKCS11URI.decimal($0, below: 256) ?? 0)
        }
        return numbers.count == 1 ? numbers + [0] : numbers
    }
}

/// Fields of a fixed size, padded with blanks; some vendors pad with zero bytes.
enum FixedText {
    static func bytes<Field>(of field: Field) -> [UInt8] {
        var bytes = unsafe withUnsafeBytes(of: field) { unsafe Array($0) }
        while let last = bytes.last, last == 0x20 || last == 0 { bytes.removeLast() }
        return bytes
    }

    static func text<Field>(of field: Field) -> String {
        String(decoding: bytes(of: field), as: UTF8.self)
    }
}
