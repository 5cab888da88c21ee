import ES256
import Foundation
import GronaFormats
import LinuxIO
import ProjectFiles
import StrictJSON
import TestSupport
import Testing

@Suite("Keyrings on disk")
struct KeyringFilesTests {
    let folder: TemporaryFolder
    var keys: FilePath { FilePath(folder.path("keys")) }

    init() throws {
        folder = try TemporaryFolder()
    }

    static func record(
        _ key: TestKey, _ use: KeyUse, kid: String? = nil, state: KeyState = .current
    ) throws -> KeyRecord {
        KeyRecord(
            kid: try #require(KeyID(kid ?? key.kid)), use: use, signer: "file:\(key.kid).pem",
            publicKey: try #require(PublicKeyText(spki: key.publicKey.spki)),
            thumbprint: key.publicKey.thumbprint,
            born: KeyEvent(state: state, at: UnixTime(1_793_264_400)))
    }

    static func keyring(_ workspace: String, _ records: [KeyRecord]) throws -> Keyring {
        Keyring(
            id: try #require(KeyringID(randomBytes: SystemRandom.bytes(16))),
            workspace: try #require(WorkspaceName(workspace)), keys: records)
    }

    /// Writes a keyring as a person might: without asking anybody.
    func put(_ keyring: Keyring, in name: String? = nil) throws {
        try folder.write(
            "keys/\(name ?? keyring.workspace.text)/keyring.json",
            String(decoding: keyring.serialized(), as: UTF8.self))
    }

    @Test("A keyring is read with its keys as points, its digest and its trusted keys")
    func read() throws {
        let current = try TestKey("c-1")
        let next = try TestKey("c-2")
        let old = try TestKey("c-0")
        let keyring = try Self.keyring(
            "acme",
            [
                Self.record(old, .config, state: .retired), Self.record(current, .config),
                Self.record(next, .config, state: .generated),
            ])
        try put(keyring)
        let file = try KeyringFile.read(keyring.workspace, below: keys)
        #expect(file.keyring.keys.allSatisfy { file.publicKey($0.kid) != nil })
        #expect(Set(file.trusted(.config).keys.map(\.text)) == ["c-1", "c-2"])
        #expect(file.trusted(.grant).isEmpty)
        #expect(file.folder == keys.appending("acme"))
    }

    @Test("A keyring of another workspace than its folder is refused")
    func folderName() throws {
        let keyring = try Self.keyring("acme", [Self.record(TestKey("k"), .config)])
        try put(keyring, in: "other")
        #expect(throws: ProjectFileError.self) {
            try KeyringFile.read(in: keys.appending("other"))
        }
        try put(keyring)
        #expect(throws: Never.self) { try KeyringFile.read(in: keys.appending("acme")) }
    }

    @Test("A thumbprint that is not the key's, and a point off the curve, are refused")
    func badKeys() throws {
        let key = try TestKey("k")
        let other = try TestKey("other")
        var record = try Self.record(key, .config)
        record.thumbprint = other.publicKey.thumbprint
        try put(try Self.keyring("acme", [record]))
        let kid = try #require(KeyID("k"))
        #expect(
            throws: ProjectFileError.thumbprint(
                keys.appending("acme/keyring.json"), kid,
                recorded: other.publicKey.thumbprint, actual: key.publicKey.thumbprint)
        ) { try KeyringFile.read(in: keys.appending("acme")) }
        var spki = key.publicKey.spki
        spki[90] ^= 1
        record = try Self.record(key, .config)
        record.publicKey = try #require(PublicKeyText(spki: spki))
        try put(try Self.keyring("acme", [record]))
        let error = #expect(throws: ProjectFileError.self) {
            try KeyringFile.read(in: keys.appending("acme"))
        }
        guard case .publicKey = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("A bad keyring takes out only its own workspace")
    func oneBad() throws {
        let good = try Self.keyring("acme", [Self.record(TestKey("k"), .config)])
        try put(good)
        try folder.write("keys/bad/keyring.json", "{")
        try folder.write("keys/notes/README", "no keyring")
        try folder.write("keys/README.md", "text")
        try folder.write("keys/plain", "no folder")
        try folder.write("keys/.git/HEAD", "no workspace")
        let all = try KeyringFiles.read(below: keys)
        #expect(all.files.map(\.keyring.workspace.text) == ["acme"])
        #expect(all.failures.map(\.folder) == [keys.appending("bad")])
        #expect(all.missing.map(\.folder) == [keys.appending("notes")])
        #expect(throws: Never.self) { try all.usable(good.workspace, below: keys) }
        let bad = try #require(WorkspaceName("bad"))
        #expect(throws: ProjectFileError.self) { try all.usable(bad, below: keys) }
        let none = try #require(WorkspaceName("none"))
        #expect(throws: ProjectFileError.noKeyring(keys.appending("none/keyring.json"))) {
            try all.usable(none, below: keys)
        }
    }

    @Test("Over all keyrings a kid is one key, and a key has one kid and one use")
    func bindings() throws {
        let one = try TestKey("one")
        let two = try TestKey("two")
        let acme = try Self.keyring("acme", [Self.record(one, .config)])
        try put(acme)
        let cases: [(KeyRecord, BindingConflict.Kind?)] = [
            (try Self.record(two, .config), nil),
            (try Self.record(two, .config, kid: "one"), .kidForTwoKeys),
            (try Self.record(one, .config, kid: "three"), .keyUnderTwoKids),
            (try Self.record(one, .grant, kid: "one"), .keyForBothUses),
            (try Self.record(one, .grant, kid: "four"), .keyForBothUses),
            // The same binding on record twice.
            (try Self.record(one, .config), nil),
        ]
        for (record, kind) in cases {
            let beta = try Self.keyring("beta", [record])
            try put(beta)
            let all = try KeyringFiles.read(below: keys)
            #expect(all.conflicts.map(\.kind) == [kind].compactMap { $0 })
            if kind == nil {
                #expect(throws: Never.self) { try all.usable(acme.workspace, below: keys) }
            } else {
                for workspace in [acme.workspace, beta.workspace] {
                    #expect(throws: ProjectFileError.bindings(all.conflicts)) {
                        try all.usable(workspace, below: keys)
                    }
                }
            }
        }
    }

    @Test("A link in place of a keyring is refused")
    func link() throws {
        let keyring = try Self.keyring("acme", [Self.record(TestKey("k"), .config)])
        try put(keyring)
        let path = folder.path("keys/acme/keyring.json")
        try FileManager.default.moveItem(atPath: path, toPath: folder.path("keys/acme/real.json"))
        try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: "real.json")
        #expect(throws: ProjectFileError.file(.isLink(FilePath(path)))) {
            try KeyringFile.read(in: keys.appending("acme"))
        }
    }
}

