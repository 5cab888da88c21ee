package import DeviceModel
import ES256
package import GronaFormats
import Libcrypto

/// What is known about the install for which a config is verified.
package struct EnvelopeQuery: Sendable {
    /// Nil: the workspace whose keyring has the kid, and only its keys are trusted.
    package var workspace: String?
    package var sdkVersion: SDKVersion?
    package var highestVersion: HighestVersion
    package var isDemo: Bool
    package var channel: Channel

    package init(
        workspace: String? = nil, sdkVersion: SDKVersion? = nil,
        highestVersion: HighestVersion = .notAsked, isDemo: Bool = false,
        channel: Channel = .remote
    ) {
        self.workspace = workspace
        self.sdkVersion = sdkVersion
        self.highestVersion = highestVersion
        self.isDemo = isDemo
        self.channel = channel
    }
}

/// Verifies configs as a device does: ES256 and the device model over keys that are trusted here.
///
/// Source: signed-configuration: What the SDK checks.
package struct EnvelopeVerifier: Sendable {
    package let trust: TrustedKeys

    package init(trust: TrustedKeys) {
        self.trust = trust
    }

    /// - Parameter bytes: the whole envelope; the caller has capped it.
    package func verify(_ bytes: [UInt8], _ query: EnvelopeQuery, at now: UnixTime) -> Outcome {
        verify(EnvelopeReading(bytes), query, at: now)
    }

    package func verify(
        _ reading: EnvelopeReading, _ query: EnvelopeQuery, at now: UnixTime
    ) -> Outcome {
        verify(
            reading, install(for: reading, query), channel: query.channel, at: now)
    }

    /// What an install with a memory of its own does with the envelope.
    package func verify(
        _ reading: EnvelopeReading, _ install: Install, channel: Channel, at now: UnixTime
    ) -> Outcome {
        let check = reading.question(for: install).map(answer) ?? .notChecked
        return outcome(install, reading, signature: check, channel: channel, at: now)
    }

    /// Runs ES256 over a question of the device model.
    package func answer(_ question: SignatureQuestion) -> SignatureCheck {
        guard let key = trust[question.kid]?.publicKey else { return .notChecked }
        let digest = SHA256.digest(question.signingInput)
        return key.isValidSignature(question.signature, for: digest) ? .holds : .fails
    }

    /// The install that a query describes. An unknown kid names no workspace: then nothing is
    /// pinned, and no row behind `kid` is reached.
    private func install(for reading: EnvelopeReading, _ query: EnvelopeQuery) -> Install {
        let kid = reading.header.flatMap { try? $0.get() }?.kid
        let workspace = query.workspace ?? trust.key(named: kid)?.workspace.text ?? ""
        return Install(
            workspace: workspace, sdkVersion: query.sdkVersion,
            pins: trust.pins(.config, workspace: workspace),
            keyStates: trust.untrustedStates(.config, workspace: workspace),
            isDemo: query.isDemo, highestVersion: query.highestVersion)
    }
}
