import GronaFormats

/// The details of one workspace: its time line, its bundles, its versions, its keys.
extension StatusPage {
    /// The most bundles that are listed for a workspace.
    private static let mostBundles = 8
    private static let mostKeys = 12

    func article(_ workspace: WorkspacePicture) -> Markup {
        var title: [Markup] = ["\(workspace.workspace.text)", badge(workspace)]
        if picture.byName.count > 1 {
            title.append(
                .element(
                    .a, [.names("up"), .link(to: Self.overview), .label("to the list of all")],
                    ["↑ all"]))
        }
        var content: [Markup] = [
            .element(.h3, [], title), TimeLine.large(workspace, now: now), facts(workspace),
        ]
        if workspace.state == .unreadable {
            content.append(
                .element(.p, [.names("soft")], ["Nothing more is known: it cannot be looked at."]))
        }
        content.append(
            list(
                "Bundles in the field", "list",
                workspace.bundles.prefix(Self.mostBundles).map {
                    item($0, of: workspace)
                }, rest: workspace.bundles.count - Self.mostBundles))
        content.append(
            list("Recent versions", "list", workspace.versions.map { item($0) }))
        content.append(
            list(
                "Keys", "list keys",
                workspace.keys.prefix(Self.mostKeys).map { item($0, of: workspace) },
                rest: workspace.keys.count - Self.mostKeys))
        return .element(.article, [.names("card"), .id(Self.id(workspace))], content)
    }

    private func facts(_ workspace: WorkspacePicture) -> Markup {
        var facts: [Markup] = []
        func add(_ term: String, _ content: Markup) {
            facts.append(
                .element(
                    .div, [], [.element(.dt, [], ["\(term)"]), .element(.dd, [], [content])]))
        }
        if let version = workspace.version { add("version", "\(version)") }
        if let next = workspace.nextVersion { add("next version", "\(next)") }
        if let life = workspace.life {
            add("issued", time(life.issuedAt))
            add("due", time(life.dueAt))
            add("a quarter left", time(life.quarterAt))
            add("expires", time(life.expiresAt))
            add("left", "\(StatusWords.left(life, at: now))")
        }
        if let kid = workspace.kid { add("signed by", .element(.code, [], ["\(kid)"])) }
        if let digest = workspace.digest {
            add("SHA-256 begins", .element(.code, [], ["\(digest.prefix(16))"]))
        }
        if workspace.delivery == .bundleOnly { add("delivery", "in bundles alone") }
        return facts.isEmpty ? Markup() : .element(.dl, [.names("facts")], facts)
    }

    private func list(
        _ title: String, _ names: StaticString, _ items: [Markup], rest: Int = 0
    ) -> Markup {
        guard !items.isEmpty else { return Markup() }
        var list: [Markup] = items
        if rest > 0 { list.append(.element(.li, [], ["and \(rest) more"])) }
        var result = Markup.element(.h4, [], ["\(title)"])
        result.append(.element(.ul, [.names(names), .list], list))
        return result
    }

    private func item(_ bundle: StatusBundle, of workspace: WorkspacePicture) -> Markup {
        let flags = bundle.flags(
            served: workspace.version ?? 0, delivery: workspace.delivery, at: now)
        let isHarmful = flags.contains { $0 != .expired }
        let label = flags.isEmpty ? "✓ in order" : flags.map(\.rawValue).joined(separator: ", ")
        var words: [Markup] = span(bundle.issuedAt, bundle.expiresAt)
        words += [" · key \(bundle.kid) · \(bundle.digest.prefix(16))"]
        for flag in flags where flag != .expired { words.append(" · \(StatusWords.flag(flag))") }
        return .element(
            .li, [],
            [
                .element(.b, [], ["version \(bundle.version)"]),
                Self.badge(
                    flags.isEmpty ? "badge good" : isHarmful ? "badge bad" : "badge due",
                    flags.isEmpty ? label : "▲ \(label)"),
                .element(.span, [], words),
            ])
    }

    private func item(_ version: StatusVersion) -> Markup {
        var words: [Markup] = span(version.issuedAt, version.expiresAt)
        if let kid = version.kid { words.append(" · key \(kid)") }
        if let digest = version.digest { words.append(" · \(digest.prefix(16))") }
        if version.state == .untrusted { words = ["nothing that our keys signed"] }
        let names: StaticString =
            switch version.state {
            case .served: "badge good"
            case .claimed: "badge plain"
            case .untrusted: "badge bad"
            }
        return .element(
            .li, [],
            [
                .element(.b, [], ["version \(version.number)"]),
                Self.badge(names, version.state.rawValue), .element(.span, [], words),
            ])
    }

    private func item(_ key: StatusKey, of workspace: WorkspacePicture) -> Markup {
        let names: StaticString =
            switch key.state {
            case .current: "badge good"
            case .retiring: "badge due"
            case .compromised: "badge bad"
            case .standby, .announced, .generated, .retired, .destroyed, nil: "badge plain"
            }
        return .element(
            .li, [],
            [
                .element(.code, [], ["\(key.kid)"]),
                Self.badge(names, key.state?.rawValue ?? "pinned"),
                .element(.span, [], ["\(StatusWords.key(key, of: workspace))"]),
            ])
    }

    private func span(_ from: UnixTime?, _ to: UnixTime?) -> [Markup] {
        guard let from, let to else { return ["its times cannot be read"] }
        return [time(from), " to ", time(to)]
    }
}
