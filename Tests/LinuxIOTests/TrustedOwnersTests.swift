import LinuxIO
import Testing

@Suite struct TrustedOwnersTests {
    @Test func `Root, the user and the listed ids are trusted, others are not`() throws {
        let owners = try TrustedOwners(user: 1000, list: [UInt8]("33, 34 35\n".utf8))
        #expect(owners.userIDs == [0, 1000, 33, 34, 35])
        #expect(owners.contains(34))
        #expect(!owners.contains(36))
    }

    @Test func `An empty list adds nobody`() throws {
        #expect(try TrustedOwners(user: 5).userIDs == [0, 5])
        #expect(try TrustedOwners(user: 5, list: [UInt8](" ,".utf8)).userIDs == [0, 5])
    }

    @Test func `The highest id that the kernel gives is accepted`() throws {
        let owners = try TrustedOwners(user: 5, list: [UInt8]("4294967294".utf8))
        #expect(owners.contains(4_294_967_294))
    }

    @Test(
        "What is no decimal user id is refused",
        arguments: [
            "root", "+5", "-1", "007", "0x10", "1.0", "4294967295", "4294967296",
            "99999999999999999999", "5;6",
        ])
    func malformed(entry: String) {
        #expect(throws: TrustedOwners.Failure.malformed(entry: [UInt8](entry.utf8))) {
            try TrustedOwners(user: 5, list: [UInt8]("1,\(entry)".utf8))
        }
    }
}
