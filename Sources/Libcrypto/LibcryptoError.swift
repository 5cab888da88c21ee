import CLibcrypto

/// A call into libcrypto that failed, with what its error queue held.
///
/// Only OpenSSL's own fixed words are kept. The free text that some errors bear may quote the
/// input, and the input may be a key.
package struct LibcryptoError: Error, Sendable, Hashable {
    package struct Entry: Sendable, Hashable {
        /// OpenSSL's packed error code, as `openssl errstr` takes it in hexadecimal.
        package let code: UInt
        /// What failed, in OpenSSL's words; `nil` where it has none for the code.
        package let reason: String?

        package init(code: UInt, reason: String?) {
            self.code = code
            self.reason = reason
        }
    }

    /// The C function that failed.
    package let function: String
    /// Oldest first.
    package let entries: [Entry]

    package init(function: String, entries: [Entry]) {
        self.function = function
        self.entries = entries
    }

    /// Takes everything out of this thread's error queue.
    package init(draining function: String) {
        var entries: [Entry] = []
        while case let code = ERR_get_error(), code != 0 {
            let reason = unsafe ERR_reason_error_string(code)
            entries.append(
                Entry(code: code, reason: unsafe reason.map { unsafe String(cString: $0) }))
        }
        self.init(function: function, entries: entries)
    }

    /// Makes a call that answers 1 for success, on an empty error queue.
    package static func check(
        _ function: String, _ call: () -> Int32
    ) throws(LibcryptoError) {
        ERR_clear_error()
        guard call() == 1 else { throw LibcryptoError(draining: function) }
    }
}
