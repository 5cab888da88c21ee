import GronaFormats
package import StrictJSON

// The form of a line; the log itself adds `format`, `seq` and `prev`.
extension AuditRecord {
    package var json: [(String, JSONValue)] {
        var members: [(String, JSONValue)] = [
            ("at", .integer(at.seconds)), ("user", .string(user)),
            ("workspace", .string(workspace.text)),
        ]
        if isRehearsal { members.append(("rehearsal", .boolean(true))) }
        switch act {
        case .signature(let record):
            members += [("act", .string("sign"))] + record.json
        case .adoption(let record):
            members += [
                ("act", .string("adopt")), ("version", .integer(record.version.number)),
                ("digest", .string(record.digest)), ("kid", .string(record.kid.text)),
                ("reason", .string(record.reason)), ("by_kill", .boolean(record.byKill)),
            ]
            members.append(ids: record.off, as: "off")
        case .withdrawal(let version, let reason):
            members += [
                ("act", .string("withdraw")), ("version", .integer(version.number)),
                ("reason", .string(reason)),
            ]
        case .keyring(let record):
            members += [("act", .string("keyring"))] + record.json
        case .grantsBegin(let kid, let thumbprint, let log):
            members += [
                ("act", .string("grants-begin")), ("kid", .string(kid.text)),
                ("thumbprint", .string(thumbprint)), ("log", .string(log)),
            ]
        case .grantsEnd(let count, let log, let digest):
            members += [
                ("act", .string("grants-end")), ("count", .integer(count)),
                ("log", .string(log)), ("digest", .string(digest)),
            ]
        }
        return members
    }

    /// Reads a line; nil where it is not of this form.
    package init?(_ line: JSONElement) {
        guard let at = line["at"]?.integer, let user = line["user"]?.string,
            let workspace = line["workspace"]?.string.flatMap({ WorkspaceName($0) }),
            let act = line["act"]?.string, let value = Act(named: act, line)
        else { return nil }
        self.init(
            value, at: UnixTime(at), user: user, workspace: workspace,
            isRehearsal: line["rehearsal"]?.boolean ?? false)
    }
}

extension AuditRecord.Act {
    fileprivate init?(named name: String, _ line: JSONElement) {
        switch name {
        case "sign":
            guard let record = SignatureRecord(line) else { return nil }
            self = .signature(record)
        case "adopt":
            guard let version = line.version, let kid = line.kid,
                let digest = line["digest"]?.string, let reason = line["reason"]?.string
            else { return nil }
            self = .adoption(
                AdoptionRecord(
                    version: version, digest: digest, kid: kid, reason: reason,
                    byKill: line["by_kill"]?.boolean ?? false, off: line.strings("off")))
        case "withdraw":
            guard let version = line.version, let reason = line["reason"]?.string else {
                return nil
            }
            self = .withdrawal(version: version, reason: reason)
        case "keyring":
            guard let record = KeyringRecord(line) else { return nil }
            self = .keyring(record)
        case "grants-begin":
            guard let kid = line.kid, let thumbprint = line["thumbprint"]?.string,
                let log = line["log"]?.string
            else { return nil }
            self = .grantsBegin(kid: kid, thumbprint: thumbprint, log: log)
        case "grants-end":
            guard let count = line["count"]?.integer, let log = line["log"]?.string,
                let digest = line["digest"]?.string
            else { return nil }
            self = .grantsEnd(count: count, log: log, digest: digest)
        default:
            return nil
        }
    }
}

extension SignatureRecord {
    fileprivate var json: [(String, JSONValue)] {
        var members: [(String, JSONValue)] = [
            ("role", .string(role.text)), ("kid", .string(kid.text)),
            ("thumbprint", .string(thumbprint)), ("digest", .string(digest)),
            ("issued_at", .integer(issuedAt.seconds)), ("expires_at", .integer(expiresAt.seconds)),
        ]
        if let version { members.append(("version", .integer(version.number))) }
        if let source { members.append(("source", .string(source))) }
        if let served = changes.served { members.append(("served", .string(served))) }
        members.append(ids: changes.disabled, as: "disabled")
        members.append(ids: changes.enabled, as: "enabled")
        members.append(ids: switches.off, as: "off")
        members.append(ids: switches.on, as: "on")
        return members
    }

    fileprivate init?(_ line: JSONElement) {
        guard let role = line["role"]?.string.flatMap({ SignatureRole($0) }), let kid = line.kid,
            let thumbprint = line["thumbprint"]?.string, let digest = line["digest"]?.string,
            let issued = line["issued_at"]?.integer, let expires = line["expires_at"]?.integer
        else { return nil }
        let version = line.version
        guard version != nil || role == .preview else { return nil }
        self.init(
            role: role, kid: kid, thumbprint: thumbprint, version: version, digest: digest,
            issuedAt: UnixTime(issued), expiresAt: UnixTime(expires),
            source: line["source"]?.string,
            changes: SignedChanges(
                disabled: line.strings("disabled"), enabled: line.strings("enabled"),
                served: line["served"]?.string),
            switches: SwitchRecord(off: line.strings("off"), on: line.strings("on")))
    }
}

extension KeyringRecord {
    fileprivate var json: [(String, JSONValue)] {
        var members: [(String, JSONValue)] = [
            ("change", .string(change.rawValue)), ("after", .string(after)),
        ]
        if let before { members.append(("before", .string(before))) }
        if let kid { members.append(("kid", .string(kid.text))) }
        if let thumbprint { members.append(("thumbprint", .string(thumbprint))) }
        if let use { members.append(("use", .string(use.rawValue))) }
        if let state { members.append(("state", .string(state.rawValue))) }
        return members
    }

    fileprivate init?(_ line: JSONElement) {
        guard let change = line["change"]?.string.flatMap({ Change(rawValue: $0) }),
            let after = line["after"]?.string
        else { return nil }
        self.init(
            change: change, before: line["before"]?.string, after: after, kid: line.kid,
            thumbprint: line["thumbprint"]?.string,
            use: line["use"]?.string.flatMap { KeyUse(rawValue: $0) },
            state: line["state"]?.string.flatMap { KeyState(rawValue: $0) })
    }
}

extension [(String, JSONValue)] {
    /// Nothing where there are none.
    fileprivate mutating func append(ids: [String], as name: String) {
        if !ids.isEmpty { append((name, .array(ids.map { .string($0) }))) }
    }
}

extension JSONElement {
    fileprivate var version: ConfigVersion? {
        self["version"]?.integer.flatMap { ConfigVersion($0) }
    }
    fileprivate var kid: KeyID? { self["kid"]?.string.flatMap { KeyID($0) } }

    fileprivate func strings(_ name: String) -> [String] {
        self[name].map { $0.elements.compactMap(\.string) } ?? []
    }
}
