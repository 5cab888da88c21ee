internal import Glibc

/// Whose files are believed: root, the user of this process, and those named by the operator.
package struct TrustedOwners: Sendable, Equatable {
    package let userIDs: Set<UInt32>

    package enum Failure: Error, Sendable, Equatable {
        /// An entry of the list is not a user id in decimal.
        case malformed(entry: [UInt8])
    }

    /// `list` holds user ids in decimal, separated by commas or blanks (`GRONA_TRUST_UID`).
    package init(user: UInt32, list: [UInt8] = []) throws(Failure) {
        var userIDs: Set<UInt32> = [0, user]
        let separators = [UInt8](", \t\n".utf8)
        for entry in list.split(whereSeparator: separators.contains) {
            guard let userID = TrustedOwners.decimal(entry) else {
                throw .malformed(entry: [UInt8](entry))
            }
            userIDs.insert(userID)
        }
        self.userIDs = userIDs
    }

    /// For this process and its `GRONA_TRUST_UID`.
    package static func current() throws(Failure) -> TrustedOwners {
        try TrustedOwners(user: geteuid(), list: Environment.bytes("GRONA_TRUST_UID") ?? [])
    }

    package func contains(_ userID: UInt32) -> Bool {
        userIDs.contains(userID)
    }

    /// Digits without a sign or a leading zero; the last number means "nobody" to the kernel.
    private static func decimal(_ text: ArraySlice<UInt8>) -> UInt32? {
        guard let first = text.first, text.count == 1 || first != UInt8(ascii: "0") else {
            return nil
        }
        var value: UInt32 = 0
        for byte in text {
            guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
            let (tens, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tens.addingReportingOverflow(UInt32(byte - UInt8(ascii: "0")))
            guard !overflow, !carry else { return nil }
            value = sum
        }
        return value == .max ? nil : value
    }
}
