import CLibcrypto
import Libcrypto

extension KeyHandle {
    /// The key of a private value and its point, in the secure heap.
    static func p256(
        privateValue: borrowing BigNumber, publicPoint: [UInt8]
    ) throws(LibcryptoError) -> KeyHandle {
        ERR_clear_error()
        guard let builder = unsafe OSSL_PARAM_BLD_new()
        else { throw LibcryptoError(draining: "OSSL_PARAM_BLD_new") }
        defer { unsafe OSSL_PARAM_BLD_free(builder) }
        guard
            unsafe grona_push_p256(builder) == 1,
            unsafe grona_push_public_point(builder, publicPoint, publicPoint.count) == 1,
            unsafe grona_push_private_value(builder, privateValue.pointer) == 1,
            // What was pushed from the secure heap is copied within it.
            let parameters = unsafe OSSL_PARAM_BLD_to_param(builder)
        else { throw LibcryptoError(draining: "OSSL_PARAM_BLD_to_param") }
        defer { unsafe OSSL_PARAM_free(parameters) }

        guard let context = unsafe EVP_PKEY_CTX_new_from_name(nil, "EC", nil)
        else { throw LibcryptoError(draining: "EVP_PKEY_CTX_new_from_name") }
        defer { unsafe EVP_PKEY_CTX_free(context) }
        var made: OpaquePointer?
        guard unsafe EVP_PKEY_fromdata_init(context) == 1,
            unsafe EVP_PKEY_fromdata(context, &made, grona_key_pair_selection(), parameters) == 1,
            let made = unsafe made
        else { throw LibcryptoError(draining: "EVP_PKEY_fromdata") }
        return unsafe KeyHandle(owning: made)
    }

    /// The private value, in the secure heap.
    func privateValue() throws(LibcryptoError) -> BigNumber {
        let number = try BigNumber.zero()
        var parameters: UnsafeMutablePointer<OSSL_PARAM>?
        guard unsafe EVP_PKEY_todata(pointer, grona_key_pair_selection(), &parameters) == 1
        else { throw LibcryptoError(draining: "EVP_PKEY_todata") }
        defer { unsafe OSSL_PARAM_free(parameters) }
        var target: OpaquePointer? = unsafe number.pointer
        guard let found = unsafe OSSL_PARAM_locate_const(parameters, OSSL_PKEY_PARAM_PRIV_KEY),
            unsafe OSSL_PARAM_get_BN(found, &target) == 1
        else { throw LibcryptoError(draining: "OSSL_PARAM_get_BN") }
        return number
    }
}
