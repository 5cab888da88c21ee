import Foundation
import SecretMemory
import TestSupport
import Testing

@Suite struct SecretBytesTests {
    @Test("new bytes are zero, and hold what is written")
    func contents() throws {
        var secret = try SecretBytes(count: 5)
        let count = secret.count
        #expect(count == 5)
        #expect(secret.copied() == [0, 0, 0, 0, 0])
        secret.withMutableSpan { span in
            for index in span.indices { span[index] = UInt8(index + 1) }
        }
        #expect(secret.copied() == [1, 2, 3, 4, 5])
        let isEmpty = secret.isEmpty
        #expect(!isEmpty)
    }

    @Test("no bytes at all are a secret too")
    func empty() throws {
        let secret = try SecretBytes(count: 0)
        let (isEmpty, isEqual) = (secret.isEmpty, secret.isEqual(to: try SecretBytes(count: 0)))
        #expect(isEmpty)
        #expect(secret.copied().isEmpty)
        #expect(isEqual)
    }

    @Test("counts below zero and beyond all memory are refused", arguments: [-1, Int.min, Int.max])
    func badCounts(count: Int) {
        #expect(throws: SecretMemoryError.outOfMemory(count: count)) {
            _ = try SecretBytes(count: count)
        }
    }

    @Test("shrinking wipes what it gives up, and never grows")
    func shrink() throws {
        var secret = try SecretBytes.of([1, 2, 3, 4])
        secret.shrink(to: 4)
        #expect(secret.copied() == [1, 2, 3, 4])
        var address: UnsafeRawPointer?
        secret.withSpan { span in
            unsafe span.withUnsafeBytes { unsafe address = $0.baseAddress }
        }
        secret.shrink(to: 2)
        #expect(secret.copied() == [1, 2])
        let start = try unsafe #require(address)
        let behind = unsafe [
            start.load(fromByteOffset: 2, as: UInt8.self),
            start.load(fromByteOffset: 3, as: UInt8.self),
        ]
        #expect(behind == [0, 0])
        secret.shrink(to: 3)
        secret.shrink(to: -1)
        let count = secret.count
        #expect(count == 2)
        secret.shrink(to: 0)
        let isEmpty = secret.isEmpty
        #expect(isEmpty)
    }

    @Test(
        "equality is that of all bytes and of their number",
        arguments: [
            ([1, 2, 3], [1, 2, 3], true), ([1, 2, 3], [1, 2, 4], false),
            ([1, 2, 3], [0, 2, 3], false), ([1, 2, 3], [1, 2], false), ([], [], true),
            ([0], [], false),
        ] as [([UInt8], [UInt8], Bool)])
    func equality(left: [UInt8], right: [UInt8], isEqual: Bool) throws {
        let secret = try SecretBytes.of(left)
        let asSecret = secret.isEqual(to: try SecretBytes.of(right))
        let asSpan = secret.isEqual(to: right.span)
        #expect(asSecret == isEqual)
        #expect(asSpan == isEqual)
    }

    @Test("the kernel keeps the pages in memory and out of core dumps")
    func locked() throws {
        let secret = try SecretBytes.of([UInt8](repeating: 7, count: 100))
        try secret.withSpan { span in
            let address = unsafe span.withUnsafeBytes { UInt(bitPattern: $0.baseAddress) }
            let flags = try #require(try Self.flags(ofPageAt: address))
            // Locked, or told once that it is not.
            #expect(flags.contains("lo") == (SecretMemory.takeWarning() == nil))
            #expect(SecretMemory.takeWarning() == nil)
            #expect(flags.contains("dd"), "not dumped")
            #expect(flags.contains("rd") && flags.contains("wr"))
            // Nothing can be read behind the last byte, nor before the page.
            let page: UInt = 4096
            let after = try #require(try Self.flags(ofPageAt: address + 100))
            #expect(!after.contains("rd"))
            let before = try #require(try Self.flags(ofPageAt: address / page * page - 1))
            #expect(!before.contains("rd"))
        }
    }

    /// The kernel's flags of the mapping around an address (proc(5), `smaps`).
    private static func flags(ofPageAt address: UInt) throws -> Set<String>? {
        // A file of the kernel's has no size and comes in pieces.
        let file = try #require(FileHandle(forReadingAtPath: "/proc/self/smaps"))
        var data = Data()
        while let piece = try file.read(upToCount: 1 << 16), !piece.isEmpty { data += piece }
        let text = String(decoding: data, as: UTF8.self)
        var isInside = false
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            if let bounds = words.first?.split(separator: "-"), bounds.count == 2,
                let start = UInt(bounds[0], radix: 16), let end = UInt(bounds[1], radix: 16)
            {
                isInside = (start..<end).contains(address)
            } else if isInside, words.first == "VmFlags:" {
                return Set(words.dropFirst().map { String($0) })
            }
        }
        return nil
    }
}
