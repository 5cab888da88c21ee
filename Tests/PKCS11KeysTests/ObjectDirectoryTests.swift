import CPKCS11
import Testing

@testable import PKCS11Keys

@Suite("The names of a token's objects, read while it is searched")
struct ObjectDirectoryTests {
    /// A token on which everything takes as long as is said.
    private final class SlowToken {
        var entries: [ObjectDirectory.Entry]
        var now: UInt64 = 1_000
        var (lists, reads) = (0, 0)
        let (listing, reading): (UInt64, UInt64)

        init(_ entries: [ObjectDirectory.Entry], listing: UInt64 = 10, reading: UInt64 = 1) {
            self.entries = entries
            self.listing = listing
            self.reading = reading
        }

        func search(_ directory: inout ObjectDirectory, taking time: UInt64, login: Int = 1) {
            directory.searched(
                time, login: login, clock: { self.now },
                list: { deadline in
                    self.lists += 1
                    self.now += self.listing
                    return self.now < deadline ? self.entries.map(\.handle) : nil
                },
                read: { handle in
                    self.reads += 1
                    self.now += self.reading
                    return self.entries.first { $0.handle == handle && $0.kind != CKO_DATA }
                })
        }
    }

    private static func entry(
        _ handle: CK_OBJECT_HANDLE, _ kind: CK_OBJECT_CLASS, _ label: String, _ id: String
    ) -> ObjectDirectory.Entry {
        ObjectDirectory.Entry(
            kind: kind, label: Array(label.utf8), id: Array(id.utf8), handle: handle)
    }

    private static let entries = [
        entry(11, CKO_PRIVATE_KEY, "a", "1"), entry(12, CKO_PUBLIC_KEY, "a", "1"),
        entry(21, CKO_PRIVATE_KEY, "b", "2"), entry(22, CKO_PUBLIC_KEY, "b", "2"),
        entry(31, CKO_PRIVATE_KEY, "a", "3"), entry(41, CKO_DATA, "c", "4"),
    ]

    private func wanted(
        _ kind: CK_OBJECT_CLASS, _ label: String? = nil, _ id: String? = nil
    ) -> SearchedObject {
        SearchedObject(kind, label: label.map { Array($0.utf8) }, id: id.map { Array($0.utf8) })
    }

    /// One that has read all of a token, and what it cost.
    private func complete(_ token: SlowToken, login: Int = 1) -> ObjectDirectory {
        var directory = ObjectDirectory()
        for _ in 0..<ObjectDirectory.firstSearches + 20 {
            token.search(&directory, taking: 5, login: login)
        }
        return directory
    }

    @Test("A command's few searches read nothing; the one after them lists")
    func firstSearches() {
        let token = SlowToken(Self.entries)
        var directory = ObjectDirectory()
        for _ in 1..<ObjectDirectory.firstSearches { token.search(&directory, taking: 100) }
        #expect(token.lists == 0)
        token.search(&directory, taking: 100)
        #expect(token.lists == 1)
        #expect(token.reads == 0)
    }

    @Test("After a search names are read for as long as it took, and each once")
    func reading() {
        let token = SlowToken(Self.entries, reading: 2)
        var directory = ObjectDirectory()
        for _ in 0..<ObjectDirectory.firstSearches { token.search(&directory, taking: 100) }
        token.search(&directory, taking: 4)
        #expect(token.reads == 2)
        #expect(directory.find(wanted(CKO_PRIVATE_KEY, "b"), login: 1) == nil)
        token.search(&directory, taking: 8)
        #expect(token.reads == 6)
        token.search(&directory, taking: 100)
        #expect(token.reads == 6)
        #expect(token.lists == 1)
        #expect(directory.find(wanted(CKO_PRIVATE_KEY, "b"), login: 1) == [21])
    }

    @Test("A search that took long keeps nobody for longer than a second")
    func patience() {
        let second: UInt64 = 1_000_000_000
        let token = SlowToken(Self.entries, reading: second / 2)
        var directory = ObjectDirectory()
        for _ in 0...ObjectDirectory.firstSearches { token.search(&directory, taking: 60 * second) }
        #expect(token.reads == 2)
    }

    @Test("Objects are found by kind and label, identifier or both; what is not known is asked for")
    func finding() {
        let directory = complete(SlowToken(Self.entries))
        func found(_ kind: CK_OBJECT_CLASS, _ label: String?, _ id: String?)
            -> Set<CK_OBJECT_HANDLE>?
        {
            directory.find(wanted(kind, label, id), login: 1).map(Set.init)
        }
        #expect(found(CKO_PRIVATE_KEY, "b", nil) == [21])
        #expect(found(CKO_PUBLIC_KEY, nil, "2") == [22])
        #expect(found(CKO_PRIVATE_KEY, "a", nil) == [11, 31])
        #expect(found(CKO_PRIVATE_KEY, "a", "3") == [31])
        #expect(found(CKO_PRIVATE_KEY, "b", "3") == nil)
        #expect(found(CKO_CERTIFICATE, nil, "2") == nil)
        #expect(found(CKO_PRIVATE_KEY, "d", nil) == nil)
        #expect(found(CKO_DATA, "c", nil) == nil)
        #expect(found(CKO_PRIVATE_KEY, nil, nil) == nil)
    }

    @Test("Handles of another log-in count for nothing, and all is read again")
    func otherLogin() {
        let token = SlowToken(Self.entries)
        var directory = complete(token)
        #expect(directory.find(wanted(CKO_PRIVATE_KEY, "b"), login: 2) == nil)
        token.entries = [Self.entry(99, CKO_PRIVATE_KEY, "b", "2")]
        for _ in 0..<2 { token.search(&directory, taking: 5, login: 2) }
        #expect(token.lists == 2)
        #expect(directory.find(wanted(CKO_PRIVATE_KEY, "b"), login: 2) == [99])
    }

    @Test("A token that takes too long for its list is searched for ever")
    func givenUp() {
        let token = SlowToken(Self.entries, listing: 40)
        let directory = complete(token)
        #expect(token.lists == 1)
        #expect(token.reads == 0)
        #expect(directory.find(wanted(CKO_PRIVATE_KEY, "b"), login: 1) == nil)
        #expect(
            complete(SlowToken(Self.entries, listing: 39))
                .find(wanted(CKO_PRIVATE_KEY, "b"), login: 1) == [21])
    }
}
