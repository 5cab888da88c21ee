import GronaFormats

/// Lives as bars on an axis of time, in SVG that grows with the page.
///
/// Positions are per cents; colours come from the style sheet. What a drawing shows stands in words
/// beside it.
enum TimeLine {
    /// The most bundles that are drawn for a workspace.
    private static let mostBundles = 6
    /// Ticks nearer to an end than this, of the axis' length, are left out.
    private static let edge = TimeAxis.length * 6 / 100

    /// The served config's life alone, from its beginning to its end.
    static func small(_ workspace: WorkspacePicture, now: UnixTime) -> Markup {
        guard let life = workspace.life else { return .element(.svg, [.names("m"), .hidden]) }
        let length = max(1, life.expiresAt.since(life.issuedAt).seconds)
        func position(_ time: UnixTime) -> Int64 {
            let passed = min(max(0, time.since(life.issuedAt).seconds), length)
            let (product, overflowed) = passed.multipliedReportingOverflow(by: TimeAxis.length)
            return overflowed ? passed / length * TimeAxis.length : product / length
        }
        return .element(
            .svg, [.names("m"), .hidden],
            life.parts.map { part in
                rect(names(part.phase), position(part.from), position(part.to))
            } + [.element(.rect, [.names("n"), .x(position(now))])])
    }

    /// The served config and the bundles on one axis.
    static func large(_ workspace: WorkspacePicture, now: UnixTime) -> Markup {
        let axis = workspace.axis(now: now)
        var lanes: [Markup] = []
        var words: [String] = []
        if let life = workspace.life {
            let label = "served \(workspace.version.map(String.init) ?? "")"
            lanes.append(
                lane(
                    label, life.parts.map { bar(names($0.phase), $0.from, $0.to, axis) }, axis, now)
            )
            words.append(
                "served config from \(StatusWords.time(life.issuedAt)), due"
                    + " \(StatusWords.time(life.dueAt)), a quarter left at"
                    + " \(StatusWords.time(life.quarterAt)), until"
                    + " \(StatusWords.time(life.expiresAt))")
        }
        for bundle in workspace.bundles.prefix(mostBundles) {
            guard let from = bundle.issuedAt, let to = bundle.expiresAt else { continue }
            let flags = bundle.flags(
                served: workspace.version ?? 0, delivery: workspace.delivery, at: now)
            let label = "bundle \(bundle.version)" + (flags.isEmpty ? "" : " ▲")
            let isOut = to < axis.from || from > axis.to
            lanes.append(
                lane(
                    label, isOut ? [] : [bar(flags.isEmpty ? "u" : "q", from, to, axis)], axis, now)
            )
            words.append(
                "bundle \(bundle.version) from \(StatusWords.time(from)) until"
                    + " \(StatusWords.time(to))")
        }
        guard !lanes.isEmpty else { return Markup() }
        words.append("now \(StatusWords.time(now))")
        return .element(
            .div, [.names("tl"), .image, .label("Time line: " + words.joined(separator: "; "))],
            [nowLane(axis, now)] + lanes + [ticks(axis)])
    }

    /// What the colours mean.
    static var legend: Markup {
        func entry(_ names: StaticString, _ words: String) -> Markup {
            .element(
                .li, [],
                [
                    .element(
                        .svg, [.hidden],
                        [.element(.rect, [.names(names), .x(0), .width(TimeAxis.length)])]),
                    "\(words)",
                ])
        }
        return .element(
            .ul, [.names("legend"), .list],
            [
                entry("f", "fresh"), entry("d", "due for renewal"), entry("q", "last quarter"),
                entry("u", "bundle"), entry("q", "▲ bundle that is expired or flagged"),
                .element(.li, [], ["The upright line is now."]),
            ])
    }

    private static func names(_ phase: ConfigLife.Phase) -> StaticString {
        switch phase {
        case .fresh: "f"
        case .due: "d"
        case .expiring, .expired: "q"
        }
    }

    private static func rect(_ names: StaticString, _ from: Int64, _ to: Int64) -> Markup {
        .element(.rect, [.names(names), .x(from), .width(max(20, to - from))])
    }

    private static func bar(
        _ names: StaticString, _ from: UnixTime, _ to: UnixTime, _ axis: TimeAxis
    ) -> Markup {
        rect(names, axis.position(of: from), axis.position(of: to))
    }

    private static func lane(
        _ label: String, _ bars: [Markup], _ axis: TimeAxis, _ now: UnixTime
    ) -> Markup {
        let track = Markup.element(.rect, [.names("t")])
        let line = Markup.element(.rect, [.names("n"), .x(axis.position(of: now))])
        return .element(
            .div, [.names("lane")],
            [
                .element(.span, [], ["\(label)"]),
                .element(.svg, [.names("b")], [track] + bars + [line]),
            ])
    }

    private static func nowLane(_ axis: TimeAxis, _ now: UnixTime) -> Markup {
        let position = axis.position(of: now)
        let names: StaticString =
            position < edge ? "w s" : position > TimeAxis.length - edge ? "w e" : "w"
        return axisLane([.element(.svgText, [.names(names), .x(position), .y(13)], ["now"])])
    }

    private static func ticks(_ axis: TimeAxis) -> Markup {
        let step = axis.step
        return axisLane(
            axis.ticks.compactMap { tick in
                let position = axis.position(of: tick)
                guard position >= edge, position <= TimeAxis.length - edge else { return nil }
                return .element(
                    .svgText, [.x(position), .y(13)], ["\(StatusWords.tick(tick, step: step))"])
            })
    }

    private static func axisLane(_ texts: [Markup]) -> Markup {
        .element(
            .div, [.names("lane")],
            [.element(.span), .element(.svg, [.names("x")], texts)])
    }
}
