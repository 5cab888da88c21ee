internal import Glibc

/// A secret in ordinary memory that is wiped when its last owner lets go of it.
///
/// For what a program must hand to a library that keeps copies of its own, such as a password for a
/// server: it never becomes text, and shows itself as dots.
@safe
package final class WipedBytes: @unchecked Sendable, CustomStringConvertible,
    CustomReflectable
{
    // Written in `init` and by `deinit` alone, hence Sendable.
    private let address: UnsafeMutablePointer<CChar>
    package let count: Int

    /// Copies the bytes, which the caller wipes.
    package init(copying bytes: Span<UInt8>) {
        count = bytes.count
        unsafe address = .allocate(capacity: bytes.count + 1)
        unsafe address.initialize(repeating: 0, count: bytes.count + 1)
        for index in bytes.indices { unsafe address[index] = CChar(bitPattern: bytes[index]) }
    }

    deinit {
        unsafe explicit_bzero(address, count + 1)
        unsafe address.deallocate()
    }

    package var description: String { "…" }
    package var customMirror: Mirror { Mirror(self, children: []) }

    /// The bytes and a zero behind them, for the time of a call.
    package func withCString<Answer>(_ body: (UnsafePointer<CChar>) -> Answer) -> Answer {
        unsafe body(UnsafePointer(address))
    }

    /// A copy, which the caller wipes.
    package func bytes() -> [UInt8] {
        (0..<count).map { unsafe UInt8(bitPattern: address[$0]) }
    }

    package func allSatisfy(_ predicate: (UInt8) -> Bool) -> Bool {
        (0..<count).allSatisfy { predicate(unsafe UInt8(bitPattern: address[$0])) }
    }
}

extension SecretFile {
    /// The contents of a checked file without one LF or CRLF at its end.
    ///
    /// - Parameter limit: in bytes.
    package borrowing func contents(limit: Int) throws(SecretFileError) -> WipedBytes {
        guard size <= limit else { throw .tooLarge(path, limit: limit) }
        var buffer = [UInt8](repeating: 0, count: size)
        defer { for index in buffer.indices { buffer[index] = 0 } }
        var span = buffer.mutableSpan
        var count = try read(into: &span)
        if count > 0, span[count - 1] == 0x0A {
            count -= 1
            if count > 0, span[count - 1] == 0x0D { count -= 1 }
        }
        return WipedBytes(copying: span.span.extracting(..<count))
    }
}

extension WipedBytes {
    /// A copy with a text before it.
    package func prefixed(_ text: String) -> WipedBytes {
        var bytes = Array(text.utf8)
        let start = bytes.count
        bytes += [UInt8](repeating: 0, count: count)
        unsafe withCString { source in
            for index in 0..<count {
                bytes[start + index] = unsafe UInt8(bitPattern: source[index])
            }
        }
        defer { for index in bytes.indices { bytes[index] = 0 } }
        return WipedBytes(copying: bytes.span)
    }
}
