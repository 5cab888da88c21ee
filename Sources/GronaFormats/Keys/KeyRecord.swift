package import StrictJSON

/// One step of a key's life.
package struct KeyEvent: Sendable {
    package var state: KeyState
    package var at: UnixTime
    /// What else is on record about the step, such as who confirmed it.
    package var details: [(name: String, value: JSONValue)]

    package init(
        state: KeyState, at: UnixTime, details: [(name: String, value: JSONValue)] = []
    ) {
        self.state = state
        self.at = at
        self.details = details
    }
}

/// A key of a keyring: its public half, where its private half is, and its life so far.
package struct KeyRecord: Sendable {
    package var kid: KeyID
    package var use: KeyUse
    package private(set) var state: KeyState
    /// The URI of what signs with it.
    package var signer: String
    package var publicKey: PublicKeyText
    /// RFC 7638 with SHA-256, base64url.
    package var thumbprint: String
    /// The steps, the first first; the last is that of `state`.
    package private(set) var history: [KeyEvent]

    package init(
        kid: KeyID, use: KeyUse, signer: String, publicKey: PublicKeyText, thumbprint: String,
        born: KeyEvent
    ) {
        self.kid = kid
        self.use = use
        self.signer = signer
        self.publicKey = publicKey
        self.thumbprint = thumbprint
        state = born.state
        history = [born]
    }

    /// Nil when there is no step.
    package init?(
        kid: KeyID, use: KeyUse, signer: String, publicKey: PublicKeyText, thumbprint: String,
        history: [KeyEvent]
    ) {
        guard let last = history.last else { return nil }
        self.kid = kid
        self.use = use
        self.signer = signer
        self.publicKey = publicKey
        self.thumbprint = thumbprint
        state = last.state
        self.history = history
    }

    /// Records a step; whether it may be taken is the caller's to ask.
    package mutating func enter(_ event: KeyEvent) {
        state = event.state
        history.append(event)
    }
}
