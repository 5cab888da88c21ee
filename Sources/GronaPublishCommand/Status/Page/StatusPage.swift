import CommandLineKit
import GronaFormats
import JOSE
import Libcrypto

/// The picture as one page that loads nothing and runs nothing.
///
/// However many workspaces there are, it stays within about 1.5 MB: every one has its line, those
/// that need a hand come first with what to do, and details are given as far as there is room.
package struct StatusPage {
    /// What made it, as the page says.
    private static let maker = "grona-publish status"
    /// What the beginning of a page of ours has, and of metrics does not: it may be replaced.
    package static let mark = "content=\"\(maker)\""
    /// Bytes for what needs a hand, and for details; the list of all comes on top.
    private static let handBudget = 400_000
    private static let detailBudget = 600_000
    static let overview = "overview"

    let picture: StatusPicture

    package init(_ picture: StatusPicture) {
        self.picture = picture
    }

    var now: UnixTime { picture.madeAt }

    package var bytes: [UInt8] {
        let hand = picture.group(.needsAHand)
        let (details, detailCount) = Self.within(
            Self.detailBudget, picture.worstFirst.lazy.map { article($0) })
        let linked = Set(picture.worstFirst.prefix(detailCount).map(\.workspace))
        let (cards, cardCount) = Self.within(
            Self.handBudget,
            hand.lazy.map { card($0, isLinked: linked.contains($0.workspace)) })
        var main: [Markup] = []
        main.append(handSection(cards, rest: hand.count - cardCount))
        if picture.byName.count > 1 { main.append(overview(linked)) }
        if !details.isEmpty {
            main.append(detailSection(details, rest: picture.byName.count - detailCount))
        }
        return Markup.document(
            head: head, body: [header, .element(.main, [], main), footer]
        ).bytes
    }

    /// As many as there is room for, at least one.
    private static func within(
        _ budget: Int, _ parts: some Sequence<Markup>
    ) -> (parts: [Markup], count: Int) {
        var taken: [Markup] = []
        var size = 0
        for part in parts {
            size += part.count
            if size > budget, !taken.isEmpty { break }
            taken.append(part)
        }
        return (taken, taken.count)
    }

    // MARK: The frame

    private var head: [Markup] {
        let digest = SHA256.digest(Array("\(PageStyle.sheet)".utf8))
        let policy =
            "default-src 'none'; style-src 'sha256-\(Base64.encodedString(digest.bytes))';"
            + " base-uri 'none'; form-action 'none'"
        return [
            .element(.meta, [.utf8]),
            .element(.meta, [.meta("generator"), .content(Self.maker)]),
            .element(
                .meta, [.meta("viewport"), .content("width=device-width, initial-scale=1")]),
            .element(.meta, [.httpEquivalent("Content-Security-Policy"), .content(policy)]),
            .element(.meta, [.meta("color-scheme"), .content("light dark")]),
            .element(.meta, [.meta("referrer"), .content("no-referrer")]),
            .element(.title, [], ["\(title) · \(picture.store)"]),
            .style(PageStyle.sheet),
        ]
    }

    private var title: String {
        let count = picture.group(.needsAHand).count
        let verb = count == 1 ? "needs" : "need"
        return count == 0
            ? "Nothing needs a hand"
            : "\(count) of \(StatusWords.count(picture.byName.count, "workspace")) \(verb) a hand"
    }

    private var header: Markup {
        .element(
            .header, [],
            [
                .element(.h1, [], ["What is served"]),
                .element(
                    .p, [.names("where")],
                    [
                        "Store ", .element(.b, [], ["\(picture.store)"]), ", looked at ",
                        time(now), ". Times are UTC.",
                    ]),
                tiles,
            ])
    }

    private var tiles: Markup {
        let counts = [StatusNeed.Group.needsAHand, .due, .fine].map { picture.group($0).count }
        func tile(_ names: StaticString, _ count: Int, _ words: String) -> Markup {
            .element(
                .li, [.names(names)], [.element(.b, [], ["\(count)"]), "\(words)"])
        }
        return .element(
            .ul, [.names("tiles"), .list],
            [
                tile(
                    "tile plain", picture.byName.count,
                    picture.byName.count == 1 ? "workspace" : "workspaces"),
                tile(
                    counts[0] > 0 ? "tile bad" : "tile plain", counts[0],
                    counts[0] == 1 ? "needs a hand" : "need a hand"),
                tile(counts[1] > 0 ? "tile due" : "tile plain", counts[1], "due for renewal"),
                tile(counts[2] > 0 ? "tile good" : "tile plain", counts[2], "fine"),
            ])
    }

    private var footer: Markup {
        .element(
            .footer, [],
            [
                .text(
                    "Made by grona-publish status. The commands run where this page was made, in"
                        + " the same folder and with the same settings. The page loads nothing,"
                        + " and knows keys by name alone.")
            ])
    }

    // MARK: Shared pieces

    static func id(_ workspace: WorkspacePicture) -> String { "w-\(workspace.workspace.text)" }

    /// A workspace's name, as a link where its details are on the page.
    func name(_ workspace: WorkspacePicture, isLinked: Bool) -> Markup {
        let name = Markup.text(workspace.workspace.text)
        return isLinked
            ? .element(.a, [.link(to: Self.id(workspace))], [name]) : .element(.b, [], [name])
    }

    func badge(_ workspace: WorkspacePicture) -> Markup {
        let label = StatusWords.label(workspace, at: now)
        return switch picture.need(workspace).group {
        case .needsAHand: Self.badge("badge bad", "▲ \(label)")
        case .due: Self.badge("badge due", "● \(label)")
        case .fine: Self.badge("badge good", "✓ \(label)")
        }
    }

    static func badge(_ names: StaticString, _ label: String) -> Markup {
        .element(.span, [.names(names)], ["\(label)"])
    }

    func time(_ time: UnixTime) -> Markup {
        guard let text = time.rfc3339 else { return .text(StatusWords.time(time)) }
        return .element(.time, [.datetime(text)], ["\(StatusWords.time(time))"])
    }

    private func detailSection(_ details: [Markup], rest: Int) -> Markup {
        var content: [Markup] = [.element(.h2, [.id("details")], ["In detail"]), TimeLine.legend]
        content += details
        if rest > 0 {
            content.append(
                .element(
                    .p, [.names("soft")],
                    [
                        .text(
                            "\(rest) more have no room here:"
                                + " grona-publish status WORKSPACE --html FILE shows them.")
                    ]))
        }
        return .element(.section, [.labelled(by: "details")], content)
    }
}
