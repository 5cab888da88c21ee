import LinuxIO
import TestSupport
import Testing

@Suite(.enabled(if: Program.isRoot, "giving files to other users needs root"))
struct TrustedOwnershipTests {
    let folder: TestFolder
    let owners: TrustedOwners

    init() throws {
        folder = try TestFolder()
        owners = try TrustedOwners(user: 0, list: [UInt8]("4711".utf8))
    }

    private func violation(
        _ name: String
    ) throws -> (component: FilePath, reason: TrustedOwnership.Reason)? {
        try TrustedOwnership.check(folder.file(name), trusting: owners).violation
            .map { ($0.component, $0.reason) }
    }

    @Test func `A file of root in folders of root below the sticky folder is trusted`() throws {
        try folder.folder("keys")
        try folder.write("keys/keyring.json")
        #expect(try violation("keys/keyring.json") == nil)
    }

    @Test func `A file of a listed user is trusted, one of another user is not`() throws {
        try folder.write("file")
        try folder.own("file", by: 4711)
        #expect(try violation("file") == nil)
        try folder.own("file", by: 4712)
        let found = try violation("file")
        #expect(found?.component == folder.file("file"))
        #expect(found?.reason == .foreignOwner)
    }

    @Test(
        "Write access for the group or for others is named, other access is not",
        arguments: [(0o644, nil), (0o755, nil), (0o664, true), (0o646, true)]
            as [(UInt32, Bool?)])
    func modes(permissions: UInt32, writable: Bool?) throws {
        try folder.write("file", permissions: permissions)
        #expect(try violation("file")?.reason == (writable == nil ? nil : .writableByOthers))
    }

    @Test func `A folder above that others may write is named, however good the file is`() throws {
        try folder.folder("above", permissions: 0o777)
        try folder.folder("above/keys")
        try folder.write("above/keys/keyring.json")
        let found = try violation("above/keys/keyring.json")
        #expect(found?.component == folder.file("above"))
        #expect(found?.reason == .writableByOthers)
    }

    @Test func `With the sticky bit the same folder may be written when what follows is trusted`()
        throws
    {
        try folder.folder("above", permissions: 0o1777)
        try folder.folder("above/keys")
        #expect(try violation("above/keys") == nil)
        try folder.own("above/keys", by: 4712)
        #expect(try violation("above/keys")?.reason == .foreignOwner)
    }

    @Test func `The sticky bit does not help what is checked itself, nor a foreign folder`() throws
    {
        try folder.folder("state", permissions: 0o1777)
        #expect(try violation("state")?.reason == .writableByOthers)
        try folder.folder("state/mine")
        try folder.own("state", by: 4712)
        #expect(try violation("state/mine")?.component == folder.file("state"))
    }

    @Test func `The path is looked at where its links lead`() throws {
        try folder.folder("open", permissions: 0o777)
        try folder.folder("real")
        try folder.write("real/file")
        try folder.link("open/link", to: folder.file("real").description)
        let found = try TrustedOwnership.check(
            folder.file("open/link/file"), trusting: owners)
        #expect(found.resolved == folder.file("real/file"))
        #expect(found.violation == nil)
    }

    @Test func `Of a path that does not exist yet what is there is checked`() throws {
        let good = try TrustedOwnership.checkExistingPart(
            of: folder.file("state/a/b"), trusting: owners)
        #expect(good.violation == nil)
        #expect(good.resolved == folder.path)
        let sticky = try TrustedOwnership.checkExistingPart(
            of: "/tmp/grona-does-not-exist/state", trusting: owners)
        #expect(sticky.violation == nil)
        try folder.folder("open", permissions: 0o777)
        let bad = try TrustedOwnership.checkExistingPart(
            of: folder.file("open/state"), trusting: owners)
        #expect(bad.violation?.component == folder.file("open"))
    }

    @Test func `A user who is not root trusts root and himself but not others`() throws {
        let helper = try Program.helper()
        try folder.write("roots")
        try folder.write("own")
        try folder.own("own", by: Program.nobody)
        try folder.write("others")
        try folder.own("others", by: 4711)
        func answer(_ name: String, _ environment: [String: String] = [:]) throws -> String {
            let path = folder.file(name).description
            return try Program.run(
                [helper, "owner", path],
                environment: environment.merging(["PATH": "/usr/bin:/bin:/usr/sbin:/sbin"]) { $1 },
                asUser: Program.nobody
            ).output
        }
        #expect(try answer("roots") == "trusted\n")
        #expect(try answer("own") == "trusted\n")
        #expect(try answer("others") == "\(folder.file("others")) foreignOwner\n")
        #expect(try answer("others", ["GRONA_TRUST_UID": "4711"]) == "trusted\n")
    }
}
