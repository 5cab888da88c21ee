import GronaFormats

/// Verifies the grants of one workspace before an order backend applies them: no network, no
/// private keys, no clock.
///
/// The campaign's basket conditions against the real order are the backend's own to check.
///
/// ```swift
/// let verifier = try GrantVerifier(workspace: "acme-market", keys: [current, next])
/// let verdict = try verifier.verify(token, for: Order(customer: "cus_7Hq2Lm9x"), at: now) {
///     try database.insertIfAbsent($0.text, until: $0.expiresAt)
/// }
/// if let grant = verdict.grant { apply(grant) }
/// ```
///
/// Source: offers-and-grants: The order backend is the enforcement point.
public struct GrantVerifier: Sendable {
    private let workspace: String
    private let checker: TokenChecker

    /// - Parameters:
    ///   - workspace: the workspace key.
    ///   - keys: the current grant key and the next one.
    public init(workspace: String, keys: [GrantKey]) throws(GrantKeyError) {
        guard let name = WorkspaceName(workspace) else { throw .workspace }
        var trust = TrustedKeys()
        do throws(TrustError) {
            for key in keys {
                try trust.add(
                    TrustedKey(
                        kid: key.identifier, use: .grant, workspace: name,
                        publicKey: key.publicKey, state: nil, isTrusted: true))
            }
        } catch {
            throw GrantKeyError(error)
        }
        self.workspace = workspace
        checker = TokenChecker(trust: trust)
    }

    /// - Parameter pinsFile: the bytes of the pins file of one workspace, as JSON.
    public init(pinsFile: [UInt8]) throws(GrantKeyError) {
        let pins: PinsFile
        do throws(FormatError) {
            pins = try PinsFile(parsing: pinsFile)
        } catch {
            throw .pins
        }
        var keys: [GrantKey] = []
        for pin in pins.grant {
            keys.append(try GrantKey(kid: pin.kid.text, publicKey: pin.publicKey.base64))
        }
        try self.init(workspace: pins.workspace.text, keys: keys)
    }

    /// Runs every check; the first failure is the verdict.
    ///
    /// - Parameters:
    ///   - token: the compact JWS, unchanged.
    ///   - now: Unix seconds.
    ///   - firstUse: stores the nonce and says whether it was new, in one atomic step. It is called
    ///     only when everything else holds; what it throws is passed on, and no grant is given.
    public func verify<Failure>(
        _ token: String, for order: Order, at now: Int64,
        firstUse: (GrantNonce) throws(Failure) -> Bool
    ) throws(Failure) -> GrantVerdict {
        let query = GrantQuery(
            workspace: workspace, subject: order.customer, campaign: order.campaign,
            variant: order.variant, treatmentType: order.treatmentType,
            treatmentValue: order.treatmentValueInThousandths)
        let report = try checker.checkGrant(Array(token.utf8), query, at: UnixTime(now)) {
            (nonce, expiresAt) throws(Failure) -> NonceUse in
            let nonce = GrantNonce(text: nonce.text, expiresAt: expiresAt.seconds)
            return try firstUse(nonce) ? .first : .again
        }
        let grant = report.accepted ? report.claims.map(VerifiedGrant.init) : nil
        return GrantVerdict(report.checks, grant)
    }
}

extension GrantKeyError {
    init(_ error: TrustError) {
        switch error {
        case .publicKey, .thumbprint: self = .publicKey
        case .kidTwice(let kid): self = .kidTwice(kid.text)
        case .keyTwice(let first, let second): self = .keyTwice(first.text, second.text)
        }
    }
}
