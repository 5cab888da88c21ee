import GronaFormats

/// What needs a hand, and the list of all workspaces.
extension StatusPage {
    private static let mostFindings = 20

    func handSection(_ cards: [Markup], rest: Int) -> Markup {
        var content: [Markup] = [.element(.h2, [.id("hand")], ["Needs a hand"])]
        if cards.isEmpty {
            content.append(
                .element(
                    .p, [.names("none good")],
                    [
                        picture.byName.isEmpty
                            ? "Nothing is published in this store." : "✓ Nothing needs a hand."
                    ]))
        } else {
            content.append(.element(.ol, [.list], cards))
        }
        if rest > 0 {
            content.append(
                .element(.p, [.names("soft")], ["\(rest) more stand in the list below."]))
        }
        return .element(.section, [.labelled(by: "hand")], content)
    }

    func card(_ workspace: WorkspacePicture, isLinked: Bool) -> Markup {
        var content: [Markup] = [
            .element(.h3, [], [name(workspace, isLinked: isLinked), badge(workspace)]),
            .element(.p, [.names("soft")], ["\(summary(workspace))"]),
        ]
        var last: [String] = []
        content.append(
            .element(
                .ul, [.list],
                workspace.findings.prefix(Self.mostFindings).map { finding in
                    let commands = finding.commands == last ? [] : finding.commands
                    if !finding.commands.isEmpty { last = finding.commands }
                    return item(finding, commands)
                }))
        let rest = workspace.findings.count - Self.mostFindings
        if rest > 0 { content.append(.element(.p, [.names("soft")], ["and \(rest) more"])) }
        return .element(.li, [.names("card hand")], content)
    }

    func item(_ finding: StatusFinding, _ commands: [String]) -> Markup {
        var content: [Markup] = [
            .element(
                .p, [.names("key")],
                [.element(.code, [], ["\(finding.code)"]), " \(finding.message)"])
        ]
        if let help = finding.help {
            content.append(.element(.p, [.names("soft")], ["Next: \(help)"]))
        }
        if !commands.isEmpty {
            content.append(
                .element(
                    .div, [.names("cmd")], commands.map { .element(.code, [], ["\($0)"]) }))
        }
        return .element(.li, [], content)
    }

    /// One line on what is served.
    func summary(_ workspace: WorkspacePicture) -> String {
        guard workspace.state != .unreadable else { return "It cannot be looked at." }
        let version = workspace.version.map { "version \($0)" } ?? "nothing of ours"
        guard workspace.delivery == .served else { return "Delivered in bundles alone." }
        guard workspace.state != .missing else { return "Nothing is served." }
        let isOver = workspace.life.map { $0.phase(at: now) == .expired } ?? false
        let left =
            workspace.life.map {
                (isOver ? ", whose life " : ", ") + StatusWords.left($0, at: now)
            } ?? ""
        return "Serves \(version)\(left)."
    }

    // MARK: The list of all

    func overview(_ linked: Set<WorkspaceName>) -> Markup {
        .element(
            .section, [.labelled(by: "overview")],
            [
                .element(.h2, [.id(Self.overview)], ["All workspaces, the worst first"]),
                .element(
                    .ol, [.names("rows"), .list],
                    picture.worstFirst.map { row($0, isLinked: linked.contains($0.workspace)) }),
            ])
    }

    func row(_ workspace: WorkspacePicture, isLinked: Bool) -> Markup {
        .element(
            .li, [.names("row")],
            [
                name(workspace, isLinked: isLinked), badge(workspace),
                .element(.span, [], ["\(workspace.version.map { "v\($0)" } ?? "–")"]),
                TimeLine.small(workspace, now: now),
                .element(
                    .span, [],
                    ["\(workspace.life.map { StatusWords.left($0, at: now) } ?? "–")"]),
            ])
    }
}
