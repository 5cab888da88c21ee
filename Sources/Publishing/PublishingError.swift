/// Why a request of the protocol could not be carried out.
package enum PublishingError: Error, Sendable, Equatable {
    case store(StoreError)
    case ledger(PublicationLedgerError)
    case signer(SignerError)
}
