import Testing

@testable import LinuxIO

@Suite struct UserIdentityTests {
    static let passwords = [UInt8](
        """
        root:x:0:0:root:/root:/bin/bash
        broken:x:1000
        signer:x:1000:1000:The signer,,,:/home/signer:/bin/sh
        other:x:10001:1:::/bin/sh

        """.utf8)

    private func identity(_ user: UInt32) -> UserIdentity {
        UserIdentity(userID: user, groupID: 7, passwords: UserIdentityTests.passwords)
    }

    @Test func `The name and the home come from the line with the id`() {
        #expect(identity(1000).name == "signer")
        #expect(identity(1000).home == "/home/signer")
        #expect(identity(0).name == "root")
    }

    @Test func `An id without a line has no name, an empty home is none`() {
        #expect(identity(100).name == nil)
        #expect(identity(100).home == nil)
        #expect(identity(10001).name == "other")
        #expect(identity(10001).home == nil)
    }
}
