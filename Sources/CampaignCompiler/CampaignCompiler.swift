package import GronaFormats
internal import StrictJSON

/// Checks the sources of a workspace and makes what a payload is written from; pure.
package enum CampaignCompiler {
    /// Reads and checks every file of a workspace.
    ///
    /// - Parameters:
    ///   - source: The files as values, in any order.
    ///   - strict: Whether warnings count as errors.
    package static func check(_ source: WorkspaceSource, strict: Bool = false) -> WorkspaceLint {
        let policy = PolicyReading(source)
        let campaigns = CampaignsReading(source)
        var findings = policy.findings.finished + campaigns.findings
        var checked: CheckedWorkspace?
        if let root = policy.root, let values = policy.policy,
            !findings.contains(where: { $0.severity == .error && !isWaived($0, policy.waivers) })
        {
            let workspace = CheckedWorkspace(
                policy: values,
                campaigns: campaigns.roots.compactMap { CompiledCampaign($0) }
                    .sorted { $0.stands(before: $1) },
                root: root)
            if let finding = sizeFinding(workspace, source) {
                findings.append(finding)
            } else {
                checked = workspace
            }
        }
        return sifted(findings, policy, checked, source, strict)
    }

    /// Reads and checks `workspace.json` alone, which is what policy is read from.
    ///
    /// - Returns: The policy, `nil` while a rule is broken, and all findings.
    package static func policy(
        _ source: WorkspaceSource
    ) -> (policy: WorkspacePolicy?, findings: [Finding]) {
        let reading = PolicyReading(source)
        let policy = reading.findings.hasErrors ? nil : reading.policy
        return (policy, reading.findings.finished)
    }

    /// Takes out what is waived, weighs and sorts the rest.
    private static func sifted(
        _ findings: [Finding], _ policy: PolicyReading, _ checked: CheckedWorkspace?,
        _ source: WorkspaceSource, _ strict: Bool
    ) -> WorkspaceLint {
        let waived = findings.filter { isWaived($0, policy.waivers) }
        var standing = findings.filter { !isWaived($0, policy.waivers) }
        var unused = Findings(source: source, fileName: WorkspaceSource.policyFileName)
        for waiver in policy.waivers where !findings.contains(where: { waiver.covers($0) }) {
            unused.add(
                .workspaceUnusedWaiver, .warning, at: waiver.element,
                .unusedWaiver(
                    file: waiver.waiver.file, pointer: waiver.waiver.pointer,
                    rule: waiver.waiver.rule))
        }
        standing += unused.finished
        if strict { standing = standing.map { $0.weighing(.error) } }
        standing.sort { $0.stands(before: $1) }
        let hasErrors = standing.contains { $0.severity == .error }
        return WorkspaceLint(
            folder: source.folder, findings: standing, waived: waived,
            workspace: hasErrors ? nil : checked)
    }

    private static func isWaived(_ finding: Finding, _ waivers: [WaiverEntry]) -> Bool {
        waivers.contains { $0.covers(finding) }
    }

    private static func sizeFinding(
        _ workspace: CheckedWorkspace, _ source: WorkspaceSource
    ) -> Finding? {
        let size = workspace.largestPayload
        guard size > Limits.payload.signing else { return nil }
        var findings = Findings(source: source, fileName: WorkspaceSource.policyFileName)
        findings.add(
            .payloadTooLarge, at: workspace.root,
            .payloadSize(found: size, atMost: Limits.payload.signing))
        return findings.all.first
    }
}

extension Finding {
    /// By file, then by place, then by rule.
    fileprivate func stands(before other: Finding) -> Bool {
        if !file.utf8.elementsEqual(other.file.utf8) {
            return file.utf8.lexicographicallyPrecedes(other.file.utf8)
        }
        if position.line != other.position.line { return position.line < other.position.line }
        if position.column != other.position.column {
            return position.column < other.position.column
        }
        return rule.rawValue < other.rule.rawValue
    }
}
