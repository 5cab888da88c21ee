/// Why a request of the protocol could not be carried out.
package enum PublishingError: Error, Sendable, Equatable {
    case store(StoreError)
    case ledger(PublicationLedgerError)
    case signer(SignerError)
    /// The content of a version that was served before can be had nowhere.
    case sourceMissing(Int64)
}
