import GronaFormats
import StrictJSON

/// What a signer says of an envelope, where it was asked whether it stands by it.
package struct SignerStanding: Sendable, Equatable {
    /// Whether it gave the envelope up, and makes nothing of it any more.
    package let isGivenUp: Bool
    /// The version below which it takes nothing, 0 where nothing is; nil where it does not say.
    package let floor: Int64?

    package init(isGivenUp: Bool, floor: Int64?) {
        self.isGivenUp = isGivenUp
        self.floor = floor
    }

    /// Nil for an answer to something else.
    init?(_ answer: JSONElement) {
        guard answer["error"] == nil, let standing = answer["standing"]?.string else { return nil }
        isGivenUp = standing.utf8.elementsEqual("withdrawn".utf8)
        floor = answer["signed_version"]?.integer
    }
}
