package import GronaFormats

/// One line of the audit log: what happened, when, by whom and for which workspace.
package struct AuditRecord: Sendable, Equatable {
    package var act: Act
    package var at: UnixTime
    /// The name of the user, or the number where there is none.
    package var user: String
    package var workspace: WorkspaceName
    /// Set where the record was made in a rehearsal.
    package var isRehearsal: Bool

    /// What happened.
    package enum Act: Sendable, Equatable {
        /// A document is about to be signed.
        case signature(SignatureRecord)
        /// A person, or `kill` on the worst day, took an envelope in.
        case adoption(AdoptionRecord)
        /// A person gave a version up that was signed and never published.
        case withdrawal(version: ConfigVersion, reason: String)
        /// The keyring is about to change.
        case keyring(KeyringRecord)
        /// A run that gives grants out begins.
        case grantsBegin(kid: KeyID, thumbprint: String, log: String)
        /// A run that gave grants out has ended.
        case grantsEnd(count: Int64, log: String, digest: String)
    }

    package init(
        _ act: Act, at: UnixTime, user: String, workspace: WorkspaceName, isRehearsal: Bool = false
    ) {
        self.act = act
        self.at = at
        self.user = user
        self.workspace = workspace
        self.isRehearsal = isRehearsal
    }
}

/// What a signature is for. Digests are SHA-256 of the decoded payload in lower-case hex.
package struct SignatureRecord: Sendable, Equatable {
    package var role: SignatureRole
    package var kid: KeyID
    package var thumbprint: String
    /// None for a preview pin.
    package var version: ConfigVersion?
    package var digest: String
    package var issuedAt: UnixTime
    package var expiresAt: UnixTime
    /// The digest of what it was made from; for a restore, the old one.
    package var source: String?
    /// What it changes beyond version and times.
    package var changes: SignedChanges
    /// What it does to the switches that are remembered as off.
    package var switches: SwitchRecord

    package init(
        role: SignatureRole, kid: KeyID, thumbprint: String, version: ConfigVersion?,
        digest: String, issuedAt: UnixTime, expiresAt: UnixTime, source: String? = nil,
        changes: SignedChanges = SignedChanges(), switches: SwitchRecord = SwitchRecord()
    ) {
        self.role = role
        self.kid = kid
        self.thumbprint = thumbprint
        self.version = version
        self.digest = digest
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.source = source
        self.changes = changes
        self.switches = switches
    }
}

/// The changes which make two signatures of one role and source the same act.
package struct SignedChanges: Sendable, Equatable {
    /// Ids of campaigns, sorted.
    package var disabled: [String]
    package var enabled: [String]
    /// For a restore, the digest of the served payload.
    package var served: String?

    package init(disabled: [String] = [], enabled: [String] = [], served: String? = nil) {
        self.disabled = Set(disabled).sorted()
        self.enabled = Set(enabled).sorted()
        self.served = served
    }
}

/// An envelope that was taken in although it was not signed here.
package struct AdoptionRecord: Sendable, Equatable {
    package var version: ConfigVersion
    package var digest: String
    package var kid: KeyID
    package var reason: String
    /// Taken in by `kill`, not by a person.
    package var byKill: Bool
    /// Ids of campaigns that are off in it and were not remembered as off, sorted.
    package var off: [String]

    package init(
        version: ConfigVersion, digest: String, kid: KeyID, reason: String, byKill: Bool = false,
        off: [String] = []
    ) {
        self.version = version
        self.digest = digest
        self.kid = kid
        self.reason = reason
        self.byKill = byKill
        self.off = Set(off).sorted()
    }
}

/// A change of a keyring, or a keyring that is seen for the first time.
package struct KeyringRecord: Sendable, Equatable {
    package enum Change: String, Sendable, CaseIterable {
        /// First seen by this log, with no record of how it came to be.
        case firstUse = "first-use"
        /// A person accepted a keyring that was changed elsewhere.
        case accepted
        case generated
        case imported
    }

    package var change: Change
    /// SHA-256 of the keyring file in lower-case hex; none where there was no file.
    package var before: String?
    package var after: String
    package var kid: KeyID?
    package var thumbprint: String?
    package var use: KeyUse?
    package var state: KeyState?

    package init(
        change: Change, before: String?, after: String, kid: KeyID? = nil,
        thumbprint: String? = nil, use: KeyUse? = nil, state: KeyState? = nil
    ) {
        self.change = change
        self.before = before
        self.after = after
        self.kid = kid
        self.thumbprint = thumbprint
        self.use = use
        self.state = state
    }
}
