package import PublishProtocol

/// What came of a push or a release.
package struct PublishReport: Sendable {
    package let verdict: Verdict
    package let alarms: [Alarm]
    /// Why a request could not be carried out, where that is the verdict.
    package let failure: PublishingError?
    /// What was served at the start and at the end.
    package let before: JudgedDocument?
    package let after: JudgedDocument?
    /// The newest content known to have been served, against which the document was held.
    package let reference: JudgedDocument?
    /// What was published or released.
    package var document: JudgedDocument?
    package let marks: Marks
    /// Configs of ours that are claimed in the store above what was served, the newest first.
    package var unpublished: [DocumentFacts] = []
    /// What this host keeps of an earlier run that could not publish it, above what was served.
    package var kept: DocumentFacts?
    /// The same, where it may be published without a person.
    package var waiting: WaitingVersion?
    /// What an earlier run had signed and not published, and this one published first.
    package var finished: [DocumentFacts] = []
    /// The campaigns that those switched off.
    package var switchedOff: [String] = []
    /// The highest number below that of the content that was to be changed which the ledger knows.
    package var older: Int64?
    /// How the store answered the last write, where it was neither a yes nor a no.
    package var reply: StoreReply?
    /// Whether what is served bears another entity tag at each read, though it is the same.
    package var hasUnstableTag = false
    /// The end of what a signer said on standard error.
    package var signerSaid = ""
    /// The head of the signer's audit log, where it signed.
    package var auditHead: String?
    /// Why a refusal could not be put on record.
    package var unrecorded: PublishingError?
}
