import GronaFormats
import JOSE
import StrictJSON

/// The rows of one run, filled in the SDK's order.
struct CheckTable {
    private(set) var rows: [CheckRow] = []

    var isAccepted: Bool {
        rows.allSatisfy { $0.result.violation == nil }
    }

    /// Runs one check; nil when it failed.
    mutating func run<Value>(
        _ check: DeviceCheck, _ body: () throws(RuleViolation) -> Value
    ) -> Value? {
        do throws(RuleViolation) {
            let value = try body()
            rows.append(CheckRow(check: check, result: .passed))
            return value
        } catch {
            rows.append(CheckRow(check: check, result: .failed(error)))
            return nil
        }
    }

    mutating func run<Value>(
        _ check: DeviceCheck, _ result: Result<Value, RuleViolation>
    ) -> Value? {
        run(check) { () throws(RuleViolation) in try result.get() }
    }

    /// Runs one check that gives nothing but its verdict.
    @discardableResult
    mutating func holds(
        _ check: DeviceCheck, _ body: () throws(RuleViolation) -> Void
    ) -> Bool {
        let passed: Void? = run(check, body)
        return passed != nil
    }

    mutating func skip(_ check: DeviceCheck) {
        rows.append(CheckRow(check: check, result: .skipped))
    }

    mutating func skipRest() {
        for check in DeviceCheck.allCases.dropFirst(rows.count) {
            skip(check)
        }
    }

    /// Rows `size` to `signature`: who signed it, nil when that does not stand.
    mutating func signer(
        _ install: Install, _ envelope: EnvelopeReading, _ signature: SignatureCheck
    ) -> KeyID? {
        holds(.size) { () throws(RuleViolation) in
            try SizeRule.check(byteCount: envelope.byteCount)
        }
        guard !envelope.isUnread, let jws = run(.envelope, envelope.jws),
            let header = envelope.header.flatMap({ run(.header, $0) }),
            let kid = run(
                .kid,
                { () throws(RuleViolation) in
                    try KidRule.check(
                        header, type: .config, pins: install.pins, states: install.keyStates)
                })
        else { return nil }
        let isSigned = holds(.signature) { () throws(RuleViolation) in
            _ = try SignatureRule.decode(jws.signature)
            try SignatureRule.check(holds: signature == .holds)
        }
        return isSigned ? kid : nil
    }

    /// Rows `workspace` to `min-sdk`, of a payload whose signature holds.
    mutating func contents(_ head: PayloadHead, _ install: Install, _ now: UnixTime) {
        let root = head.root
        let isOurs = holds(.workspace) { () throws(RuleViolation) in
            try WorkspaceRule.check(head.workspace, needed: install.workspace)
        }
        let isKnown = holds(.schema) { () throws(RuleViolation) in
            try SchemaRule.check(head.schema)
        }
        // Versions of another workspace are no more comparable than those nobody asked about.
        if !isOurs || install.highestVersion == .notAsked {
            skip(.version)
        } else {
            holds(.version) { () throws(RuleViolation) in
                try VersionRule.check(head.version, highest: install.highestVersion.version)
            }
        }
        // What these members mean in another schema is for a newer SDK to say.
        guard isKnown else { return }
        let times = run(.times) { () throws(RuleViolation) in try TimesRule.check(root) }
        if times == nil, root["expires_at"]?.integer == nil {
            skip(.expired)
        } else {
            holds(.expired) { () throws(RuleViolation) in
                try ExpiredRule.check(root, now: now)
            }
        }
        _ = run(.ttl) { () throws(RuleViolation) in try TTLRule.check(root) }
        minSDK(head, install)
    }

    /// Without an SDK's version the form alone is looked at: no SDK takes another one.
    private mutating func minSDK(_ head: PayloadHead, _ install: Install) {
        if let available = install.sdkVersion {
            _ = run(.minSDK) { () throws(RuleViolation) in
                try MinSDKRule.check(head.root, available: available)
            }
        } else if (try? MinSDKRule.read(head.root)) != nil {
            skip(.minSDK)
        } else {
            _ = run(.minSDK) { () throws(RuleViolation) in try MinSDKRule.read(head.root) }
        }
    }

    /// Rows `size` to `workspace` hold, the version is above that of what runs, and the config needs
    /// a newer SDK, whatever the rows between say. Where nothing runs, the highest accepted version
    /// stands for it.
    ///
    /// Source: signed-configuration: Configurations that need a newer SDK.
    func supersedes(_ head: PayloadHead?, _ install: Install) -> Bool {
        guard let head else { return false }
        let needsNewerSDK = rows.contains { row in
            switch row.result.violation?.code {
            case .payloadUnknownSchema?, .payloadNeedsNewerSDK?: row.check.supersedes
            default: false
            }
        }
        let holds = rows.prefix { $0.check != .schema }.allSatisfy { $0.result == .passed }
        let base = install.running?.payload.version ?? install.highestVersion.version
        return needsNewerSDK && holds && base.map { head.version > $0 } ?? true
    }
}
