import GronaFormats
import Transitions

/// Whether the number of a draft is free, and no further away than installs can be led.
enum VersionRule {
    /// - Parameter isForeign: whether the source is one that nobody but its signature vouches for;
    ///   its version is no measure then.
    static func check(
        _ draft: Draft, _ history: SignerHistory, isForeign: Bool
    ) throws(SigningError) {
        let known = isForeign ? 0 : draft.knownVersion
        let highest = max(history.highest, known)
        // What no URL serves has no number that a device knows: it goes above all.
        if draft.isAboveAll, draft.version.number <= history.highest, !repeats(draft, history) {
            throw .version(
                .notAbove(
                    draft.version, highest: history.highest, next: ConfigVersion(highest + 1)))
        }
        let isJump = VersionStep.isJump(
            draft.version.number, above: highest, allowed: draft.allowedJump)
        guard !isJump else { throw .version(.jump(draft.version, highest: highest)) }
        guard draft.role != .bundle else { return }
        // A renewal stands for nothing that was given up, not even the very same, made in one second.
        let isGivenUp =
            history.isWithdrawn(draft.version) && !SignatureRole.step(draft.role).setsFloor
        guard !isGivenUp, !history.isTaken(draft.version, byOtherThan: draft.digest) else {
            throw .version(.reused(draft.version, next: history.firstFree(above: draft.version)))
        }
    }

    private static func repeats(_ draft: Draft, _ history: SignerHistory) -> Bool {
        draft.role == .bundle
            ? history.hasBundled(draft.digest) : history.origin(of: draft.digest) == .signed
    }
}
