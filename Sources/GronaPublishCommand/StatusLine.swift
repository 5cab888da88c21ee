import CommandLineKit
import GronaFormats
import StrictJSON

/// One workspace in the answer of `status`.
///
/// What stands in the way of one workspace, such as a folder in the store without a keyring, is
/// told in its line: the others are looked at all the same.
enum StatusLine {
    case known(WorkspaceStatus)
    case unknown(WorkspaceName, Diagnostic)

    var workspace: WorkspaceName {
        switch self {
        case .known(let status): status.workspace
        case .unknown(let workspace, _): workspace
        }
    }

    var state: String {
        switch self {
        case .known(let status): status.state.rawValue
        case .unknown: "unreadable"
        }
    }

    var needsAHand: Bool {
        switch self {
        case .known(let status): status.needsAHand
        case .unknown: true
        }
    }

    /// What needs a hand, in words.
    var messages: [String] {
        switch self {
        case .known(let status):
            AlarmWording.messages(status.found)
                + (status.state == .expiring ? ["less than a quarter of its life is left"] : [])
        case .unknown(_, let diagnostic):
            [(diagnostic.file.map { "\($0): " } ?? "") + diagnostic.message]
        }
    }

    var json: JSONValue {
        switch self {
        case .known(let status): status.json
        case .unknown(let workspace, let diagnostic):
            .object([
                ("workspace", .string(workspace.text)), ("version", .null),
                ("state", .string(state)), ("alarms", .array([.string(diagnostic.code)])),
                ("message", .string(diagnostic.message)), ("bundles", .array([])),
            ])
        }
    }
}
