import DeviceModel
import ES256
import GronaFormats
import JOSE
import Libcrypto

/// A token whose signature holds.
struct SignedToken {
    let key: TrustedKey
    let payload: [UInt8]
}

/// The checks of one token, filled in their order.
struct TokenTable {
    let codes: TokenCodes
    private(set) var results: [TokenCheck: CheckResult] = [:]

    init(_ codes: TokenCodes) {
        self.codes = codes
    }

    /// Those of `checks` in their order; what did not run was skipped.
    func rows(_ checks: [TokenCheck]) -> [NamedCheck] {
        checks.map { NamedCheck(name: $0.rawValue, result: results[$0] ?? .skipped) }
    }

    var isAccepted: Bool {
        results.values.allSatisfy { $0.violation == nil }
    }

    /// Runs one check; nil when it failed.
    mutating func run<Value>(
        _ check: TokenCheck, _ body: () throws(RuleViolation) -> Value
    ) -> Value? {
        do throws(RuleViolation) {
            let value = try body()
            results[check] = .passed
            return value
        } catch {
            results[check] = .failed(error)
            return nil
        }
    }

    mutating func require(_ check: TokenCheck, _ holds: Bool, _ violation: RuleViolation) {
        results[check] = holds ? .passed : .failed(violation)
    }

    /// Checks `size` to `signature`; nothing behind them means anything when one fails.
    mutating func signed(
        _ bytes: [UInt8], _ trust: TrustedKeys, workspace: String?
    ) -> SignedToken? {
        let codes = codes
        let limit = Limits.token.verifying
        require(
            .size, bytes.count <= limit,
            RuleViolation(codes.tooLarge, .size(bytes.count, limit: limit)))
        guard isAccepted,
            let parts = run(.token, { () throws(RuleViolation) in try codes.parse(bytes) }),
            let header = run(
                .header, { () throws(RuleViolation) in try HeaderRule.read(parts.jws.protected) }),
            let key = run(
                .kid, { () throws(RuleViolation) in try codes.signer(header, trust, workspace) })
        else { return nil }
        let signature: Void? = run(.signature) { () throws(RuleViolation) in
            let raw = try SignatureRule.decode(parts.jws.signature)
            try SignatureRule.check(
                holds: key.publicKey.isValidSignature(raw, for: parts.jws.signingDigest))
        }
        return signature == nil ? nil : SignedToken(key: key, payload: parts.payload)
    }

    /// Checks `issued-at`, `lifetime` and `expired`.
    mutating func times(from issuedAt: UnixTime, to expiresAt: UnixTime, at now: UnixTime) {
        let codes = codes
        _ = run(.issuedAt) { () throws(RuleViolation) in
            guard issuedAt.isWithinBounds else {
                throw RuleViolation(codes.issuedAt, .outOfBounds(issuedAt))
            }
            guard issuedAt.since(now) <= Limits.clockSkew else {
                throw RuleViolation(
                    codes.issuedAt, .ahead(issuedAt, now: now, allowed: Limits.clockSkew))
            }
        }
        _ = run(.lifetime) { () throws(RuleViolation) in
            guard expiresAt.isWithinBounds else {
                throw RuleViolation(codes.lifetime, .outOfBounds(expiresAt))
            }
            guard expiresAt > issuedAt else {
                throw RuleViolation(
                    codes.lifetime, .endsBeforeItBegins(from: issuedAt, to: expiresAt))
            }
            let lifetime = expiresAt.since(issuedAt)
            guard lifetime <= codes.longest else {
                throw RuleViolation(codes.lifetime, .tooLong(lifetime, limit: codes.longest))
            }
        }
        require(
            .expired, expiresAt > now,
            RuleViolation(codes.expired, .expired(at: expiresAt, now: now)))
    }
}
