/// A version of the SDK, `MAJOR.MINOR.PATCH`, each `0` or up to 9 digits without a leading zero,
/// compared as numbers.
///
/// Source of the meaning: signed-configuration: What the SDK checks, `min_sdk`.
package struct SDKVersion: Hashable, Sendable, Comparable, CustomStringConvertible {
    package static let maximumDigits = 9

    package let major: UInt32
    package let minor: UInt32
    package let patch: UInt32

    package init(major: UInt32, minor: UInt32, patch: UInt32) {
        self.major = major
        self.minor = minor
        self.patch = patch
    }

    /// Nil for any other form: `1.4`, `1.4.0-beta`, `01.4.0`, `1.4.1000000000`.
    package init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        var numbers: [UInt32] = []
        for part in parts {
            guard part.count <= Self.maximumDigits, let number = ASCII.decimal(part),
                let small = UInt32(exactly: number)
            else { return nil }
            numbers.append(small)
        }
        self.init(major: numbers[0], minor: numbers[1], patch: numbers[2])
    }

    package var description: String { "\(major).\(minor).\(patch)" }

    package static func < (left: SDKVersion, right: SDKVersion) -> Bool {
        (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
    }
}
