import GronaFormats
import Transitions

/// The campaigns that were switched off and have not been switched on since, whether or not they
/// are still served: a campaign that left the folder stays in it, so that older content does not
/// bring it back switched on.
package struct SwitchMemory: Sendable {
    /// Ids as bytes.
    package private(set) var off: Set<[UInt8]> = []
    /// What each version switched on again, for the case that it is given up.
    private var switchedOn: [ConfigVersion: Set<[UInt8]>] = [:]

    /// A signature. Lines of older logs name only what a person asked for.
    mutating func apply(_ record: SignatureRecord, version: ConfigVersion) {
        guard record.role.setsFloor else { return }
        add(record.switches.off)
        var on = record.switches.on
        switch record.role {
        case .step(.kill): add(record.changes.disabled)
        case .step(.revive):
            add(record.changes.disabled)
            on += record.changes.enabled
        case .step, .preview: break
        }
        let gone = off.intersection(on.map { Array($0.utf8) })
        guard !gone.isEmpty else { return }
        off.subtract(gone)
        switchedOn[version, default: []].formUnion(gone)
    }

    mutating func add(_ ids: [String]) { off.formUnion(ids.map { Array($0.utf8) }) }

    /// A version that was never published has switched nothing on.
    mutating func withdraw(_ version: ConfigVersion) {
        off.formUnion(switchedOn.removeValue(forKey: version) ?? [])
    }
}
