package import GronaFormats

/// Why a request of the protocol could not be carried out.
package enum PublishingError: Error, Sendable, Equatable {
    case store(StoreError)
    case ledger(PublicationLedgerError)
    case signer(SignerError)
    /// The content of a version that was served before can be had nowhere.
    case sourceMissing(Int64)
    /// The content of the version has no such campaign.
    case unknownCampaign(String, in: ConfigVersion, campaigns: [String])
    /// A warning that is an error here; its code.
    case stopped(code: String)

    /// Whether a signer refused a source by a compromised key, since it did not sign it itself.
    package var isOfCompromisedKey: Bool {
        guard case .signer(let error) = self, case .refused = error else { return false }
        return error.code.utf8.elementsEqual("transition.compromised-key".utf8)
    }
}
