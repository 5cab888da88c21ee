import CommandLineKit
import PublishProtocol

/// The words for what an operator must see whatever the run comes to.
enum AlarmWording {
    static func diagnostic(_ alarm: Alarm, file: String?) -> Diagnostic {
        .warning(code: alarm.code, message: message(alarm), file: file, help: help(alarm))
    }

    static func message(_ alarm: Alarm) -> String {
        switch alarm {
        case .rolledBack(let served, let mark): RefusalWording.rolledBack(served, mark)
        case .servedUnusable(let code): "no device takes what is served: \(code)"
        case .junkClaim(let version):
            "under version \(version) stands something in the store that none of our keys signed"
        case .junkBundle(let name):
            "\(name) in the store's bundles is nothing that our keys signed under that name"
        }
    }

    private static func help(_ alarm: Alarm) -> String? {
        switch alarm {
        case .rolledBack: "publish a new version: it goes above everything that was ever served"
        case .servedUnusable: "publish a new version"
        case .junkClaim, .junkBundle: "find out who else writes to the store"
        }
    }
}
