package import GronaFormats

/// Something that needs a hand: what it is, and what to do.
package struct StatusFinding: Sendable, Hashable {
    /// The stable code of the alarm.
    package var code: String
    package var message: String
    package var help: String?
    /// The commands to run next, in order.
    package var commands: [String]

    package init(code: String, message: String, help: String? = nil, commands: [String] = []) {
        self.code = code
        self.message = message
        self.help = help
        self.commands = commands
    }
}

/// A bundle in the store.
package struct StatusBundle: Sendable, Hashable {
    package enum Flag: String, Sendable, Hashable, CaseIterable {
        /// Its version is above the served one: an install that has it takes no update.
        case aboveServed = "above-served"
        case expired
        /// No key that devices trust has signed it.
        case untrusted
    }

    package var version: Int64
    package var digest: String
    package var kid: String
    package var issuedAt: UnixTime?
    package var expiresAt: UnixTime?
    /// Whether the keyring's current, retiring and next keys take it.
    package var isTrusted: Bool

    package init(
        version: Int64, digest: String, kid: String, issuedAt: UnixTime?, expiresAt: UnixTime?,
        isTrusted: Bool = true
    ) {
        self.version = version
        self.digest = digest
        self.kid = kid
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.isTrusted = isTrusted
    }

    /// - Parameters:
    ///   - served: the served version, 0 for none.
    ///   - delivery: without a config URL no bundle is above what is served.
    package func flags(served: Int64, delivery: ConfigDelivery, at now: UnixTime) -> [Flag] {
        var flags: [Flag] = []
        if delivery == .served, version > served { flags.append(.aboveServed) }
        if let expiresAt, expiresAt <= now { flags.append(.expired) }
        if !isTrusted { flags.append(.untrusted) }
        return flags
    }
}

/// A version that was claimed in the store.
package struct StatusVersion: Sendable, Hashable {
    package enum State: String, Sendable, Hashable {
        case served, claimed, untrusted
    }

    package var number: Int64
    package var state: State
    package var kid: String?
    package var issuedAt: UnixTime?
    package var expiresAt: UnixTime?
    package var digest: String?

    package init(
        _ number: Int64, _ state: State, kid: String? = nil, issuedAt: UnixTime? = nil,
        expiresAt: UnixTime? = nil, digest: String? = nil
    ) {
        self.number = number
        self.state = state
        self.kid = kid
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
        self.digest = digest
    }
}

/// The public half of a key.
package struct StatusKey: Sendable, Hashable {
    package var kid: String
    package var use: KeyUse
    /// Nil for a pin, of which nothing more is known.
    package var state: KeyState?
    /// Since when it is in that state.
    package var since: UnixTime?

    package init(_ kid: String, _ use: KeyUse, _ state: KeyState?, since: UnixTime? = nil) {
        self.kid = kid
        self.use = use
        self.state = state
        self.since = since
    }

    /// Whether it is the key of that name.
    package func signed(_ kid: String?) -> Bool {
        kid.map { $0.utf8.elementsEqual(self.kid.utf8) } ?? false
    }
}
