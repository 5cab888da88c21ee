import GronaFormats
import GronaPublishCommand
import PublishProtocol
import StrictJSON
import Testing

/// The one picture behind terminal, page, JSON and metrics.
@Suite struct StatusPictureTests {
    private let now = StatusSamples.now

    @Test(
        "A life's phases change at the exact second",
        arguments: [
            // 1,000 s: due at 500, a quarter at 750, over at 1,000.
            (-499, 501, ConfigLife.Phase.fresh), (-500, 500, .due), (-750, 250, .due),
            (-751, 249, .expiring), (-999, 1, .expiring), (-1_000, 0, .expired),
            (-1_001, -1, .expired), (1, 1_001, .fresh),
        ] as [(Int64, Int64, ConfigLife.Phase)])
    func phases(_ from: Int64, _ to: Int64, _ phase: ConfigLife.Phase) {
        #expect(StatusSamples.life(from: from, to: to).phase(at: now) == phase)
    }

    @Test(
        "A renewal point below a quarter, and one above the lifetime",
        arguments: [
            (100, 750, ConfigLife.Phase.fresh), (100, 751, .expiring), (2_000, 0, .due),
            (2_000, 751, .expiring), (0, 750, .fresh),
        ] as [(Int64, Int64, ConfigLife.Phase)])
    func renewalPoints(_ renewal: Int64, _ age: Int64, _ phase: ConfigLife.Phase) {
        let life = StatusSamples.life(from: -age, to: 1_000 - age, renewal: renewal)
        #expect(life.phase(at: now) == phase)
        #expect(life.issuedAt <= life.dueAt && life.dueAt <= life.expiresAt)
        #expect(life.parts.first?.from == life.issuedAt)
        #expect(life.parts.last?.to == life.expiresAt)
        for (left, right) in zip(life.parts, life.parts.dropFirst()) {
            #expect(left.to == right.from)
        }
    }

    @Test func `A life that ends before it begins, and one that is longer than time`() {
        #expect(StatusSamples.life(from: 10, to: -10).phase(at: now) == .expired)
        let endless = ConfigLife(
            issuedAt: UnixTime(.min), expiresAt: UnixTime(.max), renewalPoint: DurationSeconds(.max)
        )
        #expect(endless.phase(at: now) != .expired)
        #expect(endless.parts.allSatisfy { $0.from < $0.to })
    }

    @Test(
        "What each state asks for",
        arguments: [
            (ServedState.expired, StatusNeed.dark), (.missing, .dark), (.untrusted, .corrupt),
            (.refused, .corrupt), (.unreadable, .corrupt), (.rolledBack, .rolledBack),
            (.otherContent, .rolledBack), (.expiring, .expiring), (.fine, .fine),
            (.bundleOnly, .fine),
        ])
    func needs(_ state: ServedState, _ need: StatusNeed) throws {
        let workspace = try StatusSamples.workspace("acme-market", state)
        #expect(workspace.need(at: now) == need)
        #expect((need.group == .needsAHand) == (need < .due))
    }

    @Test func `An alarm needs a hand where devices are well, and is before due`() throws {
        var workspace = try StatusSamples.workspace("acme-market", from: -16, to: 14)
        #expect(workspace.need(at: now) == .due)
        workspace.alarms = ["claim.untrusted"]
        #expect(workspace.need(at: now) == .alarm)
        workspace.delivery = .bundleOnly
        workspace.state = .bundleOnly
        workspace.alarms = []
        #expect(workspace.need(at: now) == .fine)
    }

