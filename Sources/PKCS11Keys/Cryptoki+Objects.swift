import CPKCS11
import LinuxIO
import SigningKeys

// Objects and their attributes (PKCS#11 v2.40, 5.7 and 5.13).
extension Cryptoki {
    /// The objects that fit, at most `limit`.
    func find(
        _ template: AttributeTemplate, in session: CK_SESSION_HANDLE, limit: Int
    ) throws(TokenProblem) -> [CK_OBJECT_HANDLE] {
        let found = try find(template, in: session, atATime: 16) { $0 < limit }
        return Array(found.prefix(limit))
    }

    /// Every object that the session sees; `nil` when a time is over before all are told.
    ///
    /// - Parameter deadline: monotonic nanoseconds.
    func handles(
        in session: CK_SESSION_HANDLE, until deadline: UInt64
    ) throws(TokenProblem) -> [CK_OBJECT_HANDLE]? {
        var isLate = false
        let found = try find(AttributeTemplate(), in: session, atATime: 1_024) { _ in
            isLate = SystemClock.monotonicNanoseconds() >= deadline
            return !isLate
        }
        return isLate ? nil : found
    }

    /// A module may give fewer at a time than it was asked for, so it is asked until it has no more.
    private func find(
        _ template: AttributeTemplate, in session: CK_SESSION_HANDLE, atATime room: Int,
        asksOn: (_ found: Int) -> Bool
    ) throws(TokenProblem) -> [CK_OBJECT_HANDLE] {
        let begun = unsafe template.withAttributes { address, count in
            code(of: .findObjectsInit) {
                unsafe table.pointee.C_FindObjectsInit(session, address, count)
            }
        }
        try check(.findObjectsInit, begun)
        var found: [CK_OBJECT_HANDLE] = []
        // The search ends whatever happens in it.
        defer {
            _ = code(of: .findObjectsFinal) { unsafe table.pointee.C_FindObjectsFinal(session) }
        }
        var handles = [CK_OBJECT_HANDLE](repeating: 0, count: room)
        while asksOn(found.count) {
            var count: CK_ULONG = 0
            try call(.findObjects) {
                unsafe table.pointee.C_FindObjects(session, &handles, CK_ULONG(room), &count)
            }
            guard count > 0 else { break }
            found += handles.prefix(Int(clamping: count))
        }
        return found
    }

    /// The value of one attribute, asked by itself since one that is not known fails a whole
    /// template; `nil` where the object does not have it or does not tell it.
    func bytes(
        _ type: CK_ATTRIBUTE_TYPE, of object: CK_OBJECT_HANDLE, in session: CK_SESSION_HANDLE
    ) -> [UInt8]? {
        var attribute = unsafe CK_ATTRIBUTE(type: type, pValue: nil, ulValueLen: 0)
        let asked = code(of: .getAttributeValue) {
            unsafe table.pointee.C_GetAttributeValue(session, object, &attribute, 1)
        }
        let length = unsafe attribute.ulValueLen
        guard asked == .ok, length > 0, length <= Self.limit else { return nil }
        return value(type, of: object, in: session, count: Int(length))
    }

    /// A number, for which a module may want a buffer of exactly its size.
    func number(
        _ type: CK_ATTRIBUTE_TYPE, of object: CK_OBJECT_HANDLE, in session: CK_SESSION_HANDLE
    ) -> CK_ULONG? {
        let size = MemoryLayout<CK_ULONG>.size
        guard let value = value(type, of: object, in: session, count: size), value.count == size
        else { return nil }
        return value.enumerated().reduce(0) { $0 | CK_ULONG($1.element) << (8 * $1.offset) }
    }

    func flag(
        _ type: CK_ATTRIBUTE_TYPE, of object: CK_OBJECT_HANDLE, in session: CK_SESSION_HANDLE
    ) -> Bool? {
        guard let value = value(type, of: object, in: session, count: 1), value.count == 1
        else { return nil }
        return value[0] != 0
    }

    /// In bytes; longer values are no part of a key.
    private static let limit: CK_ULONG = 64 * 1024

    private func value(
        _ type: CK_ATTRIBUTE_TYPE, of object: CK_OBJECT_HANDLE, in session: CK_SESSION_HANDLE,
        count: Int
    ) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: count)
        return unsafe buffer.withUnsafeMutableBytes { bytes -> [UInt8]? in
            var attribute = unsafe CK_ATTRIBUTE(
                type: type, pValue: bytes.baseAddress, ulValueLen: CK_ULONG(count))
            let code = code(of: .getAttributeValue) {
                unsafe table.pointee.C_GetAttributeValue(session, object, &attribute, 1)
            }
            let length = unsafe attribute.ulValueLen
            guard code == .ok, length <= CK_ULONG(count) else { return nil }
            return unsafe Array(bytes.prefix(Int(length)))
        }
    }

    /// Makes a key pair; gives the handles of the public and the private half.
    func generateKeyPair(
        publicHalf: AttributeTemplate, privateHalf: AttributeTemplate,
        in session: CK_SESSION_HANDLE
    ) throws(TokenProblem) -> (publicHalf: CK_OBJECT_HANDLE, privateHalf: CK_OBJECT_HANDLE) {
        guard unsafe table.pointee.C_GenerateKeyPair != nil
        else { throw .missingFunction(Function.generateKeyPair.name) }
        var (first, second): (CK_OBJECT_HANDLE, CK_OBJECT_HANDLE) = (0, 0)
        var mechanism = unsafe CK_MECHANISM()
        unsafe mechanism.mechanism = CKM_EC_KEY_PAIR_GEN
        let answer = unsafe publicHalf.withAttributes { ours, ourCount -> TokenCode in
            unsafe privateHalf.withAttributes { theirs, theirCount -> TokenCode in
                code(of: .generateKeyPair) {
                    unsafe table.pointee.C_GenerateKeyPair(
                        session, &mechanism, ours, ourCount, theirs, theirCount, &first, &second)
                }
            }
        }
        try check(.generateKeyPair, answer)
        return (first, second)
    }

    /// Sets a flag to false where the token lets it.
    func clear(
        _ type: CK_ATTRIBUTE_TYPE, of object: CK_OBJECT_HANDLE, in session: CK_SESSION_HANDLE
    ) {
        guard unsafe table.pointee.C_SetAttributeValue != nil else { return }
        var template = AttributeTemplate()
        template.add(type, flag: false)
        _ = unsafe template.withAttributes { address, count in
            code(of: .setAttributeValue) {
                unsafe table.pointee.C_SetAttributeValue(session, object, address, count)
            }
        }
    }

    func destroy(_ object: CK_OBJECT_HANDLE, in session: CK_SESSION_HANDLE) {
        guard unsafe table.pointee.C_DestroyObject != nil else { return }
        _ = code(of: .destroyObject) { unsafe table.pointee.C_DestroyObject(session, object) }
    }
}
