import CLibcrypto
import Libcrypto

/// Arithmetic on the curve P-256.
enum P256Group {
    /// The point that belongs to a private value, uncompressed, 65 bytes.
    static func multiplyBase(by number: borrowing BigNumber) throws(LibcryptoError) -> [UInt8] {
        ERR_clear_error()
        guard let group = unsafe EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)
        else { throw LibcryptoError(draining: "EC_GROUP_new_by_curve_name") }
        defer { unsafe EC_GROUP_free(group) }
        guard let point = unsafe EC_POINT_new(group)
        else { throw LibcryptoError(draining: "EC_POINT_new") }
        defer { unsafe EC_POINT_free(point) }
        guard let scratch = unsafe BN_CTX_secure_new()
        else { throw LibcryptoError(draining: "BN_CTX_secure_new") }
        defer { unsafe BN_CTX_free(scratch) }

        guard unsafe EC_POINT_mul(group, point, number.pointer, nil, nil, scratch) == 1
        else { throw LibcryptoError(draining: "EC_POINT_mul") }
        var bytes = [UInt8](repeating: 0, count: 65)
        let count = unsafe EC_POINT_point2oct(
            group, point, POINT_CONVERSION_UNCOMPRESSED, &bytes, bytes.count, scratch)
        guard count == bytes.count else { throw LibcryptoError(draining: "EC_POINT_point2oct") }
        return bytes
    }
}
