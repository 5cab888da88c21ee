import CPKCS11
import SigningKeys

/// Attributes to look for or to make an object with (PKCS#11 v2.40, 4.1).
struct AttributeTemplate: Sendable {
    private var attributes: [(type: CK_ATTRIBUTE_TYPE, value: [UInt8])] = []

    mutating func add(_ type: CK_ATTRIBUTE_TYPE, _ value: [UInt8]) {
        attributes.append((type, value))
    }

    mutating func add(_ type: CK_ATTRIBUTE_TYPE, number: CK_ULONG) {
        add(
            type,
            (0..<MemoryLayout<CK_ULONG>.size).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
    }

    mutating func add(_ type: CK_ATTRIBUTE_TYPE, flag: Bool) {
        add(type, [flag ? 1 : 0])
    }

    /// Lends the attributes in one piece of memory, each value at a boundary of eight bytes.
    func withAttributes<Answer>(
        _ body: (UnsafeMutablePointer<CK_ATTRIBUTE>?, CK_ULONG) -> Answer
    ) -> Answer {
        var offsets: [Int] = []
        var storage: [UInt8] = []
        for attribute in attributes {
            offsets.append(storage.count)
            storage += attribute.value
            storage += [UInt8](repeating: 0, count: (8 - storage.count % 8) % 8)
        }
        return unsafe storage.withUnsafeMutableBytes { bytes in
            var list: [CK_ATTRIBUTE] = unsafe []
            for (attribute, offset) in zip(attributes, offsets) {
                unsafe list.append(
                    CK_ATTRIBUTE(
                        type: attribute.type,
                        pValue: bytes.baseAddress.map { unsafe $0 + offset },
                        ulValueLen: CK_ULONG(attribute.value.count)))
            }
            return unsafe list.withUnsafeMutableBufferPointer { list in
                unsafe body(list.baseAddress, CK_ULONG(list.count))
            }
        }
    }
}
