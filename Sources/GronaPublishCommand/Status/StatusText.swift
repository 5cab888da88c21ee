package import CommandLineKit
import GronaFormats

/// The picture for a terminal, or plain where there is none.
package struct StatusText {
    /// Above this many workspaces only those that need a hand have a time line.
    private static let fewWorkspaces = 8
    /// The most bundles that are drawn for a workspace.
    private static let mostBundles = 4
    private static let labelColumns = 14

    private let picture: StatusPicture
    private let style: TextStyle
    private let columns: Int
    private let glyphs: TimeBar.Glyphs

    package init(
        _ picture: StatusPicture, style: TextStyle = TextStyle(isOn: false), columns: Int = 80,
        glyphs: TimeBar.Glyphs = .plain
    ) {
        self.picture = picture
        self.style = style
        self.columns = columns
        self.glyphs = glyphs
    }

    package var text: String {
        guard !picture.byName.isEmpty else {
            return "nothing is published in \(DisplayText.escaped(picture.store))\n"
        }
        var text = "store \(DisplayText.escaped(picture.store))\n" + table
        for workspace in picture.worstFirst { text += findings(workspace) }
        let isFew = picture.byName.count <= Self.fewWorkspaces
        let drawn = isFew ? picture.worstFirst : picture.group(.needsAHand)
        let lines = drawn.map { timeLine($0) }.filter { !$0.isEmpty }
        guard !lines.isEmpty else { return text }
        return text + "\n" + lines.joined() + legend
    }

    private var table: String {
        var table = Table(
            ["workspace", "version", "next", "state", "expires", "left", "key", "bundles"],
            right: [1, 2, 7])
        for workspace in picture.worstFirst { table.add(cells(workspace)) }
        return table.text(style: style)
    }

    private func cells(_ workspace: WorkspacePicture) -> [Table.Cell] {
        let look: Table.Cell.Look =
            switch picture.need(workspace).group {
            case .needsAHand: .bad
            case .due: .caution
            case .fine: .good
            }
        let label = StatusWords.label(workspace, at: picture.madeAt)
        let state = workspace.state == .fine ? (label == "fine" ? "ok" : label) : label
        guard workspace.state != .unreadable else {
            return [.init(workspace.workspace.text), .init("-"), .init("-"), .init(state, look)]
                + [String](repeating: "-", count: 4).map { .init($0) }
        }
        let left = workspace.life.map { life in
            let seconds = life.left(at: picture.madeAt).seconds
            return seconds > 0 ? StatusWords.span(seconds) : "none"
        }
        return [
            .init(workspace.workspace.text),
            .init(workspace.version.map { String($0) } ?? "-"),
            .init(workspace.nextVersion.map { String($0) } ?? "-"), .init(state, look),
            .init(workspace.life?.expiresAt.description ?? "-"), .init(left ?? "-"),
            .init(workspace.kid ?? "-"), .init(String(workspace.bundles.count)),
        ]
    }

    private func findings(_ workspace: WorkspacePicture) -> String {
        var text = ""
        var last: [String] = []
        for finding in workspace.findings {
            let line = "\(workspace.workspace): \(finding.message) (\(finding.code))"
            text += style.red("!") + " " + DisplayText.escaped(line) + "\n"
            if finding.commands.isEmpty, let help = finding.help {
                text += "    \(DisplayText.escaped(help))\n"
            }
            guard finding.commands != last else { continue }
            last = finding.commands
            for command in finding.commands {
                text += "    $ \(DisplayText.escaped(command))\n"
            }
        }
        return text
    }

    // MARK: Time lines

    private func timeLine(_ workspace: WorkspacePicture) -> String {
        let now = picture.madeAt
        let axis = workspace.axis(now: now)
        var text = ""
        if let life = workspace.life {
            text += bar("served \(workspace.version.map(String.init) ?? "?")", life.parts, axis)
        }
        for bundle in workspace.bundles.prefix(Self.mostBundles) {
            guard let from = bundle.issuedAt, let to = bundle.expiresAt else { continue }
            let isFlagged = !bundle.flags(
                served: workspace.version ?? 0, delivery: workspace.delivery, at: now
            ).isEmpty
            text += bar(
                "bundle \(bundle.version)", [(isFlagged ? .expiring : .fresh, from, to)], axis)
        }
        guard !text.isEmpty else { return "" }
        return style.bold(workspace.workspace.text) + "\n" + text + ends(axis)
    }

    private var barColumns: Int { max(10, min(columns, 120) - Self.labelColumns - 3) }

    private func bar(
        _ label: String, _ parts: [(phase: ConfigLife.Phase, from: UnixTime, to: UnixTime)],
        _ axis: TimeAxis
    ) -> String {
        let bar = TimeBar(parts, on: axis, now: picture.madeAt, columns: barColumns)
        var line = "  " + DisplayText.padded(label, to: Self.labelColumns) + " "
        var run = ""
        var last: TimeBar.Mark?
        for mark in bar.marks {
            if let last, last != mark {
                line += coloured(run, last)
                run = ""
            }
            run.append(glyphs[mark])
            last = mark
        }
        if let last { line += coloured(run, last) }
        return line + "\n"
    }

    private func coloured(_ run: String, _ mark: TimeBar.Mark) -> String {
        switch mark {
        case .empty: style.faint(run)
        case .part(.fresh): style.green(run)
        case .part(.due): style.yellow(run)
        case .part(.expiring), .part(.expired): style.red(run)
        case .now: style.bold(run)
        }
    }

    /// The dates at the two ends of an axis.
    private func ends(_ axis: TimeAxis) -> String {
        let from = StatusWords.time(axis.from)
        let to = StatusWords.time(axis.to)
        let indent = String(repeating: " ", count: Self.labelColumns + 3)
        let gap = barColumns - from.count - to.count
        guard gap >= 2 else { return "\(indent)\(from) to\n\(indent)\(to)\n" }
        return indent + from + String(repeating: " ", count: gap) + to + "\n"
    }

    private var legend: String {
        "\(glyphs[.part(.fresh)]) fresh  \(glyphs[.part(.due)]) due"
            + "  \(glyphs[.part(.expiring)]) last quarter, or flagged  \(glyphs[.now]) now; in UTC\n"
    }
}
