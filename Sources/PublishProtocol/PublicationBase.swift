extension Publication {
    /// Everything that was learned about what is there before anything is written.
    package struct Base: Hashable, Sendable {
        package internal(set) var served: ServedReading
        package internal(set) var history: History
        package internal(set) var ledger: LedgerView

        package init(
            served: ServedReading = .absent, history: History = History(),
            ledger: LedgerView = LedgerView()
        ) {
            self.served = served
            self.history = history
            self.ledger = ledger
        }

        package var marks: Marks { Marks(served: served, history: history, ledger: ledger) }

        /// Whether less is served than was seen before. What was read before the ledger may only
        /// look so, when another publisher was at work in between: it is read again first.
        package var isRolledBack: Bool { marks.isRolledBack(served) }

        /// The content that a number was given to, as far as it is known: by the ledger, which
        /// stands outside the store, else by the store's claim.
        package func owners(of version: Int64) -> Set<ContentDigest> {
            if let known = ledger.payloads[version], !known.isEmpty { return known }
            return history.claim(of: version).map { [$0.payload] } ?? []
        }

        /// What is served, where it is another content than its number was given to
        /// (`served.other-content`).
        package var otherContent: DocumentFacts? {
            guard let facts = served.genuineFacts else { return nil }
            let owners = owners(of: facts.version)
            return owners.isEmpty || owners.contains(facts.payload) ? nil : facts
        }

        /// Whether a device takes what is served, and nothing speaks against it.
        package var isInOrder: Bool {
            served.genuineFacts != nil && served.defect == nil && !isRolledBack
                && otherContent == nil
        }

        /// The newest content that is known to have been served, of which a new document is made.
        ///
        /// That is what is served, unless the store went back, serves nothing of ours, or another
        /// content than the number was given to: then it is what the ledger saw served.
        package var newestKnown: DocumentFacts? {
            let current = otherContent == nil ? served.genuineFacts : nil
            guard let newest = ledger.newestServed, newest.version > current?.version ?? 0 else {
                return current
            }
            return newest
        }

        /// Configs of ours that are claimed above what is served, the newest first: signed, and not
        /// published, or another store's state is served than they were made on.
        package var unpublished: [DocumentFacts] {
            let served = max(served.version ?? 0, ledger.highestServed ?? 0)
            return history.claims.filter { $0.version > served && !isBundle($0) }.reversed()
        }

        /// Whether a document is the content whose number another one is served under: publishing
        /// it is the repair.
        package func isRepair(_ document: DocumentFacts) -> Bool {
            guard let other = otherContent, other.version == document.version else { return false }
            return owners(of: document.version).contains(document.payload)
        }

        /// Whether a bundle of another content has the number: without a config URL, a number is
        /// one content's.
        package func hasOtherBundle(_ document: DocumentFacts) -> Bool {
            var known: Set<ContentDigest> = []
            if history.highestBundle == document.version {
                known.formUnion(history.highestBundlePayloads)
            }
            if ledger.highestBundle == document.version {
                known.formUnion(ledger.highestBundlePayloads)
            }
            return known.contains { $0 != document.payload }
        }

        /// Whether a document was released as a bundle, and never known as a config.
        package func isBundle(_ document: DocumentFacts) -> Bool {
            let bundles = ledger.bundles.union(history.highestBundlePayloads)
            return bundles.contains(document.payload)
                && !owners(of: document.version).contains(document.payload)
        }

        /// What an operator must see.
        ///
        /// - Parameter isServed: whether the workspace has a config URL; without one, nothing is
        ///   missing there.
        package func alarms(isServed: Bool = true) -> Set<Alarm> {
            let marks = marks
            var alarms: Set<Alarm> = []
            if let code = served.defect { alarms.insert(.servedUnusable(code: code)) }
            if isServed, marks.isRolledBack(served) {
                alarms.insert(.rolledBack(served: served.version, mark: marks.served))
            }
            if let facts = otherContent { alarms.insert(.otherContent(facts.version)) }
            if let far = marks.farServed {
                alarms.insert(.farServed(far, mark: marks.claimed))
            }
            for number in marks.farClaims {
                alarms.insert(.farClaim(number, mark: marks.claimed))
            }
            for number in history.junkClaims { alarms.insert(.junkClaim(number)) }
            for name in history.junkBundles { alarms.insert(.junkBundle(name)) }
            return alarms
        }
    }
}
