import PublishProtocol
import Testing

/// What is read before anything is written, and what a new document is made of.
@Suite struct BaseReadingTests {
    private let old = ModelWorld.document(1, author: 9)
    private let newer = ModelWorld.document(2, author: 1)

    private func serving(_ document: DocumentFacts) -> ServedReading {
        .present(.genuine(document, defect: nil), tag: ModelWorld.tag(document))
    }

    private func ledger(served document: DocumentFacts) -> LedgerView {
        var summary = LedgerSummary()
        summary.add(.swapped(document, .published))
        return summary.view
    }

    private func read(_ events: [StoreEvent], isServed: Bool = true) -> BaseReading {
        var reading = BaseReading(isServed: isServed)
        for event in events { reading.handle(event) }
        return reading
    }

    @Test func `Served, history and ledger are read, in this order`() {
        var reading = BaseReading()
        #expect(reading.pending == .readServed)
        reading.handle(.served(serving(old)))
        #expect(reading.pending == .readHistory(downTo: 1))
        reading.handle(.history(History(claims: [old])))
        #expect(reading.pending == .readLedger)
        reading.handle(.ledger(ledger(served: old)))
        #expect(reading.isComplete)
        #expect(reading.pending == nil)
        #expect(reading.base.served == serving(old))
        #expect(reading.base.history.claims == [old])
        #expect(reading.base.ledger.highestServed == 1)
    }

    @Test func `What is behind the ledger is read again, since a publisher may have been at work`()
    {
        var reading = read([
            .served(serving(old)), .history(History()), .ledger(ledger(served: newer)),
        ])
        #expect(!reading.isComplete)
        #expect(reading.pending == .readServed)
        reading.handle(.served(serving(newer)))
        #expect(reading.isComplete)
        #expect(!reading.base.isRolledBack)
    }

    @Test func `Without a config URL nothing is behind`() {
        let reading = read(
            [.served(.absent), .history(History()), .ledger(ledger(served: newer))],
            isServed: false)
        #expect(reading.isComplete)
    }

    @Test func `An answer to something else changes nothing`() {
        let reading = read([.ledger(ledger(served: newer)), .history(History())])
        #expect(reading == BaseReading())
    }

    @Test func `A new document is made of what is served, or of what was served last`() {
        var base = Publication.Base(served: serving(newer), ledger: ledger(served: old))
        #expect(base.newestKnown == newer)
        base = Publication.Base(served: serving(old), ledger: ledger(served: newer))
        #expect(base.newestKnown == newer)
        base = Publication.Base(served: .absent, ledger: ledger(served: newer))
        #expect(base.newestKnown == newer)
        base = Publication.Base(served: .absent)
        #expect(base.newestKnown == nil)
    }

    @Test func `Another content than the number was given to is nothing to go on with`() {
        let other = ModelWorld.document(2, author: 2)
        let base = Publication.Base(served: serving(other), ledger: ledger(served: newer))
        #expect(base.otherContent == other)
        #expect(base.newestKnown == newer)
    }

    @Test func `A re-basing run on a store that went back is made of what the ledger saw served`() {
        var machine = Publication(.init(.rebasing))
        _ = machine.begin()
        for event in [
            StoreEvent.served(serving(old)), .history(History()), .ledger(ledger(served: newer)),
            .served(serving(old)),
        ] { _ = machine.handle(event) }
        if machine.phase == .observing { _ = machine.handle(.recorded(.written)) }
        #expect(machine.pending == .sign(of: newer, version: 3))
        #expect(machine.alarms == [.rolledBack(served: 1, mark: 2)])
        #expect(machine.handle(.nothingToDo) != .verdict(.unchanged(old)))
    }
}
