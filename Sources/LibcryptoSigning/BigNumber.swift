import CLibcrypto
import Libcrypto

/// Owner of a `BIGNUM` in the secure heap, wiped on release.
@safe struct BigNumber: ~Copyable {
    let pointer: OpaquePointer

    private init(owning pointer: OpaquePointer) {
        unsafe self.pointer = unsafe pointer
    }

    static func zero() throws(LibcryptoError) -> BigNumber {
        ERR_clear_error()
        guard let pointer = unsafe BN_secure_new()
        else { throw LibcryptoError(draining: "BN_secure_new") }
        // Asks for the code paths whose time does not depend on the value.
        unsafe BN_set_flags(pointer, BN_FLG_CONSTTIME)
        return unsafe BigNumber(owning: pointer)
    }

    /// - Parameter bytes: the highest first.
    static func secret(_ bytes: Span<UInt8>) throws(LibcryptoError) -> BigNumber {
        let number = try zero()
        let done = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe BN_bin2bn(buffer.baseAddress, Int32(buffer.count), number.pointer) != nil
        }
        guard done else { throw LibcryptoError(draining: "BN_bin2bn") }
        return number
    }

    deinit {
        unsafe BN_clear_free(pointer)
    }

    /// Fills a part of a span, the highest byte first, with zeros in front.
    func write(to span: inout MutableSpan<UInt8>, at range: Range<Int>) -> Bool {
        unsafe span.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress, range.upperBound <= buffer.count
            else { return false }
            let count = Int32(range.count)
            return unsafe BN_bn2binpad(pointer, start + range.lowerBound, count) == count
        }
    }
}
