package import Transitions

/// What a recorded signature was for: a step of the config, or a preview pin.
package enum SignatureRole: Hashable, Sendable {
    case step(TransitionRole)
    case preview

    package init?(_ text: String) {
        if text == "preview" {
            self = .preview
        } else if let role = TransitionRole(rawValue: text) {
            self = .step(role)
        } else {
            return nil
        }
    }

    package var text: String {
        switch self {
        case .step(let role): role.rawValue
        case .preview: "preview"
        }
    }

    /// Whether the document is for the config URL, where one version has one payload.
    package var isForConfigURL: Bool {
        switch self {
        case .step(.bundle), .preview: false
        case .step(.config), .step(.renew), .step(.kill), .step(.revive), .step(.restore): true
        }
    }

    /// Whether a signature in this role makes everything older stale.
    package var setsFloor: Bool {
        switch self {
        case .step(.config), .step(.kill), .step(.revive), .step(.restore): true
        case .step(.renew), .step(.bundle), .preview: false
        }
    }
}
