/// A return value of a module, `CK_RV` (PKCS#11 v2.40, 5.1).
package struct TokenCode: RawRepresentable, Hashable, Sendable {
    package let rawValue: UInt

    package init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// A code that a vendor made up (`CKR_VENDOR_DEFINED`).
    package var isVendors: Bool { rawValue & 0x8000_0000 != 0 }

    /// Such as `CKR_PIN_INCORRECT (0xA0)`, or the number alone where the standard has no name.
    package var text: String {
        let number = "0x" + String(rawValue, radix: 16, uppercase: true)
        guard let known = Self.names.first(where: { $0.0 == rawValue }) else { return number }
        return "CKR_\(known.1) (\(number))"
    }

    private static let names: [(UInt, StaticString)] = [
        (0x1, "CANCEL"), (0x2, "HOST_MEMORY"), (0x3, "SLOT_ID_INVALID"), (0x5, "GENERAL_ERROR"),
        (0x6, "FUNCTION_FAILED"), (0x7, "ARGUMENTS_BAD"), (0x8, "NO_EVENT"),
        (0x9, "NEED_TO_CREATE_THREADS"), (0xA, "CANT_LOCK"), (0x10, "ATTRIBUTE_READ_ONLY"),
        (0x11, "ATTRIBUTE_SENSITIVE"), (0x12, "ATTRIBUTE_TYPE_INVALID"),
        (0x13, "ATTRIBUTE_VALUE_INVALID"), (0x1B, "ACTION_PROHIBITED"), (0x20, "DATA_INVALID"),
        (0x21, "DATA_LEN_RANGE"), (0x30, "DEVICE_ERROR"), (0x31, "DEVICE_MEMORY"),
        (0x32, "DEVICE_REMOVED"), (0x40, "ENCRYPTED_DATA_INVALID"),
        (0x41, "ENCRYPTED_DATA_LEN_RANGE"), (0x50, "FUNCTION_CANCELED"),
        (0x51, "FUNCTION_NOT_PARALLEL"), (0x54, "FUNCTION_NOT_SUPPORTED"),
        (0x60, "KEY_HANDLE_INVALID"), (0x62, "KEY_SIZE_RANGE"), (0x63, "KEY_TYPE_INCONSISTENT"),
        (0x64, "KEY_NOT_NEEDED"), (0x65, "KEY_CHANGED"), (0x66, "KEY_NEEDED"),
        (0x67, "KEY_INDIGESTIBLE"), (0x68, "KEY_FUNCTION_NOT_PERMITTED"),
        (0x69, "KEY_NOT_WRAPPABLE"), (0x6A, "KEY_UNEXTRACTABLE"), (0x70, "MECHANISM_INVALID"),
        (0x71, "MECHANISM_PARAM_INVALID"), (0x82, "OBJECT_HANDLE_INVALID"),
        (0x90, "OPERATION_ACTIVE"), (0x91, "OPERATION_NOT_INITIALIZED"), (0xA0, "PIN_INCORRECT"),
        (0xA1, "PIN_INVALID"), (0xA2, "PIN_LEN_RANGE"), (0xA3, "PIN_EXPIRED"),
        (0xA4, "PIN_LOCKED"), (0xB0, "SESSION_CLOSED"), (0xB1, "SESSION_COUNT"),
        (0xB3, "SESSION_HANDLE_INVALID"), (0xB4, "SESSION_PARALLEL_NOT_SUPPORTED"),
        (0xB5, "SESSION_READ_ONLY"), (0xB6, "SESSION_EXISTS"), (0xB7, "SESSION_READ_ONLY_EXISTS"),
        (0xB8, "SESSION_READ_WRITE_SO_EXISTS"), (0xC0, "SIGNATURE_INVALID"),
        (0xC1, "SIGNATURE_LEN_RANGE"), (0xD0, "TEMPLATE_INCOMPLETE"),
        (0xD1, "TEMPLATE_INCONSISTENT"), (0xE0, "TOKEN_NOT_PRESENT"),
        (0xE1, "TOKEN_NOT_RECOGNIZED"), (0xE2, "TOKEN_WRITE_PROTECTED"),
        (0xF1, "UNWRAPPING_KEY_SIZE_RANGE"), (0xF2, "UNWRAPPING_KEY_TYPE_INCONSISTENT"),
        (0x100, "USER_ALREADY_LOGGED_IN"), (0x101, "USER_NOT_LOGGED_IN"),
        (0x102, "USER_PIN_NOT_INITIALIZED"), (0x103, "USER_TYPE_INVALID"),
        (0x104, "USER_ANOTHER_ALREADY_LOGGED_IN"), (0x105, "USER_TOO_MANY_TYPES"),
        (0x110, "WRAPPED_KEY_INVALID"), (0x112, "WRAPPED_KEY_LEN_RANGE"),
        (0x113, "WRAPPING_KEY_HANDLE_INVALID"), (0x114, "WRAPPING_KEY_SIZE_RANGE"),
        (0x115, "WRAPPING_KEY_TYPE_INCONSISTENT"), (0x120, "RANDOM_SEED_NOT_SUPPORTED"),
        (0x121, "RANDOM_NO_RNG"), (0x130, "DOMAIN_PARAMS_INVALID"),
        (0x140, "CURVE_NOT_SUPPORTED"), (0x150, "BUFFER_TOO_SMALL"),
        (0x160, "SAVED_STATE_INVALID"), (0x170, "INFORMATION_SENSITIVE"),
        (0x180, "STATE_UNSAVEABLE"), (0x190, "CRYPTOKI_NOT_INITIALIZED"),
        (0x191, "CRYPTOKI_ALREADY_INITIALIZED"), (0x1A0, "MUTEX_BAD"),
        (0x1A1, "MUTEX_NOT_LOCKED"), (0x1B0, "NEW_PIN_MODE"), (0x1B1, "NEXT_OTP"),
        (0x1C0, "EXCEEDED_MAX_ITERATIONS"), (0x1C1, "FIPS_SELF_TEST_FAILED"),
        (0x1C2, "LIBRARY_LOAD_FAILED"), (0x1C3, "PIN_TOO_WEAK"), (0x1C4, "PUBLIC_KEY_INVALID"),
        (0x200, "FUNCTION_REJECTED"),
    ]
}
