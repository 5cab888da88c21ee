import CommandLineKit
import Foundation
import GronaPublishCommand
import Testing

/// The picture in a terminal, and as metrics.
@Suite struct StatusTextTests {
    private func lines(
        _ workspaces: [WorkspacePicture], columns: Int = 80, color: Bool = false,
        glyphs: TimeBar.Glyphs = .plain
    ) -> [String] {
        StatusText(
            StatusSamples.picture(workspaces), style: TextStyle(isOn: color), columns: columns,
            glyphs: glyphs
        ).text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    @Test func `Alarms come with the commands, time lines below`() throws {
        let lines = lines([
            try StatusSamples.workspace("acme-market"), try StatusSamples.broken("torn"),
        ])
        #expect(lines[0] == "store file:/srv/grona")
        #expect(lines[2].hasPrefix("torn               7     8  untrusted"))
        #expect(lines[3].hasPrefix("acme-market        7     8  ok"))
        #expect(
            Array(lines[4...6]) == [
                "! torn: no device takes what is served: x (served.unusable)",
                "    $ grona-publish history torn", "    $ grona-publish push next.json",
            ])
        let start = try #require(lines.lastIndex(of: "acme-market"))
        #expect(
            lines[start + 1]
                == "  served 7       ............................======|=========--------!!!!!!!!..."
        )
    }

    @Test(
        "Time lines fit the terminal",
        arguments: [40, 80, 100, 137, 300])
    func widths(_ columns: Int) throws {
        let lines = lines(
            [try StatusSamples.workspace("acme-market")], columns: columns, glyphs: .unicode)
        let bars = lines.filter { $0.contains("┃") && $0.hasPrefix("  ") }
        #expect(bars.count == 3)
        for bar in bars { #expect(DisplayText.width(bar) == min(columns, 120)) }
    }

    @Test func `Without colours no escape, with them each run is closed`() throws {
        let workspaces = [try StatusSamples.hostileWorkspace()]
        let plain = lines(workspaces).joined(separator: "\n")
        #expect(!plain.contains("\u{1B}") && !plain.contains("\u{202E}"))
        #expect(plain.allSatisfy { $0.isASCII })
        let coloured = lines([try StatusSamples.workspace("acme-market")], color: true)
        for line in coloured where line.contains("\u{1B}") {
            let pieces = line.components(separatedBy: "\u{1B}[")
            #expect(pieces.count % 2 == 1)
        }
    }

    @Test func `Of many workspaces only those that need a hand have a time line`() throws {
        let fine = try (1...9).map { try StatusSamples.workspace("shop-\($0)") }
        #expect(!lines(fine).contains { $0.contains("served 7") })
        #expect(lines(Array(fine.prefix(8))).filter { $0.contains("served 7") }.count == 8)
        var late = try StatusSamples.workspace("late", .expiring)
        late.alarms = ["served.expiring"]
        #expect(lines(fine + [late]).filter { $0.contains("served 7") }.count == 1)
    }

    @Test func `Metrics have no time stamps, and labels that cannot break out`() throws {
        let workspaces = [
            try StatusSamples.workspace("acme-market"), try StatusSamples.hostileWorkspace(),
        ]
        let text = StatusMetrics(StatusSamples.picture(workspaces)).text
        #expect(text.hasPrefix("# grona-publish status\n"))
        #expect(text.hasSuffix("\n"))
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let match = line.wholeMatch(
                of: /grona_[a-z_]+(\{([a-z]+="([^"\\\n]|\\["\\n])*",?)+\})? -?[0-9]+/)
            #expect(match != nil, "\(line)")
        }
        #expect(text.contains(#"grona_status_workspaces{need="corrupt"} 1"#))
        #expect(
            text.contains(
                #"grona_workspace_expires_at_timestamp_seconds{workspace="acme-market"} 1795424400"#
            ))
        #expect(text.contains("alert('x')</script>\\\"&"))
        #expect(text.contains("[31m\\n"))
    }
}
