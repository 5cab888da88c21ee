package import GronaFormats
internal import Libcrypto
package import LinuxIO

/// Where a program keeps what it remembers; nothing is made by asking for a path.
package struct StateFolder: Sendable, Hashable {
    package let root: FilePath

    /// What is kept about one keyring, so that staging and production of one workspace never meet.
    package struct OfKeyring: Sendable, Hashable {
        package let folder: FilePath

        /// The record of every signature and of every change of the keyring.
        package var auditLog: FilePath { folder.appending("audit.ndjson") }

        /// One file for each process that gives out grants.
        package var issuance: FilePath { folder.appending("issuance") }
    }

    /// What is kept about one store.
    package struct OfStore: Sendable, Hashable {
        package let folder: FilePath

        package var ledger: FilePath { folder.appending("ledger.ndjson") }

        /// What is locked by the one publisher of a store that does not compare and swap.
        package var lock: FilePath { folder.appending("publisher.lock") }

        /// Every envelope seen served, by digest.
        package var envelopes: FilePath { folder.appending("envelopes") }
    }

    /// - Parameter isRehearsal: Whether records are kept apart from those that count.
    package init(_ root: FilePath, isRehearsal: Bool = false) {
        self.root = isRehearsal ? root.appending("rehearsal") : root
    }

    package func keyring(_ id: KeyringID) -> OfKeyring {
        OfKeyring(folder: root.appending(id.text))
    }

    /// - Parameter url: The store as the user names it, in its one written form.
    package func store(_ url: String) -> OfStore {
        let name = SHA256.digest(Array(url.utf8)).hex.prefix(16)
        return OfStore(folder: root.appending("stores").appending(String(name)))
    }

    /// Makes a folder below the root for this user alone.
    package static func create(_ folder: FilePath) throws(ProjectFileError) {
        do {
            try FileSystem.createFolders(folder, permissions: 0o700)
        } catch {
            throw .file(.system(error))
        }
    }
}
