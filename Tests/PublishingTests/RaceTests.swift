import GronaFormats
import PublishProtocol
import Publishing
import Synchronization
import Testing

/// One publisher is stopped before each of its requests while another runs through. They share the
/// store and nothing else: each has a ledger of its own, so that no lock of theirs helps.
@Suite struct RaceTests {
    enum Rival: CaseIterable {
        case sameNumber, sameDocument, higherNumber, bundle
    }

    @Test(arguments: Rival.allCases)
    func `The store's condition alone holds the invariants`(_ rival: Rival) throws {
        var step = 0
        while true {
            let shop = try Shop()
            let observer = try Observer(shop)
            _ = try shop.publisher("first").push(try shop.envelope(1))
            #expect(try observer.look() == 1)
            let ours = try shop.envelope(2, content: 1)
            let report = Mutex<PublishReport?>(nil)
            let count = Atomic(0)
            let last = step
            var stopped = try shop.publisher("ours")
            stopped.beforeEach = { _ in
                guard count.wrappingAdd(1, ordering: .relaxed).oldValue == last else { return }
                let made = try? Self.run(rival, shop, ours)
                report.withLock { $0 = made }
            }
            let mine = try stopped.push(ours)
            guard let theirs = report.withLock({ $0 }) else { break }
            try observer.look("\(rival) at step \(step)")
            check(rival, mine.verdict, theirs.verdict, step)
            // The same command again settles it: done, or refused by its number.
            let again = try shop.publisher("ours").push(ours)
            switch again.verdict {
            case .unchanged, .published: break
            case .refused(let refusals):
                #expect(refusals.first?.code == "version.not-above", "\(rival), step \(step)")
            default: Issue.record("\(rival), step \(step): \(again.verdict)")
            }
            try observer.look("\(rival) again after step \(step)")
            step += 1
        }
        #expect(step >= 9)
    }

    private static func run(
        _ rival: Rival, _ shop: Shop, _ ours: [UInt8]
    ) throws -> PublishReport {
        let other = try shop.publisher("theirs")
        return switch rival {
        case .sameNumber: try other.push(try shop.envelope(2, content: 2))
        case .sameDocument: try other.push(ours)
        case .higherNumber: try other.push(try shop.envelope(3, content: 2))
        case .bundle:
            other.release(
                try shop.envelope(
                    shop.payload(1, hasOffer: false, lifetime: 86_400)))
        }
    }

    private func check(_ rival: Rival, _ mine: Verdict, _ theirs: Verdict, _ step: Int) {
        let comment: Comment = "\(rival), step \(step): \(mine), \(theirs)"
        let isMine = if case .published = mine { true } else { false }
        let isTheirs = if case .published = theirs { true } else { false }
        switch rival {
        case .sameNumber:
            #expect(isMine != isTheirs, comment)
        case .sameDocument:
            if case .unchanged = theirs {
                #expect(isMine, comment)
            } else if case .unchanged = mine {
                #expect(isTheirs, comment)
            } else {
                #expect(isMine && isTheirs, comment)
            }
        case .higherNumber:
            #expect(isTheirs || isMine, comment)
        case .bundle:
            #expect(isMine, comment)
            if case .released = theirs {
            } else if case .refused = theirs {
            } else {
                Issue.record(comment)
            }
        }
    }

    @Test func `Plain races between threads hold the invariants`()
        async throws
    {
        let shop = try Shop()
        let observer = try Observer(shop)
        _ = try shop.publisher().push(try shop.envelope(1))
        var version: Int64 = 1
        for round in 0..<20 {
            let next = version + 1
            let published = try await withThrowingTaskGroup(of: Bool.self) { group in
                for content in 0..<4 {
                    group.addTask {
                        let ledger = round % 2 == 0 ? "ledger" : "ledger-\(content)"
                        let report = try shop.publisher(ledger).push(
                            try shop.envelope(
                                next + Int64(content % 2), content: Int64(round * 10 + content)))
                        if case .published = report.verdict { return true }
                        return false
                    }
                }
                var count = 0
                for try await isPublished in group where isPublished { count += 1 }
                return count
            }
            version = try observer.look("round \(round)")
            #expect(published >= 1 && published <= 2, "round \(round)")
        }
        #expect(version > 20)
    }
}