@Suite("Changes of a keyring")
struct KeyringEditorTests {
    let folder: TemporaryFolder
    var keys: FilePath { FilePath(folder.path("keys")) }

    init() throws {
        folder = try TemporaryFolder()
    }

    func mode(_ name: String) throws -> Int {
        let facts = try FileManager.default.attributesOfItem(atPath: folder.path(name))
        return try #require(facts[.posixPermissions] as? Int)
    }

    @Test("The first keyring is made for its user alone, and changed from what was read")
    func write() throws {
        var keyring = try KeyringFilesTests.keyring(
            "acme", [KeyringFilesTests.record(TestKey("c"), .config)])
        let first = try KeyringEditor(keyring.workspace, below: keys)
        #expect(first.current == nil)
        let change = try first.prepare(keyring, beside: [])
        #expect(change.before == nil)
        let written = try first.write(change)
        #expect(written.digest == change.after)
        #expect(try mode("keys/acme") == 0o700)
        #expect(try mode("keys/acme/keyring.json") == 0o600)
        // The same change again finds another file than it was made from.
        #expect(
            throws: ProjectFileError.keyringMoved(
                keys.appending("acme/keyring.json"), expected: nil, found: change.after)
        ) { try first.write(change) }
        _ = consume first

        keyring.keys.append(try KeyringFilesTests.record(TestKey("g"), .grant))
        let second = try KeyringEditor(keyring.workspace, below: keys)
        #expect(second.current?.digest == change.after)
        let more = try second.prepare(keyring, beside: [])
        #expect(more.before == change.after)
        #expect(try second.write(more).keyring.keys.count == 2)
        #expect(try mode("keys/acme/keyring.json") == 0o600)
    }

    @Test("What was staged and not written is found, and written, by who comes next")
    func staged() throws {
        let keyring = try KeyringFilesTests.keyring(
            "acme", [KeyringFilesTests.record(TestKey("c"), .config)])
        let first = try KeyringEditor(keyring.workspace, below: keys)
        #expect(first.staged == nil)
        let change = try first.prepare(keyring, beside: [])
        try first.stage(change)
        _ = consume first
        #expect(try KeyringFiles.read(below: keys).files.isEmpty)
        let second = try KeyringEditor(keyring.workspace, below: keys)
        #expect(second.current == nil)
        #expect(second.staged?.digest == change.after)
        #expect(try second.finish()?.digest == change.after)
        _ = consume second
        let third = try KeyringEditor(keyring.workspace, below: keys)
        #expect(third.staged == nil)
        #expect(try third.finish()?.digest == nil)
        #expect(third.current?.digest == change.after)
        _ = consume third
        try folder.write("keys/acme/keyring.json.next", "{")
        #expect(try KeyringEditor(keyring.workspace, below: keys).staged == nil)
    }

    @Test("Two changes at a time exclude each other")
    func lock() throws {
        let acme = try #require(WorkspaceName("acme"))
        let first = try KeyringEditor(acme, below: keys)
        let error = #expect(throws: ProjectFileError.self) {
            _ = try KeyringEditor(acme, below: keys, waitingNanoseconds: 0)
        }
        guard case .file(.locked) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        _ = consume first
        #expect(throws: Never.self) {
            _ = try KeyringEditor(acme, below: keys, waitingNanoseconds: 0)
        }
    }

    @Test("A file that somebody changed in between is not overwritten")
    func moved() throws {
        let keyring = try KeyringFilesTests.keyring(
            "acme", [KeyringFilesTests.record(TestKey("c"), .config)])
        let editor = try KeyringEditor(keyring.workspace, below: keys)
        _ = try editor.write(editor.prepare(keyring, beside: []))
        _ = consume editor
        let second = try KeyringEditor(keyring.workspace, below: keys)
        let change = try second.prepare(keyring, beside: [])
        let other = String(decoding: keyring.serialized(), as: UTF8.self) + "\n"
        try folder.write("keys/acme/keyring.json", other)
        let error = #expect(throws: ProjectFileError.self) { try second.write(change) }
        guard case .keyringMoved = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(String(decoding: try folder.read("keys/acme/keyring.json"), as: UTF8.self) == other)
    }

    @Test("A change that would bind a key twice is refused before it is recorded")
    func bindings() throws {
        let key = try TestKey("k")
        let acme = try KeyringFilesTests.keyring("acme", [KeyringFilesTests.record(key, .config)])
        let editor = try KeyringEditor(acme.workspace, below: keys)
        let others = [try editor.write(editor.prepare(acme, beside: []))]
        let beta = try KeyringFilesTests.keyring(
            "beta", [KeyringFilesTests.record(key, .grant, kid: "g")])
        let second = try KeyringEditor(beta.workspace, below: keys)
        #expect(throws: ProjectFileError.self) { _ = try second.prepare(beta, beside: others) }
        #expect(throws: Never.self) { _ = try second.prepare(beta, beside: []) }
    }

    @Test("A key twice in one keyring is told by its kids")
    func twice() throws {
        let key = try TestKey("one")
        let one = try KeyringFilesTests.record(key, .config)
        let acme = try KeyringFilesTests.keyring(
            "acme", [one, KeyringFilesTests.record(key, .config, kid: "two")])
        let editor = try KeyringEditor(acme.workspace, below: keys)
        let error = #expect(throws: ProjectFileError.self) {
            _ = try editor.prepare(acme, beside: [])
        }
        guard case .bindings(let conflicts) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(conflicts.map(\.kind) == [.keyUnderTwoKids])
        #expect(conflicts.map(\.second.kid.text) == ["two"])
    }

    @Test("A folder that was made for nothing goes, one with anything in it stays")
    func abandoned() throws {
        let acme = try KeyringFilesTests.keyring(
            "acme", [KeyringFilesTests.record(TestKey("c"), .config)])
        let path = keys.appending("acme")
        let first = try KeyringEditor(acme.workspace, below: keys)
        first.abandon()
        #expect(try FileSystem.statusIfPresent(of: path) == nil)
        _ = consume first
        let second = try KeyringEditor(acme.workspace, below: keys)
        try folder.write("keys/acme/c.pem", "a key")
        second.abandon()
        #expect(try FileSystem.statusIfPresent(of: path) != nil)
        _ = try second.write(second.prepare(acme, beside: []))
        _ = consume second
        try KeyringEditor(acme.workspace, below: keys).abandon()
        #expect(try KeyringFiles.read(below: keys).missing.isEmpty)
    }
}

