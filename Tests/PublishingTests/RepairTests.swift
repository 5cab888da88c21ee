import Foundation
import GronaFormats
import LinuxIO
import PublishProtocol
import Publishing
import TestSupport
import Testing

/// Stores that somebody changed behind the publishers' backs, and what a publisher makes of them.
@Suite struct RepairTests {
    private let shop: Shop
    private let workspace = "public/v1/mobile/workspaces/acme-market/"

    init() throws {
        shop = try Shop()
    }

    private func put(_ name: String, _ bytes: [UInt8]) throws {
        try shop.folder.write(workspace + name, bytes, permissions: 0o644)
    }

    private func pipe(_ path: String) throws {
        let result = unsafe mkfifo(path, 0o644)
        try #require(result == 0)
    }

    private func isPublished(_ report: PublishReport) -> Bool {
        if case .published = report.verdict { true } else { false }
    }

    @Test func `Another content under the served number is an alarm, and the right one mends it`()
        throws
    {
        let right = try shop.envelope(shop.payload(1, offerIsOn: false))
        let wrong = try shop.envelope(shop.payload(1, content: 9))
        #expect(isPublished(try shop.publisher().push(right)))
        try put("config", wrong)
        #expect(try shop.publisher().survey().alarms() == [.otherContent(1)])
        #expect(
            try shop.publisher().push(wrong).verdict == .refused([.otherContent(1)]))
        #expect(isPublished(try shop.publisher().push(right)))
        #expect(try shop.publisher().survey().alarms().isEmpty)
        // A publisher that has no ledger yet goes by the claim in the store.
        try put("config", wrong)
        #expect(try shop.publisher("fresh").survey().alarms() == [.otherContent(1)])
        #expect(isPublished(try shop.publisher("fresh").push(right)))
    }

    @Test func `A genuine claim far above the others takes its number and no more`() throws {
        #expect(isPublished(try shop.publisher().push(try shop.envelope(1))))
        let last: Int64 = 9_007_199_254_740_991
        try put("versions/\(last).json", try shop.envelope(last))
        let survey = try shop.publisher().survey()
        #expect(survey.marks.nextVersion == 2)
        #expect(survey.alarms() == [.farClaim(last, mark: 1)])
        let report = try shop.publisher().push(try shop.envelope(2))
        #expect(isPublished(report))
        #expect(report.alarms == [.farClaim(last, mark: 1)])
    }

    @Test(arguments: [(1_000, true), (1_001, false)] as [(Int64, Bool)])
    func `A copy by a compromised key is no content, and its number counts when it is near`(
        _ served: Int64, _ isNear: Bool
    ) throws {
        let bad = try TestKey("acme-market-2026-09")
        let copy = try shop.envelope(shop.payload(served), by: bad)
        #expect(try shop.store().create(.config(shop.workspace), copy) == .done)
        let publisher = Publisher(
            store: try shop.store(), ledger: shop.ledger(),
            judge: try shop.keyringJudge(compromised: bad), user: "tester")
        let survey = try publisher.survey()
        #expect(survey.reading.version == nil)
        #expect(survey.reading.distrustedFacts?.version == served)
        #expect(survey.marks.nextVersion == (isNear ? served + 1 : 1))
        let low = try publisher.push(try shop.envelope(999))
        #expect(
            low.verdict
                == .refused(
                    isNear
                        ? [.versionNotAbove(999, above: served, where: .served)]
                        : [.farServed(served, mark: 0)]))
        let meant = try publisher.push(
            try shop.envelope(isNear ? served + 1 : 999),
            expecting: .init(allowedJump: isNear ? served + 1 : 999))
        #expect(isPublished(meant))
    }

    @Test(arguments: [Array("<html>".utf8), nil] as [[UInt8]?])
    func `A kill switch stays thrown when the ledger's envelope is lost`(_ served: [UInt8]?) throws
    {
        let on = try shop.envelope(1)
        _ = try shop.publisher().push(on)
        _ = try shop.publisher().push(try shop.envelope(shop.payload(2, offerIsOn: false)))
        try FileManager.default.removeItem(atPath: shop.folder.path("ledger/envelopes"))
        try put("config", served ?? on)
        let third = try shop.envelope(shop.payload(3))
        #expect(codes(try shop.publisher().push(third, isDryRun: true)) == ["transition.enabled"])
        // Without the claim, too, nothing tells what was on.
        let claim = "\(workspace)versions/0000000000000002.json"
        try FileManager.default.removeItem(atPath: shop.folder.path(claim))
        #expect(
            codes(try shop.publisher().push(third, isDryRun: true)) == ["served.content-unknown"])
        var rules = PushRules(policy: .undeclared(shop.workspace), now: Shop.now)
        rules.enabling = ["weekend-offer"]
        #expect(isPublished(try shop.publisher().push(third, rules: rules)))
    }

    private func codes(_ report: PublishReport) -> [String] {
        guard case .refused(let refusals) = report.verdict else { return ["\(report.verdict)"] }
        return refusals.map(\.code)
    }

    @Test func `Links, folders and pipes in a history are junk`() throws {
        #expect(isPublished(try shop.publisher().push(try shop.envelope(1))))
        let folder = shop.folder.path(workspace + "versions/")
        try FileManager.default.createSymbolicLink(
            atPath: folder + "0000000000000002.json",
            withDestinationPath: folder + "0000000000000001.json")
        try FileManager.default.createDirectory(
            atPath: folder + "0000000000000003.json", withIntermediateDirectories: false)
        try pipe(folder + "0000000000000004.json")
        let survey = try shop.publisher().survey()
        #expect(survey.alarms() == [.junkClaim(2), .junkClaim(3), .junkClaim(4)])
        #expect(survey.marks.nextVersion == 5)
        #expect(isPublished(try shop.publisher().push(try shop.envelope(5))))
    }

    @Test(arguments: ["link", "folder", "pipe"])
    func `A config that is no file is not ours, and is not replaced`(_ kind: String) throws {
        #expect(isPublished(try shop.publisher().push(try shop.envelope(1))))
        let path = shop.folder.path(workspace + "config")
        try FileManager.default.moveItem(atPath: path, toPath: path + "-before")
        switch kind {
        case "link":
            try FileManager.default.createSymbolicLink(
                atPath: path, withDestinationPath: path + "-before")
        case "folder":
            try FileManager.default.createDirectory(
                atPath: path, withIntermediateDirectories: false)
        default: try pipe(path)
        }
        let survey = try shop.publisher().survey()
        #expect(survey.document?.facts == nil)
        #expect(survey.alarms().contains(.servedUnusable(code: FoundDocument.notAFile)))
        #expect(
            try shop.publisher().push(try shop.envelope(2)).verdict == .refused([.notAFile]))
        #expect(try shop.store().versions(of: shop.workspace, from: 0).count == 1)
    }

    @Test func `The scratch workspace of a probe is none of a store's`() throws {
        #expect(isPublished(try shop.publisher().push(try shop.envelope(1))))
        let probe = try #require(WorkspaceName("grona-probe"))
        #expect(try shop.store().create(.config(probe), [1]) == .done)
        #expect(try shop.store().workspaces() == [shop.workspace])
    }
}
