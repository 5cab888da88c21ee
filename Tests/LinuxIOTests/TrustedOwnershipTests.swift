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

    @Test(
        "Links are followed to where they lead, which has to be trusted",
        arguments: ["closed/absolute/file", "closed/relative/file", "closed/to-file", "chain"])
    func links(name: String) throws {
        try folder.folder("closed")
        try folder.folder("real")
        try folder.write("real/file")
        try folder.link("closed/absolute", to: folder.file("real").description)
        try folder.link("closed/relative", to: ".././real/")
        try folder.link("closed/to-file", to: "absolute/../real/file")
        try folder.link("chain", to: "closed/to-file")
        let found = try TrustedOwnership.check(folder.file(name), trusting: owners)
        #expect(found.resolved == folder.file("real/file"))
        let resolved = try FileSystem.resolve(folder.file(name))
        #expect(found.resolved == resolved)
        #expect(found.violation == nil)
        try folder.own("real", by: 4712)
        #expect(try violation(name)?.component == folder.file("real"))
    }

    @Test func `A folder of links that others may write is named, however good their ends are`()
        throws
    {
        try folder.folder("open", permissions: 0o777)
        try folder.write("file")
        try folder.link("open/link", to: folder.file("file").description)
        try folder.link("link", to: "open/link")
        for name in ["open/link", "link"] {
            let found = try TrustedOwnership.check(folder.file(name), trusting: owners)
            #expect(found.violation?.component == folder.file("open"))
            #expect(found.violation?.reason == .writableByOthers)
            #expect(found.resolved == folder.file("file"))
        }
    }

    @Test func `In a folder with the sticky bit the owner of a link counts, elsewhere not`() throws
    {
        try folder.write("file")
        for (name, permissions) in [("sticky", 0o1777), ("closed", 0o755)] as [(String, UInt32)] {
            try folder.folder(name, permissions: permissions)
            let link = try folder.link("\(name)/link", to: "../file")
            #expect(try violation("\(name)/link") == nil)
            #expect(try Program.run(["chown", "-h", "4712", link.description]).isSuccess)
        }
        let found = try violation("sticky/link")
        #expect(found?.component == folder.file("sticky/link"))
        #expect(found?.reason == .foreignOwner)
        #expect(try violation("closed/link") == nil)
    }

    @Test func `A way up ends at what it names, which is judged as the end`() throws {
        try folder.folder("sticky/inner")
        #expect(try violation("sticky/inner/..") == nil)
        try folder.link("up", to: "sticky/inner/..")
        #expect(
            try Program.run(["chmod", "1777", folder.file("sticky").description]).isSuccess)
        #expect(try violation("sticky/inner") == nil)
        for name in ["sticky/inner/..", "up", "sticky/."] {
            let found = try TrustedOwnership.check(folder.file(name), trusting: owners)
            #expect(found.resolved == folder.file("sticky"), "\(name)")
            #expect(found.violation?.component == folder.file("sticky"), "\(name)")
        }
        let root = try TrustedOwnership.check("/../tmp/../..", trusting: owners)
        #expect(root.resolved == "/" && root.violation == nil)
    }

    @Test func `Links in a ring, a file as a folder and what is missing are errors`() throws {
        try folder.link("ring", to: "gnir")
        try folder.link("gnir", to: "ring")
        try folder.link("lost", to: "nowhere")
        try folder.write("file")
        for (name, number) in [
            ("ring", ErrorNumber.tooManyLinks), ("lost", .notFound), ("file/x", .notAFolder),
            ("absent", .notFound),
        ] {
            let error = #expect(throws: SystemError.self) { try violation(name) }
            #expect(error?.number == number, "\(name)")
        }
        #expect(throws: SystemError.self) { try TrustedOwnership.check("", trusting: owners) }
    }

    @Test func `A relative path starts in the folder of the process`() throws {
        let here = try FileSystem.currentFolder()
        #expect(try TrustedOwnership.check(".", trusting: owners).resolved == here)
        #expect(try TrustedOwnership.check("..", trusting: owners).resolved == here.parent)
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
