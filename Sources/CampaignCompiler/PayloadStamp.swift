package import GronaFormats

/// What a payload says of its own making: the rest comes from the campaign folder.
package struct PayloadStamp: Sendable, Equatable {
    package let version: ConfigVersion
    package let issuedAt: UnixTime
    package let expiresAt: UnixTime

    package init(version: ConfigVersion, issuedAt: UnixTime, expiresAt: UnixTime) {
        self.version = version
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }

    /// A stamp that no other outgrows in writing.
    static let widest = PayloadStamp(
        version: .last, issuedAt: .latest, expiresAt: .latest)
}
