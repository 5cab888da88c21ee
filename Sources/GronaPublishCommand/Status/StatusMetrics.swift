import GronaFormats

/// The picture as metrics in Prometheus text format 0.0.4, without time stamps.
package struct StatusMetrics {
    /// The first line of every file of ours.
    package static let firstLine = "# grona-publish status"

    private let picture: StatusPicture

    package init(_ picture: StatusPicture) {
        self.picture = picture
    }

    package var text: String {
        var lines = [Self.firstLine]
        func add(_ name: String, _ help: String, _ samples: [(labels: String, value: Int64)]) {
            guard !samples.isEmpty else { return }
            lines += ["# HELP grona_\(name) \(help)", "# TYPE grona_\(name) gauge"]
            lines += samples.map { "grona_\(name)\($0.labels) \($0.value)" }
        }
        add(
            "status_last_run_timestamp_seconds", "When the store was looked at last.",
            [("", picture.madeAt.seconds)])
        add(
            "status_workspaces", "Workspaces by how much they need a hand.",
            StatusNeed.allCases.map { need in
                let count = picture.byName.filter { picture.need($0) == need }.count
                return (Self.labels([("need", need.word)]), Int64(count))
            })
        if let first = picture.nextToExpire, let life = first.life {
            add(
                "status_smallest_remaining_life_seconds",
                "What is left of the served config that ends first; negative when it is over.",
                [(Self.labels(first), life.left(at: picture.madeAt).seconds)])
        }
        add(
            "workspace_expires_at_timestamp_seconds", "When the served config ends.",
            samples { $0.life?.expiresAt.seconds })
        add(
            "workspace_due_at_timestamp_seconds", "When it is time to sign again.",
            samples { $0.life?.dueAt.seconds })
        add("workspace_served_version", "The version that is served.", samples(\.version))
        add(
            "workspace_state", "The state of what is served, 1 for the one it is in.",
            picture.byName.map {
                (Self.labels($0, [("state", $0.state.rawValue)]), 1)
            })
        add(
            "workspace_needs_a_hand", "1 where something needs a hand.",
            samples { picture.need($0).group == .needsAHand ? 1 : 0 })
        add(
            "workspace_alarms", "Alarms by code; no line where there is none.",
            picture.byName.flatMap { workspace in
                workspace.alarms.map { (Self.labels(workspace, [("code", $0)]), 1) }
            })
        return lines.joined(separator: "\n") + "\n"
    }

    private func samples(
        _ value: (WorkspacePicture) -> Int64?
    ) -> [(labels: String, value: Int64)] {
        picture.byName.compactMap { workspace in
            value(workspace).map { (Self.labels(workspace), $0) }
        }
    }

    private static func labels(
        _ workspace: WorkspacePicture, _ more: [(String, String)] = []
    ) -> String {
        labels([("workspace", workspace.workspace.text)] + more)
    }

    static func labels(_ labels: [(String, String)]) -> String {
        "{" + labels.map { "\($0.0)=\"\(escaped($0.1))\"" }.joined(separator: ",") + "}"
    }

    /// Label values escape backslash, quotation mark and line feed.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": result += "\\\\"
            case "\"": result += "\\\""
            case "\n": result += "\\n"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