    @Test(
        "Due by life to the second, and by a key that is not current any more",
        arguments: [
            (-15, nil, WorkspacePicture.DueReason.life), (-14, nil, nil),
            (-14, KeyState.retiring, .key), (-14, .current, nil), (-15, .retiring, .life),
        ] as [(Int64, KeyState?, WorkspacePicture.DueReason?)])
    func due(_ from: Int64, _ state: KeyState?, _ reason: WorkspacePicture.DueReason?) throws {
        var workspace = try StatusSamples.workspace("acme-market", from: from, to: from + 30)
        workspace.keys = [
            StatusKey("acme-2026-10", .grant, .retired), StatusKey("acme-2026-10", .config, state),
        ]
        #expect(workspace.due(at: now) == reason)
        #expect(workspace.need(at: now) == (reason == nil ? .fine : .due))
    }

    @Test func `The worst stands first, then the nearest end, then the name`() throws {
        var alarmed = try StatusSamples.workspace("alarmed")
        alarmed.alarms = ["claim.untrusted"]
        var nowhere = try StatusSamples.workspace("a-nowhere", .missing)
        nowhere.life = nil
        let workspaces = [
            try StatusSamples.workspace("fine-b"), try StatusSamples.workspace("fine-a"),
            try StatusSamples.workspace("fine-soon", from: -5, to: 20),
            try StatusSamples.workspace("due", from: -16, to: 14), alarmed,
            try StatusSamples.workspace("late", .expiring, from: -28, to: 2),
            try StatusSamples.workspace("back", .rolledBack), try StatusSamples.broken("torn"),
            try StatusSamples.workspace("dark", .expired, from: -31, to: -1), nowhere,
        ]
        for order in [workspaces, workspaces.reversed()] {
            #expect(
                StatusSamples.picture(order).worstFirst.map(\.workspace.text) == [
                    "dark", "a-nowhere", "torn", "back", "late", "alarmed", "due", "fine-soon",
                    "fine-a", "fine-b",
                ])
        }
        let picture = StatusSamples.picture(workspaces)
        #expect(picture.needsAHand)
        #expect(picture.nextToExpire?.workspace.text == "dark")
        #expect(!StatusSamples.picture([try StatusSamples.workspace("fine")]).needsAHand)
    }

    @Test(
        "A bundle is flagged above the served version, at its end, and by its key",
        arguments: [
            (6, 1, true, []), (7, 1, true, []), (8, 1, true, [.aboveServed]),
            (7, 0, true, [.expired]), (7, 1, false, [.untrusted]),
            (8, -1, false, [.aboveServed, .expired, .untrusted]),
        ] as [(Int64, Int64, Bool, [StatusBundle.Flag])])
    func flags(_ version: Int64, _ left: Int64, _ trusted: Bool, _ flags: [StatusBundle.Flag]) {
        let bundle = StatusBundle(
            version: version, digest: "", kid: "", issuedAt: now,
            expiresAt: UnixTime(now.seconds + left), isTrusted: trusted)
        #expect(bundle.flags(served: 7, delivery: .served, at: now) == flags)
        #expect(
            bundle.flags(served: 0, delivery: .bundleOnly, at: now)
                == flags.filter { $0 != .aboveServed })
    }

    @Test func `JSON has the members of the interface, and null where nothing is known`() throws {
        let picture = StatusSamples.picture([
            try StatusSamples.workspace("acme-market"),
            WorkspacePicture(try #require(WorkspaceName("stranger")), .unreadable),
        ])
        let root = try JSONDocument.parse(picture.json.canonical()).root
        let lines = Array(try #require(root["workspaces"]).elements)
        #expect(lines.count == 2)
        let needed = [
            "workspace", "version", "next_version", "kid", "issued_at", "expires_at", "digest",
            "state", "alarms", "bundles",
        ]
        for line in lines { for name in needed { #expect(line[name] != nil, "\(name)") } }
        #expect(lines[0]["version"]?.integer == 7)
        #expect(lines[0]["expires_at"]?.integer == now.seconds + 25 * StatusSamples.day)
        #expect(lines[1]["version"]?.kind == .null)
        let bundle = try #require(lines[0]["bundles"]?.elements.first { _ in true })
        for name in ["version", "digest", "kid", "expires_at"] {
            #expect(bundle[name] != nil, "\(name)")
        }
    }
}
