package import GronaFormats
import JOSE
package import LinuxIO
package import StrictJSON

/// What a batch asks of the world outside.
package protocol BatchWorld {
    associatedtype Trouble: Error

    /// The desk of the workspace whose keyring has the key.
    func desk(having kid: KeyID?) throws(Trouble) -> SigningDesk
    /// Opens a key. A key that was refused is not asked for again: a wrong passphrase is not tried
    /// twice.
    func open(_ key: KeyRecord, at desk: SigningDesk) throws(Trouble) -> KeyInHand
    func now() -> UnixTime
}

/// Why one request of a batch gets no signature.
package enum BatchFault<Trouble: Error>: Error {
    case line(BatchProblem)
    case signing(SigningError)
    case world(Trouble)
}

/// The answer to one line.
package struct BatchAnswer<Trouble: Error> {
    /// None where the line has none that can be read.
    package let id: JSONElement?
    package let result: Result<BatchReply, BatchFault<Trouble>>
}

/// What a line is answered with.
package enum BatchReply: Sendable {
    case signed(SignedEnvelope)
    /// How the signer knows an envelope, and the version below which everything is stale; 0 for none.
    case standing(SourceStanding, floor: Int64)
}

/// Signs group after group; the audit lines of a group reach the disk together.
///
/// What is wrong with a workspace, such as its keyring, is answered to its own requests only.
package struct BatchSigner<World: BatchWorld> {
    package typealias Answer = BatchAnswer<World.Trouble>
    package typealias Fault = BatchFault<World.Trouble>

    /// How many requests share one wait for the disk. Each leaves one record, two where `kill` takes
    /// its source in, and the log takes 64 at once; one is kept for a keyring's first use.
    package var groupLimit: Int { kind == .renew(allowsDisable: true) ? 31 : 63 }

    /// How many workspaces and keys stay open, of any number that come by: private values have a
    /// part of memory that is not large. What was refused is remembered for good.
    package static var openLimit: Int { 256 }

    package let kind: BatchKind
    private let openLimit: Int
    private let world: World
    private var workspaces: [KeyID: Result<WorkspaceName, World.Trouble>] = [:]
    private var desks: [WorkspaceName: SigningDesk] = [:]
    private var keys: [KeyID: Result<KeyInHand, World.Trouble>] = [:]
    /// Those of the group at work whose logs were read again.
    private var current: Set<WorkspaceName> = []
    private var openKeys = 0

    package init(_ kind: BatchKind, world: World, openLimit: Int = Self.openLimit) {
        self.kind = kind
        self.openLimit = openLimit
        self.world = world
    }

    /// Answers a group of lines in their order; a blank line gets no answer.
    package mutating func answer(_ lines: [LineReader.Line]) -> [Answer] {
        let now = world.now()
        var answers: [Answer?] = []
        var waiting: [WorkspaceName: [(place: Int, id: JSONElement, draft: Draft)]] = [:]
        var order: [WorkspaceName] = []
        makeRoom()
        for line in lines {
            guard !line.isBlank else { continue }
            let request: BatchRequest
            switch Self.bytes(line).flatMap({ Self.request($0, kind) }) {
            case .failure(let error):
                answers.append(Answer(id: error.id, result: .failure(.line(error.problem))))
                continue
            case .success(let read):
                request = read
            }
            do throws(Fault) {
                if case .standing = request.act {
                    let reply = try standing(request, now)
                    answers.append(Answer(id: request.id, result: .success(reply)))
                    continue
                }
                let draft = try draft(request, now)
                if waiting[draft.workspace] == nil { order.append(draft.workspace) }
                waiting[draft.workspace, default: []].append((answers.count, request.id, draft))
                answers.append(nil)
            } catch {
                answers.append(Answer(id: request.id, result: .failure(error)))
            }
        }
        for workspace in order {
            let group = waiting[workspace] ?? []
            let results = sign(group.map(\.draft), workspace, now)
            for (entry, result) in zip(group, results) {
                answers[entry.place] = Answer(
                    id: entry.id, result: result.map { .signed($0) })
            }
        }
        return answers.compactMap { $0 }
    }

    private static func bytes(_ line: LineReader.Line) -> Result<[UInt8], BatchLineError> {
        switch line {
        case .tooLong:
            .failure(BatchLineError(nil, .tooLong(limit: Limits.Reader.envelopeLine)))
        case .text(let bytes): .success(bytes)
        }
    }

    private static func request(
        _ bytes: [UInt8], _ kind: BatchKind
    ) -> Result<BatchRequest, BatchLineError> {
        Result { () throws(BatchLineError) in try BatchRequest(bytes, kind: kind) }
    }

    /// What was open longest is not told from the rest: all of it is closed, and opened again by who
    /// comes back.
    private mutating func makeRoom() {
        current.removeAll(keepingCapacity: true)
        if desks.count >= openLimit { desks.removeAll() }
        guard openKeys >= openLimit else { return }
        keys = keys.filter { if case .failure = $0.value { true } else { false } }
        openKeys = 0
    }

    /// Another process may have signed since the last group.
    private mutating func refresh(_ desk: SigningDesk) -> SigningDesk {
        guard current.insert(desk.workspace).inserted else { return desk }
        var desk = desk
        // Where that fails, the next append meets the same fault and tells it.
        if (try? desk.memory.refreshIfGrown()) != nil { desks[desk.workspace] = desk }
        return desk
    }

    private mutating func desk(of request: BatchRequest) throws(Fault) -> SigningDesk {
        let role = request.role
        let kid = try Self.signing { () throws(SigningError) in
            try SignedSource.kid(of: request.envelope, role: role)
        }
        return try desk(having: kid)
    }

    /// Answers a question from the log; no key is touched.
    private mutating func standing(
        _ request: BatchRequest, _ now: UnixTime
    ) throws(Fault) -> BatchReply {
        let desk = try desk(of: request)
        return try Self.signing { () throws(SigningError) in
            let source = try desk.source(
                request.envelope, role: .source, expiry: .mayBeOver, now: now)
            let history = desk.memory.history
            return .standing(history.standing(of: source.digest), floor: history.floor)
        }
    }

    private mutating func draft(_ request: BatchRequest, _ now: UnixTime) throws(Fault) -> Draft {
        let desk = try desk(of: request)
        return try Self.signing { () throws(SigningError) in
            try desk.draft(request, now: now)
        }
    }

    private mutating func desk(having kid: KeyID?) throws(Fault) -> SigningDesk {
        do throws(World.Trouble) {
            if let kid, let known = workspaces[kid], let desk = desks[try known.get()] {
                return refresh(desk)
            }
            let opened = try world.desk(having: kid)
            let desk = desks[opened.workspace].map { refresh($0) } ?? opened
            current.insert(desk.workspace)
            desks[desk.workspace] = desk
            if let kid { workspaces[kid] = .success(desk.workspace) }
            return desk
        } catch {
            if let kid { workspaces[kid] = .failure(error) }
            throw .world(error)
        }
    }

    private mutating func sign(
        _ drafts: [Draft], _ workspace: WorkspaceName, _ now: UnixTime
    ) -> [Result<SignedEnvelope, Fault>] {
        do throws(Fault) {
            guard let record = drafts.first?.key, var desk = desks[workspace] else { return [] }
            let key = try key(record, at: desk)
            let results = try Self.signing { () throws(SigningError) in
                try desk.sign(drafts, with: key, now: now)
            }
            desks[workspace] = desk
            return results.map { $0.mapError { .signing($0) } }
        } catch {
            return drafts.map { _ in .failure(error) }
        }
    }

    private mutating func key(
        _ record: KeyRecord, at desk: SigningDesk
    ) throws(Fault) -> KeyInHand {
        let key: Result<KeyInHand, World.Trouble>
        if let known = keys[record.kid] {
            key = known
        } else {
            key = Result { () throws(World.Trouble) in try world.open(record, at: desk) }
            keys[record.kid] = key
            openKeys += 1
        }
        do throws(World.Trouble) {
            return try key.get()
        } catch {
            throw .world(error)
        }
    }

    private static func signing<Value>(
        _ body: () throws(SigningError) -> Value
    ) throws(Fault) -> Value {
        do throws(SigningError) {
            return try body()
        } catch {
            throw .signing(error)
        }
    }
}

