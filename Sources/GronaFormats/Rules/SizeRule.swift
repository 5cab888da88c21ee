/// Row `size`: an envelope has at most 786,432 bytes.
///
/// Source: signed-configuration: What the SDK checks, "an envelope over 768 KB".
package enum SizeRule {
    package static func check(
        byteCount: Int, limit: Int = Limits.envelope.verifying
    ) throws(RuleViolation) {
        guard byteCount <= limit else {
            throw RuleViolation(.envelopeTooLarge, .size(byteCount, limit: limit))
        }
    }
}
