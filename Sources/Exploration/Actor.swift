package import PublishProtocol

/// One of the two machines, so that a search can hold both.
package enum Machine: Sendable, Hashable {
    case publication(Publication)
    case bundle(BundleRelease)

    package var pending: StoreRequest? {
        switch self {
        case .publication(let machine): machine.pending
        case .bundle(let machine): machine.pending
        }
    }

    package var verdict: Verdict? {
        switch self {
        case .publication(let machine):
            if case .ended(let verdict) = machine.phase { verdict } else { nil }
        case .bundle(let machine):
            if case .ended(let verdict) = machine.phase { verdict } else { nil }
        }
    }

    var base: Publication.Base {
        switch self {
        case .publication(let machine): machine.base
        case .bundle(let machine): machine.base
        }
    }

    var alarms: Set<Alarm> {
        switch self {
        case .publication(let machine): machine.alarms
        case .bundle(let machine): machine.alarms
        }
    }

    var document: DocumentFacts? {
        switch self {
        case .publication(let machine): machine.document
        case .bundle(let machine): machine.document
        }
    }

    var isReading: Bool {
        switch self {
        case .publication(let machine): machine.phase == .reading
        case .bundle(let machine): machine.phase == .reading
        }
    }

    var hasFailed: Bool { if case .failed? = verdict { true } else { false } }

    mutating func begin() {
        switch self {
        case .publication(var machine):
            _ = machine.begin()
            self = .publication(machine)
        case .bundle(var machine):
            _ = machine.begin()
            self = .bundle(machine)
        }
    }

    mutating func handle(_ event: StoreEvent) {
        switch self {
        case .publication(var machine):
            _ = machine.handle(event)
            self = .publication(machine)
        case .bundle(var machine):
            _ = machine.handle(event)
            self = .bundle(machine)
        }
    }
}

/// One command at work: a machine, and with what it starts again after a crash.
package struct Actor: Sendable {
    package let name: String
    let plan: Machine
    /// Reads the second region.
    let readsReplica: Bool
    var machine: Machine

    /// What the ledger had as the highest number that was served or bundled when it was read last.
    var mark: Int64 = 0

    // What a mutant's wrapper keeps beside the machine.
    /// A ledger line that was put off.
    var owed: LedgerRecord?
    /// The tag that is about to be written over.
    var checked: EntityTag?
    /// Believes that it holds the lock.
    var isLocking = false

    package init(_ name: String, _ plan: Machine, readsReplica: Bool = false) {
        self.name = name
        self.plan = plan
        self.readsReplica = readsReplica
        machine = plan
        machine.begin()
    }

    /// The process dies and the same command runs again.
    mutating func restart() {
        self = Actor(name, plan, readsReplica: readsReplica)
    }

    package static func push(
        _ document: DocumentFacts, _ name: String, expecting: Publication.Expectations = .init(),
        isDryRun: Bool = false, readsReplica: Bool = false
    ) -> Actor {
        let plan = Publication.Plan(.push(document, expecting), isDryRun: isDryRun)
        return Actor(name, .publication(Publication(plan)), readsReplica: readsReplica)
    }

    package static func refresh(
        _ name: String = "refresh", isDryRun: Bool = false, readsReplica: Bool = false
    ) -> Actor {
        let plan = Publication.Plan(.rebasing, isDryRun: isDryRun)
        return Actor(name, .publication(Publication(plan)), readsReplica: readsReplica)
    }

    package static func recover(_ document: DocumentFacts, _ name: String = "recover") -> Actor {
        Actor(
            name,
            .publication(Publication(.init(.recovering(document, known: document.version)))))
    }

    package static func bundle(
        _ name: String = "bundle", _ plan: BundleRelease.Plan = .init(), readsReplica: Bool = false
    ) -> Actor {
        Actor(name, .bundle(BundleRelease(plan)), readsReplica: readsReplica)
    }
}

/// The world with everybody in it.
struct State: Sendable {
    var world: World
    var actors: [Actor]
}
