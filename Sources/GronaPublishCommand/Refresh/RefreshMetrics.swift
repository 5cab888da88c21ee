import CommandLineKit
import GronaFormats
import LinuxIO
import PublishProtocol

/// A run as metrics in Prometheus text format 0.0.4, without time stamps.
struct RefreshMetrics {
    /// The first line of every file of ours.
    static let firstLine = "# grona-publish refresh"

    let outcome: RefreshOutcome
    let now: UnixTime
    let lastSuccess: UnixTime?
    let auditHeads: [WorkspaceName: String]
    let exit: ExitStatus

    var text: String {
        var lines = [Self.firstLine]
        func add(_ name: String, _ help: String, _ samples: [(labels: String, value: Int64)]) {
            guard !samples.isEmpty else { return }
            lines += ["# HELP grona_\(name) \(help)", "# TYPE grona_\(name) gauge"]
            lines += samples.map { "grona_\(name)\($0.labels) \($0.value)" }
        }
        add("refresh_last_run_timestamp_seconds", "When a run ended.", [("", now.seconds)])
        add(
            "refresh_last_success_timestamp_seconds",
            "When a run ended last that renewed all it could; 0 where none is known.",
            [("", lastSuccess?.seconds ?? 0)])
        add("refresh_last_exit_code", "With what the run ended.", [("", Int64(exit.rawValue))])
        add(
            "refresh_stopped", "1 where the run ended before it had done what it could, by code.",
            outcome.stop.map { [(StatusMetrics.labels([("code", $0)]), Int64(1))] } ?? [])
        add("refresh_workspaces", "Workspaces looked at.", [("", Int64(outcome.lines.count))])
        add("refresh_due", "Workspaces that were due.", [("", Int64(outcome.due))])
        add("refresh_renewed", "Workspaces renewed.", [("", Int64(outcome.count(.renewed)))])
        add(
            "refresh_failed", "Workspaces that need a hand, by code; no line where there is none.",
            outcome.failures.map { (StatusMetrics.labels([("code", $0.code)]), Int64($0.count)) })
        if let first = outcome.nextToExpire, let fresh = first.freshness {
            add(
                "refresh_smallest_remaining_life_seconds",
                "What is left of the served config that ends first; negative when it is over.",
                [(Self.labels(first), fresh.left(at: now).seconds)])
        }
        add(
            "refresh_expires_at_timestamp_seconds", "When the served config ends.",
            samples { $0.freshness?.expiresAt.seconds })
        add("refresh_served_version", "The version that is served.", samples(\.version))
        add(
            "refresh_needs_a_hand", "1 where the run could not do what was due, by code.",
            outcome.lines.compactMap { line in
                line.trouble.map {
                    (
                        StatusMetrics.labels([
                            ("workspace", line.workspace.text), ("code", $0.code),
                        ]), 1
                    )
                }
            })
        add(
            "refresh_alarms", "What was found in the store, by code.",
            outcome.lines.flatMap { line in
                line.alarms.map {
                    (
                        StatusMetrics.labels([("workspace", line.workspace.text), ("code", $0)]),
                        1
                    )
                }
            })
        add(
            "refresh_audit_head_info",
            "The head of the signer's audit log, as known when the workspace was renewed last.",
            auditHeads.sorted { $0.key < $1.key }.map { workspace, head in
                (StatusMetrics.labels([("workspace", workspace.text), ("head", head)]), 1)
            })
        return lines.joined(separator: "\n") + "\n"
    }

    private func samples(_ value: (RefreshLine) -> Int64?) -> [(labels: String, value: Int64)] {
        outcome.lines.compactMap { line in value(line).map { (Self.labels(line), $0) } }
    }

    private static func labels(_ line: RefreshLine) -> String {
        StatusMetrics.labels([("workspace", line.workspace.text)])
    }
}

extension RefreshMetrics {
    /// What an earlier file of ours says that holds on, whatever the run after it could not do.
    struct Earlier {
        private(set) var lastSuccess: UnixTime?
        private(set) var auditHeads: [WorkspaceName: String] = [:]

        private static let limit = 256 << 20

        /// Nil where there is no such file.
        init?(in path: FilePath?) {
            guard let path, path != "-",
                let bytes = try? readFile(
                    path, limit: Self.limit, links: .refuse, pipes: .refuse),
                bytes.starts(with: RefreshMetrics.firstLine.utf8)
            else { return nil }
            let success = Array("grona_refresh_last_success_timestamp_seconds ".utf8)
            let head = Array("grona_refresh_audit_head_info{workspace=\"".utf8)
            for line in bytes.split(separator: UInt8(ascii: "\n")) {
                if line.starts(with: success) {
                    lastSuccess = Int64(Self.text(line.dropFirst(success.count)))
                        .map { UnixTime($0) }
                } else if line.starts(with: head) {
                    let parts = line.split(
                        separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
                    guard parts.count == 5, ContentDigest(hex: Self.text(parts[3])) != nil,
                        let workspace = WorkspaceName(Self.text(parts[1]))
                    else { continue }
                    auditHeads[workspace] = Self.text(parts[3])
                }
            }
        }

        private static func text(_ bytes: some Sequence<UInt8>) -> String {
            String(decoding: Array(bytes), as: UTF8.self)
        }
    }
}