@Suite("Pins and state on disk")
struct PinsAndStateTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("Pins are read with their points; another workspace's are refused")
    func pins() throws {
        let key = try TestKey("c")
        let acme = try #require(WorkspaceName("acme"))
        let pin = Pin(
            kid: try #require(KeyID("c")),
            publicKey: try #require(PublicKeyText(spki: key.publicKey.spki)))
        let pins = PinsFile(id: nil, workspace: acme, config: [pin], grant: [])
        try folder.write("pins.json", String(decoding: pins.serialized(), as: UTF8.self))
        let path = FilePath(folder.path("pins.json"))
        let read = try PinsOnDisk.read(path, for: acme)
        #expect(read.trusted(.config)[pin.kid] == key.publicKey)
        #expect(read.trusted(.grant).isEmpty)
        let beta = try #require(WorkspaceName("beta"))
        let error = #expect(throws: ProjectFileError.self) { try PinsOnDisk.read(path, for: beta) }
        guard case .malformed(_, let format) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(format.code == .pinsWorkspace)
    }

    @Test("State lies below the keyring's id, and apart in a rehearsal")
    func state() throws {
        let id = try #require(KeyringID(String(repeating: "a", count: 32)))
        let state = StateFolder("/var/lib/grona")
        let name = String(repeating: "a", count: 32)
        #expect(state.keyring(id).auditLog.description == "/var/lib/grona/\(name)/audit.ndjson")
        #expect(state.keyring(id).issuance.description == "/var/lib/grona/\(name)/issuance")
        let rehearsal = StateFolder("/var/lib/grona", isRehearsal: true)
        #expect(rehearsal.keyring(id).folder.description == "/var/lib/grona/rehearsal/\(name)")
        // printf %s file:/srv/grona | sha256sum | cut -c1-16
        #expect(
            state.store("file:/srv/grona").ledger.description
                == "/var/lib/grona/stores/966330948deecffc/ledger.ndjson")
    }
}
