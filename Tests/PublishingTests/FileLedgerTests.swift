import Foundation
import GronaFormats
import Ledger
import LinuxIO
import PublishProtocol
import Publishing
import StrictJSON
import TestSupport
import Testing

@Suite struct FileLedgerTests {
    private let shop: Shop
    private let ledger: FileLedger

    init() throws {
        shop = try Shop()
        ledger = shop.ledger()
    }

    private func document(_ version: Int64, _ content: UInt64 = 1) -> DocumentFacts {
        DocumentFacts(
            version: version, payload: ContentDigest(number: UInt64(version) * 100 + content),
            envelope: ContentDigest(number: UInt64(version) * 100 + content + 50))
    }

    @discardableResult
    private func append(
        _ record: LedgerRecord, _ workspace: String = "acme-market"
    ) throws -> LedgerAnswer {
        try ledger.append(
            LedgerEntry(
                workspace: try #require(WorkspaceName(workspace)), record: record, time: Shop.now,
                user: "tester", kid: KeyID("kid-1"), auditHead: "00"))
    }

    @Test func `A ledger that is not there knows nothing`() throws {
        #expect(try ledger.view(of: shop.workspace) == LedgerView())
        #expect(try ledger.newestServed(of: shop.workspace) == nil)
        #expect(!FileManager.default.fileExists(atPath: shop.folder.path("ledger")))
    }

    @Test func `Lines add up to the marks`() throws {
        #expect(try append(.claimed(document(1), .absent)) == .written)
        try append(.swapped(document(1), .published))
        try append(.claimed(document(3), .matches(EntityTag("x"))))
        try append(.swapped(document(3), .lost))
        try append(.bundled(document(2, 7)))
        try append(.refused(document(9), code: "version.jump"))
        try append(.refused(nil, code: "bundle.source"))
        try append(.observed(document(2)))
        try append(.observed(document(7)), "other-shop")
        var expected = LedgerView(
            highestClaim: 3, highestClaimPayloads: [document(3).payload],
            payloads: [
                1: [document(1).payload], 2: [document(2).payload], 3: [document(3).payload],
            ], highestServed: 2, newestServed: document(2), lastServed: document(2).payload,
            highestBundle: 2, highestBundlePayloads: [document(2, 7).payload],
            bundles: [document(2, 7).payload])
        expected.newestServedAt = Shop.now.seconds
        #expect(try ledger.view(of: shop.workspace) == expected)
    }

    /// What grows with the number of workspaces shows here, on any machine.
    @Test(arguments: [100, 400])
    func `A run over many workspaces reads each line once`(_ count: Int) throws {
        let names = (0..<count).map { "shop-\($0)" }
        for name in names { try append(.observed(document(1)), name) }
        let run = shop.ledger()
        #expect(try run.workspaces().count == count)
        for name in names {
            let workspace = try #require(WorkspaceName(name))
            #expect(try run.view(of: workspace).highestServed == 1)
            for record in [
                LedgerRecord.claimed(document(2), .absent), .swapped(document(2), .published),
            ] {
                let entry = LedgerEntry(
                    workspace: workspace, record: record, time: Shop.now, user: "tester")
                #expect(try run.append(entry) == .written)
            }
            #expect(try run.view(of: workspace).highestServed == 2)
        }
        #expect(run.linesRead == 3 * count)
    }

    @Test func `A ledger that is replaced is read anew, and what others wrote is seen`() throws {
        try append(.observed(document(1)))
        let run = shop.ledger()
        #expect(try run.view(of: shop.workspace).highestServed == 1)
        try append(.observed(document(2)))
        #expect(try run.view(of: shop.workspace).highestServed == 2)
        #expect(try run.times().newest == Shop.now)
        for path in [file, mark] { try FileManager.default.removeItem(atPath: path) }
        #expect(try run.view(of: shop.workspace) == LedgerView())
        #expect(try run.times().newest == nil)
        try append(.observed(document(3)), "other-shop")
        #expect(try run.view(of: shop.workspace) == LedgerView())
        #expect(try run.workspaces().map(\.text) == ["other-shop"])
    }

