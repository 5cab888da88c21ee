package import GronaFormats

/// What an install does with an envelope that reaches it over a channel at a time, the signature
/// check's result given as a value: the second of two steps.
///
/// All rows are reported, those made meaningless by an earlier one as skipped; the first failure is
/// the verdict.
///
/// Source: signed-configuration: What the SDK checks.
package func outcome(
    _ install: Install, _ envelope: EnvelopeReading, signature: SignatureCheck,
    channel: Channel = .remote, at now: UnixTime
) -> Outcome {
    var table = CheckTable()
    let kid = table.signer(install, envelope, signature)
    let head = kid == nil ? nil : envelope.payload.flatMap { table.run(.payload, $0) }
    if let head {
        table.contents(head, install, now)
    }
    table.skipRest()
    let payload = head == nil ? nil : try? envelope.config?.get()
    let supersedes = table.supersedes(head, install)
    var after = install
    if table.isAccepted, let payload {
        after.accept(RunningConfig(payload: payload, channel: channel))
    } else if supersedes, let version = head?.version {
        after.supersededBy = max(install.supersededBy ?? version, version)
    }
    return Outcome(
        rows: table.rows, kid: kid, head: head, payload: payload,
        warnings: head == nil ? [] : warnings(envelope, payload, install),
        supersedes: supersedes, install: after)
}

private func warnings(
    _ envelope: EnvelopeReading, _ payload: ConfigPayload?, _ install: Install
) -> [RuleViolation] {
    var warnings: [RuleViolation] = []
    let sizes = [
        (RuleCode.envelopeTooLarge, envelope.byteCount, Limits.envelope.signing),
        (.payloadTooLarge, envelope.payloadByteCount, Limits.payload.signing),
    ]
    for (code, size, limit) in sizes where size > limit {
        warnings.append(RuleViolation(code, .size(size, limit: limit)))
    }
    if let payload {
        warnings += payload.unreadableCampaigns
        if payload.isDemo != install.isDemo {
            warnings.append(
                RuleViolation(
                    .payloadDemo,
                    .demoSwitches(install: install.isDemo, config: payload.isDemo)))
        }
    }
    return warnings
}

extension Install {
    /// Takes an accepted config in.
    fileprivate mutating func accept(_ config: RunningConfig) {
        let version = config.payload.version
        highestVersion = highestVersion.raised(to: version)
        if let mark = supersededBy, version >= mark { supersededBy = nil }
        if let running, !running.givesWay(to: config) { return }
        running = config
    }
}
