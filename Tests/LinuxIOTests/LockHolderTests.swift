import Testing

@testable import LinuxIO

@Suite struct LockHolderTests {
    static let table = [UInt8](
        """
        1: POSIX  ADVISORY  WRITE 11 fd:0a:99 0 EOF
        2: -> FLOCK  ADVISORY  WRITE 12 fd:0a:99 0 EOF
        3: FLOCK  ADVISORY  WRITE 0 fd:0b:99 0 EOF
        4: FLOCK  ADVISORY  WRITE 14 fd:0a:99 0 EOF
        5: FLOCK  ADVISORY  READ 15 fd:0a:100 0 EOF

        """.utf8)

    /// As `stat` gives a device's number.
    private func device(_ major: UInt64, _ minor: UInt64) -> UInt64 {
        major << 8 | minor & 0xFF | (minor & ~0xFF) << 12
    }

    @Test func `The holder has the lock on that inode of that device, and does not wait for it`() {
        let table = LockHolderTests.table
        #expect(LockHolder.process(in: table, device: device(0xFD, 0x0A), inode: 99) == 14)
        #expect(LockHolder.process(in: table, device: device(0xFD, 0x0A), inode: 100) == 15)
        #expect(LockHolder.process(in: table, device: device(0xFD, 0x0C), inode: 99) == nil)
        #expect(LockHolder.process(in: table, device: device(0xFE, 0x0A), inode: 99) == nil)
    }

    @Test func `A process of another container has no number`() {
        let table = LockHolderTests.table
        #expect(LockHolder.process(in: table, device: device(0xFD, 0x0B), inode: 99) == nil)
    }
}