    @Test func `The workspaces of a ledger are those of which something was served`() throws {
        try append(.observed(document(1)), "seen-shop")
        try append(.swapped(document(1), .published), "swapped-shop")
        try append(.bundled(document(1)), "kiosk")
        #expect(try append(.claimed(document(1), .absent), "claimed-shop") == .written)
        try append(.swapped(document(1), .lost), "lost-shop")
        try append(.refused(nil, code: "bundle.source"), "refused-shop")
        #expect(
            Set(try ledger.workspaces().map(\.text)) == ["seen-shop", "swapped-shop", "kiosk"])
    }

    @Test(arguments: [false, true])
    func `Lines of a rehearsal count in rehearsals alone`(_ isRehearsal: Bool) throws {
        var entry = LedgerEntry(
            workspace: shop.workspace, record: .observed(document(5)), time: Shop.now,
            user: "tester")
        entry.isRehearsal = true
        #expect(try ledger.append(entry) == .written)
        let reader = FileLedger(
            at: ledger.path, envelopes: ledger.envelopes, isRehearsal: isRehearsal)
        #expect(try reader.view(of: shop.workspace).highestServed == (isRehearsal ? 5 : nil))
    }

    @Test func `An older document that is seen served does not lower the mark`() throws {
        try append(.observed(document(5)))
        try append(.observed(document(4)))
        let view = try ledger.view(of: shop.workspace)
        #expect(view.highestServed == 5)
        #expect(view.lastServed == document(4).payload)
    }

    @Test func `A number belongs to the first content that claims it`() throws {
        #expect(try append(.claimed(document(2, 1), .absent)) == .written)
        #expect(try append(.claimed(document(2, 1), .absent)) == .written)
        #expect(try append(.claimed(document(2, 2), .absent)) == .conflict)
        #expect(try append(.claimed(document(3, 2), .absent)) == .written)
        #expect(try append(.claimed(document(2, 2), .absent), "other-shop") == .written)
        try append(.observed(document(4, 1)))
        #expect(try append(.claimed(document(4, 2), .absent)) == .conflict)
        #expect(try append(.claimed(document(4, 1), .absent)) == .written)
    }

    @Test func `Claims of one number at once are granted to one content`() async throws {
        let ledger = ledger
        let workspace = shop.workspace
        let documents = (1...8).map { document(2, UInt64($0 % 2)) }
        let granted = try await withThrowingTaskGroup(of: ContentDigest?.self) { group in
            for document in documents {
                group.addTask {
                    let answer = try ledger.append(
                        LedgerEntry(
                            workspace: workspace, record: .claimed(document, .absent),
                            time: Shop.now, user: "tester"))
                    return answer == .written ? document.payload : nil
                }
            }
            var granted: Set<ContentDigest> = []
            for try await payload in group { if let payload { granted.insert(payload) } }
            return granted
        }
        #expect(granted.count == 1)
    }

    @Test func `The newest envelope that was seen served is given back whole, or not at all`()
        throws
    {
        let publisher = try shop.publisher()
        let first = try shop.envelope(1)
        let second = try shop.envelope(2)
        _ = try publisher.push(first)
        _ = try publisher.push(second)
        #expect(try ledger.newestServed(of: shop.workspace)?.bytes == second)
        let names = try FileManager.default.contentsOfDirectory(
            atPath: shop.folder.path("ledger/envelopes"))
        #expect(names.count == 2)
        for name in names {
            let path = shop.folder.path("ledger/envelopes/\(name)")
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            try Data("{}".utf8).write(to: URL(fileURLWithPath: path))
        }
        let newest = try #require(try ledger.newestServed(of: shop.workspace))
        #expect(newest.facts.version == 2)
        #expect(newest.bytes == nil)
    }

    @Test func `A changed line is noticed before anything is published`() throws {
        _ = try shop.publisher().push(try shop.envelope(1))
        let file = shop.folder.path("ledger/ledger.ndjson")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try text.replacingOccurrences(of: "\"version\":1", with: "\"version\":9")
            .write(toFile: file, atomically: true, encoding: .utf8)
        let report = try shop.publisher().push(try shop.envelope(2))
        #expect(report.verdict == .failed(.readLedger, mayBePublished: false))
        guard case .ledger(.log(_, .broken(_)))? = report.failure else {
            Issue.record("\(String(describing: report.failure))")
            return
        }
        #expect(try shop.store().versions(of: shop.workspace, from: 0).count == 1)
    }

    // MARK: The end

    private var file: String { shop.folder.path("ledger/ledger.ndjson") }
    private var mark: String { file + ".mark" }

    private func lines() throws -> [String] {
        try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map { "\($0)\n" }
    }

    private func write(_ lines: some Sequence<String>, to path: String? = nil) throws {
        try Data(lines.joined().utf8).write(to: URL(fileURLWithPath: path ?? file))
    }

    private func expectCut(_ lines: Int, of count: Int) {
        let error = PublicationLedgerError.cut(FilePath(file), lines: lines, of: count)
        #expect(throws: error) { try ledger.view(of: shop.workspace) }
        #expect(throws: error) { try ledger.views() }
        #expect(throws: error) { try ledger.workspaces() }
        #expect(throws: error) { try ledger.newestServed(of: shop.workspace) }
        #expect(throws: error) { try append(.claimed(document(9), .absent)) }
    }

    @Test(arguments: [2, 0, nil])
    func `A ledger whose end is gone is noticed`(_ left: Int?) throws {
        for version in 1...3 as ClosedRange<Int64> { try append(.observed(document(version))) }
        #expect(try ledger.view(of: shop.workspace).highestServed == 3)
        if let left {
            try write(try lines().prefix(left))
        } else {
            try FileManager.default.removeItem(atPath: file)
        }
        expectCut(left ?? 0, of: 3)
        // A line that is added without reading does not hide it.
        try append(.refused(nil, code: "bundle.source"))
        expectCut((left ?? 0) + 1, of: 3)
    }

    @Test func `A ledger that was written anew is noticed`() throws {
        for version in 1...3 as ClosedRange<Int64> { try append(.observed(document(version))) }
        let old = try String(contentsOfFile: mark, encoding: .utf8)
        try FileManager.default.removeItem(atPath: shop.folder.path("ledger"))
        for version in 1...3 as ClosedRange<Int64> { try append(.observed(document(version, 2))) }
        #expect(try ledger.view(of: shop.workspace).highestServed == 3)
        try write([old], to: mark)
        expectCut(3, of: 3)
    }

    @Test(arguments: ["none", "older", "half", "torn"])
    func `What a crash may leave is no loss`(_ crash: String) throws {
        try append(.observed(document(1)))
        let older = try String(contentsOfFile: mark, encoding: .utf8)
        try append(.observed(document(2)))
        switch crash {
        case "none": try FileManager.default.removeItem(atPath: mark)
        case "older": try write([older], to: mark)
        case "half": try write([String(older.prefix(40))], to: mark)
        default: try write(try lines() + [#"{"format":1,"se"#])
        }
        #expect(try ledger.view(of: shop.workspace).highestServed == 2)
        try append(.observed(document(3)))
        #expect(try ledger.view(of: shop.workspace).highestServed == 3)
        try write(try lines().prefix(1))
        #expect(throws: PublicationLedgerError.self) { try ledger.view(of: shop.workspace) }
    }
}
