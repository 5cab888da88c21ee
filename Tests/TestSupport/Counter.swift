import Synchronization

/// Counts from several threads.
package final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    package init() {}

    package func add() {
        count.wrappingAdd(1, ordering: .relaxed)
    }

    package var value: Int { count.load(ordering: .relaxed) }
}
