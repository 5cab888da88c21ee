import DeviceModel
package import GronaFormats
package import PublishProtocol
import StrictJSON

/// What is served for a workspace, by one read of the store, and what the ledger says to it.
///
/// It holds no document, so that a look at ten thousand workspaces takes little memory.
package struct ServedLook: Sendable, Equatable {
    package let workspace: WorkspaceName
    package let condition: Condition
    package let version: Int64?
    package let kid: KeyID?
    /// The key of our keyring that signed it and that devices do not trust any more.
    package let untrusted: UntrustedKey?
    package let issuedAt: UnixTime?
    package let expiresAt: UnixTime?
    /// How often devices ask, in seconds, as the config says.
    package let fetchPause: Int64?
    package let payload: ContentDigest?
    /// Whether it shows offers that need a grant to everybody.
    package let isDemo: Bool
    /// The code of what a device refuses it by.
    package let code: String?
    /// Whether the ledger knows nothing of it, and there is a past: a version above the first is
    /// served, or nothing is and claims are there.
    package let isLedgerEmpty: Bool
    /// Whether the ledger knows the workspace, and has never heard of the number.
    package let isUnrecorded: Bool

    package enum Condition: String, Sendable, Hashable, CaseIterable {
        case fine = "ok"
        /// Ours, and over.
        case expired
        /// Nothing is served, and something was.
        case missing
        /// Neither ledger nor store has ever seen it.
        case new
        /// It does not parse, or no key that is trusted signed it.
        case untrusted
        /// Ours, and no device takes it.
        case refused
        case rolledBack = "rolled-back"
        case otherContent = "other-content"

        /// Whether the store shows something that it should never show.
        package var isBad: Bool {
            switch self {
            case .fine, .expired, .new: false
            case .missing, .untrusted, .refused, .rolledBack, .otherContent: true
            }
        }

        /// Whether what is served may be gone by.
        package var isOurs: Bool { self == .fine || self == .expired }
    }

    init(
        _ workspace: WorkspaceName, _ reading: ServedReading, _ document: JudgedDocument?,
        _ ledger: LedgerView, hasClaims: Bool = false
    ) {
        let base = Publication.Base(served: reading, ledger: ledger)
        self.workspace = workspace
        let payload = document?.payload
        isDemo = payload?.settings?["demo"]?.boolean == true
        version = document?.facts?.version
        kid = document?.kid
        untrusted = document?.untrusted
        issuedAt = payload?.issuedAt
        expiresAt = payload?.expiresAt
        fetchPause = payload?.ttlSeconds
        self.payload = document?.facts?.payload
        code = reading.defect
        condition = Self.condition(base, document, hasClaims: hasClaims)
        isLedgerEmpty = ledger == LedgerView() && (hasClaims || document?.facts?.version ?? 0 > 1)
        let isKnown = ledger.newestServed != nil
        isUnrecorded = isKnown && version.map { base.owners(of: $0).isEmpty } ?? false
    }

    private static func condition(
        _ base: Publication.Base, _ document: JudgedDocument?, hasClaims: Bool
    ) -> Condition {
        guard let document else {
            let isKnown = base.marks.served > 0 || base.ledger.highestClaim != nil || hasClaims
            return isKnown ? .missing : .new
        }
        guard document.facts != nil else { return .untrusted }
        if base.isRolledBack { return .rolledBack }
        if base.otherContent != nil { return .otherContent }
        switch document.outcome.code {
        case nil: return .fine
        case .payloadExpired?: return .expired
        case .some: return .refused
        }
    }
}

extension Publisher {
    /// Looks at what is served. The ledger should be a snapshot that was taken before.
    ///
    /// - Parameters:
    ///   - tags: what the last run remembers; then what is still served is not sent again.
    ///   - asksClaims: whether claims are looked for where neither config nor ledger knows of any: a
    ///     lost ledger must not make a workspace that went dark look like a new one.
    package func look(
        _ tags: ServedTags? = nil, asksClaims: Bool = false
    ) throws(PublishingError) -> ServedLook {
        let view: LedgerView
        do { view = try ledger.view(of: judge.workspace) } catch { throw .ledger(error) }
        let (reading, document) = try served(view, tags)
        if let tags {
            let envelope = document?.facts?.envelope
            let isNewest = envelope != nil && envelope == view.newestServed?.envelope
            tags.remember(
                isNewest ? reading.tag : nil, of: judge.workspace,
                serving: isNewest ? envelope : nil)
        }
        var hasClaims = false
        if asksClaims, document == nil, view == LedgerView() {
            do throws(StoreError) {
                hasClaims = try !store.versions(of: judge.workspace, from: 0).isEmpty
            } catch {
                throw .store(error)
            }
        }
        return ServedLook(judge.workspace, reading, document, view, hasClaims: hasClaims)
    }

    /// What is served; where the store says that it is what it was, that is the newest envelope
    /// beside the ledger.
    private func served(
        _ view: LedgerView, _ tags: ServedTags?
    ) throws(PublishingError) -> (ServedReading, JudgedDocument?) {
        var kept: KeptEnvelope?
        var tag: EntityTag?
        if let tags, let newest = view.newestServed?.envelope {
            tag = tags.tag(of: judge.workspace, serving: newest)
            if tag != nil {
                do { kept = try ledger.newestServed(of: judge.workspace) } catch {
                    throw .ledger(error)
                }
            }
        }
        do throws(StoreError) {
            guard let tag, let bytes = kept?.bytes else { return try served() }
            switch try store.read(.config(judge.workspace), unless: tag) {
            case .unchanged:
                let document = judge.judge(bytes)
                return (.present(document.found, tag: tag), document)
            case .found(nil): return (.absent, nil)
            case .found(let object?):
                let document = judge.judge(object)
                return (.present(document.found, tag: object.tag), document)
            }
        } catch {
            throw .store(error)
        }
    }
}
