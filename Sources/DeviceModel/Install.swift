package import GronaFormats

/// An app on a device: what it was built with and what it remembers.
///
/// It is carried from step to step: an outcome holds the install as it is afterwards.
package struct Install: Sendable {
    package var workspace: String
    /// Nil where it is not asked: then row `min-sdk` looks at the form alone.
    package var sdkVersion: SDKVersion?
    /// The kids of the config keys that the app carries.
    package var pins: Set<KeyID>
    /// Why a kid is not among the pins, where a keyring knows it; for the detail alone.
    package var keyStates: [KeyID: KeyState]
    /// The demo mode option of the app (signed-configuration: Demo mode).
    package var isDemo: Bool
    package var highestVersion: HighestVersion
    package var running: RunningConfig?
    /// The highest version that superseded what runs; it survives restarts.
    package var supersededBy: ConfigVersion?

    package init(
        workspace: String, sdkVersion: SDKVersion?, pins: Set<KeyID>,
        keyStates: [KeyID: KeyState] = [:], isDemo: Bool = false,
        highestVersion: HighestVersion = .none, running: RunningConfig? = nil,
        supersededBy: ConfigVersion? = nil
    ) {
        self.workspace = workspace
        self.sdkVersion = sdkVersion
        self.pins = pins
        self.keyStates = keyStates
        self.isDemo = isDemo
        self.highestVersion = highestVersion
        self.running = running
        self.supersededBy = supersededBy
    }
}

/// The highest version that an install has accepted.
///
/// Source: signed-configuration: Rollback protection.
package enum HighestVersion: Sendable, Hashable {
    /// Not asked: row `version` is skipped.
    case notAsked
    /// A fresh install: it has accepted nothing yet.
    case none
    case accepted(ConfigVersion)

    package var version: ConfigVersion? {
        if case .accepted(let version) = self { version } else { nil }
    }

    /// After accepting one more.
    func raised(to version: ConfigVersion) -> HighestVersion {
        .accepted(max(self.version ?? version, version))
    }
}

/// The config that an install has accepted last.
package struct RunningConfig: Sendable {
    package let payload: ConfigPayload
    package let channel: Channel

    package init(payload: ConfigPayload, channel: Channel) {
        self.payload = payload
        self.channel = channel
    }

    /// Whether an accepted config takes this one's place: the higher version wins, at equal version
    /// the remote copy (signed-configuration: Refresh).
    package func givesWay(to other: RunningConfig) -> Bool {
        if other.payload.version != payload.version {
            return other.payload.version > payload.version
        }
        return other.channel == .remote || channel == .bundle
    }
}
