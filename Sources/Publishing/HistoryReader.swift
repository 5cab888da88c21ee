import DeviceModel
package import GronaFormats
package import PublishProtocol

/// Reads what a store's `versions/` and `bundles/` tell, from the highest number down.
package struct HistoryReader: Sendable {
    package let store: any PublicationStore
    package let judge: DocumentJudge

    package init(store: any PublicationStore, judge: DocumentJudge) {
        self.store = store
        self.judge = judge
    }

    /// - Parameter floor: the served version; claims are read down to a genuine one that is not
    ///   above it.
    package func history(downTo floor: Int64) throws(StoreError) -> History {
        var history = History()
        for version in try store.versions(of: judge.workspace, from: floor).reversed() {
            guard let facts = try claim(version)?.facts, facts.version == version.number else {
                history.junkClaims.append(version.number)
                continue
            }
            history.claims.insert(facts, at: 0)
            if version.number <= floor { break }
        }
        for name in try store.bundles(of: judge.workspace).reversed() {
            if let highest = history.highestBundle, name.version.number < highest { break }
            if let facts = try bundle(name)?.facts, Self.bears(facts, name) {
                history.highestBundle = facts.version
                history.highestBundlePayloads.insert(facts.payload)
            } else {
                history.junkBundles.append(name.text)
            }
        }
        return history
    }

    /// What stands under a number; nil when nothing does.
    package func claim(_ version: ConfigVersion) throws(StoreError) -> JudgedDocument? {
        let object = try store.read(.version(judge.workspace, version))
        return object.map { judge.judge($0) }
    }

    package func bundle(_ name: BundleName) throws(StoreError) -> JudgedDocument? {
        let object = try store.read(.bundle(judge.workspace, name))
        return object.map { judge.judge($0, channel: .bundle) }
    }

    /// Whether a bundle is what its name says.
    package static func bears(_ facts: DocumentFacts, _ name: BundleName) -> Bool {
        facts.version == name.version.number
            && facts.payload.prefix.utf8.elementsEqual(name.digestPrefix.utf8)
    }
}
