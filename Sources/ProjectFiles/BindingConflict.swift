package import GronaFormats
package import LinuxIO

/// Two keys on record that cannot both be right: a kid is bound for ever to one key.
package struct BindingConflict: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// One kid for two keys.
        case kidForTwoKeys
        /// One key under two kids.
        case keyUnderTwoKids
        /// One key as config and as grant key (signed-configuration: Pinned keys).
        case keyForBothUses
    }

    /// A key of a keyring.
    package struct Place: Sendable, Hashable {
        package let file: FilePath
        package let workspace: WorkspaceName
        package let kid: KeyID
    }

    package let kind: Kind
    package let first: Place
    package let second: Place

    /// Whether a keyring is one of the two.
    package func concerns(_ workspace: WorkspaceName) -> Bool {
        first.workspace == workspace || second.workspace == workspace
    }

    /// All conflicts between and within keyrings.
    ///
    /// One kid for one key in two keyrings is none: the key is bound once.
    package static func all(in files: [KeyringFile]) -> [BindingConflict] {
        var byKid: [KeyID: (key: [UInt8], place: Place)] = [:]
        var byKey: [[UInt8]: (use: KeyUse, place: Place)] = [:]
        var conflicts: [BindingConflict] = []
        for file in files {
            for record in file.keyring.keys {
                let place = Place(
                    file: file.path, workspace: file.keyring.workspace, kid: record.kid)
                let key = record.publicKey.spki
                if let other = byKid[record.kid], other.key != key {
                    conflicts.append(
                        BindingConflict(kind: .kidForTwoKeys, first: other.place, second: place))
                }
                if let other = byKey[key] {
                    if other.use != record.use {
                        conflicts.append(
                            BindingConflict(
                                kind: .keyForBothUses, first: other.place, second: place))
                    } else if other.place.kid != record.kid {
                        conflicts.append(
                            BindingConflict(
                                kind: .keyUnderTwoKids, first: other.place, second: place))
                    }
                }
                if byKid[record.kid] == nil { byKid[record.kid] = (key, place) }
                if byKey[key] == nil { byKey[key] = (record.use, place) }
            }
        }
        return conflicts
    }
}