extension BatchRequest {
    fileprivate var role: SourceRole {
        if case .restore = act { .old } else { .source }
    }
}

extension SigningDesk {
    fileprivate func draft(
        _ request: BatchRequest, now: UnixTime
    ) throws(SigningError) -> Draft {
        let drafting = drafting(at: now)
        switch request.act {
        case .renew(let version, let disabling):
            var renewal = RenewRequest(version: version)
            renewal.lifetime = request.lifetime
            renewal.disabling = disabling
            return try drafting.renew(
                try source(request.envelope, role: .source, expiry: .mayBeOver, now: now), renewal)
        case .restore(let version, let served):
            return try drafting.restore(
                try source(request.envelope, role: .old, expiry: .mayBeOver, now: now),
                served: try source(served, role: .served, expiry: .mayBeOver, now: now),
                version: version, lifetime: request.lifetime)
        case .bundle, .standing:
            let keepsOffers = if case .bundle(let keeps) = request.act { keeps } else { false }
            return try drafting.bundle(
                try source(request.envelope, role: .source, expiry: .mustBeAhead, now: now),
                BundleRequest(lifetime: request.lifetime, keepsOffers: keepsOffers))
        }
    }

    fileprivate func source(
        _ envelope: FlattenedJWS, role: SourceRole, expiry: SignedSource.Expiry, now: UnixTime
    ) throws(SigningError) -> SignedSource {
        try source(
            envelope, byteCount: envelope.serialized().count, role: role, expiry: expiry, now: now)
    }
}

extension LineReader.Line {
    /// Whether it is no request at all, and gets no answer: nothing but blanks.
    package var isBlank: Bool {
        switch self {
        case .tooLong: false
        case .text(let bytes): bytes.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
        }
    }
}
