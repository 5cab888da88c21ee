import CLinux

/// The kernel's random source.
package enum SystemRandom {
    /// `count` random bytes (`getrandom`, which waits until the pool has been filled once).
    package static func bytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = unsafe bytes.withUnsafeMutableBytes { all in
                let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: all[filled...])
                return unsafe grona_getrandom(rest.baseAddress, rest.count)
            }
            if got > 0 {
                filled += got
            } else if ErrorNumber.last != .interrupted {
                // A kernel without the call: the standard library knows the device file.
                var generator = SystemRandomNumberGenerator()
                bytes[filled] = generator.next()
                filled += 1
            }
        }
        return bytes
    }

    /// `count` random bytes as lower-case hexadecimal digits, two a byte.
    package static func hexadecimal(_ count: Int) -> [UInt8] {
        let digits = [UInt8]("0123456789abcdef".utf8)
        return bytes(count).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    }
}
