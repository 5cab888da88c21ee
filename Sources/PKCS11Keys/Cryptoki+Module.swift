import CPKCS11
import SigningKeys

// Initialisation, slots and tokens (PKCS#11 v2.40, 5.4 and 5.5).
extension Cryptoki {
    /// - Parameters:
    ///   - reserved: the text that the module wants as `pReserved`.
    ///   - locks: whether the module may lock by the system's means; without, only one thread ever
    ///     calls it, which is the case here.
    func initialize(reserved: [UInt8]?, locks: Bool) -> TokenCode {
        guard var text = reserved else {
            var arguments = unsafe CK_C_INITIALIZE_ARGS()
            unsafe arguments.flags = locks ? CKF_OS_LOCKING_OK : 0
            return code(of: .initialize) { unsafe table.pointee.C_Initialize(&arguments) }
        }
        text.append(0)
        return unsafe text.withUnsafeMutableBytes { bytes in
            var arguments = unsafe CK_C_INITIALIZE_ARGS()
            unsafe arguments.flags = locks ? CKF_OS_LOCKING_OK : 0
            // The standard says pointer to void; NSS reads a text there.
            unsafe Self.setReserved(&arguments, bytes.baseAddress)
            return code(of: .initialize) { unsafe table.pointee.C_Initialize(&arguments) }
        }
    }

    /// Some modules take nothing else.
    func initializeWithoutArguments() -> TokenCode {
        code(of: .initialize) { unsafe table.pointee.C_Initialize(nil) }
    }

    private static func setReserved(
        _ arguments: inout CK_C_INITIALIZE_ARGS, _ address: UnsafeMutableRawPointer?
    ) {
        unsafe arguments.pReserved = unsafe address
    }

    func finalize() -> TokenCode {
        code(of: .finalize) { unsafe table.pointee.C_Finalize(nil) }
    }

    func libraryInfo() throws(TokenProblem) -> CK_INFO {
        guard unsafe table.pointee.C_GetInfo != nil
        else { throw .missingFunction(Function.getInfo.name) }
        var info = CK_INFO()
        try call(.getInfo) { unsafe table.pointee.C_GetInfo(&info) }
        return info
    }

    /// The slots with a token; asked twice as the standard has it, and again where one came between.
    func slots() throws(TokenProblem) -> [CK_SLOT_ID] {
        for _ in 0..<8 {
            var count: CK_ULONG = 0
            try call(.getSlotList) {
                unsafe table.pointee.C_GetSlotList(CK_BBOOL(CK_TRUE), nil, &count)
            }
            var slots = [CK_SLOT_ID](repeating: 0, count: Int(clamping: min(count, 4_096)))
            count = CK_ULONG(slots.count)
            guard count > 0 else { return [] }
            let code = code(of: .getSlotList) {
                unsafe table.pointee.C_GetSlotList(CK_BBOOL(CK_TRUE), &slots, &count)
            }
            if code == .bufferTooSmall { continue }
            guard code == .ok else { throw .call(function: Function.getSlotList.name, code) }
            return Array(slots.prefix(Int(clamping: count)))
        }
        throw .call(function: Function.getSlotList.name, .bufferTooSmall)
    }

    func slotInfo(_ slot: CK_SLOT_ID) throws(TokenProblem) -> CK_SLOT_INFO {
        var info = CK_SLOT_INFO()
        try call(.getSlotInfo) { unsafe table.pointee.C_GetSlotInfo(slot, &info) }
        return info
    }

    func tokenInfo(_ slot: CK_SLOT_ID) throws(TokenProblem) -> CK_TOKEN_INFO {
        var info = CK_TOKEN_INFO()
        try call(.getTokenInfo) { unsafe table.pointee.C_GetTokenInfo(slot, &info) }
        return info
    }

    func mechanismInfo(
        _ slot: CK_SLOT_ID, _ mechanism: CK_MECHANISM_TYPE
    ) throws(TokenProblem) -> CK_MECHANISM_INFO {
        var info = CK_MECHANISM_INFO()
        try call(.getMechanismInfo) {
            unsafe table.pointee.C_GetMechanismInfo(slot, mechanism, &info)
        }
        return info
    }
}
