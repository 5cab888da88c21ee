/// Whether a file or folder, and everything above it, can only be changed by trusted owners.
///
/// Each component of the path, and of where its links lead, belongs to a trusted owner and is
/// writable by nobody else (an access list shows in the group's bits), except that a folder above
/// with the sticky bit, such as `/tmp`, may be writable: there only the owner of an entry can rename
/// or remove it. A link itself has no bits of its own: it counts by the folder in which it stands.
package struct TrustedOwnership: Sendable, Equatable {
    /// The path without links; use this one afterwards, since links may change meanwhile.
    package let resolved: FilePath
    /// The first offending component in the order in which they are passed; nil when all are fine.
    package let violation: Violation?

    package struct Violation: Sendable, Equatable {
        /// The offending file, folder or link, by a path without links above it.
        package let component: FilePath
        package let reason: Reason
        package let status: FileStatus
    }

    package enum Reason: Sendable, Equatable {
        case foreignOwner
        /// The group or others may write (permission bits `020` or `002`).
        case writableByOthers
    }

    /// Looks at `path`, which must exist.
    package static func check(
        _ path: FilePath, trusting owners: TrustedOwners
    ) throws(SystemError) -> TrustedOwnership {
        var walk = PathWalk(path)
        var violation: Violation?
        while let step = try walk.next() {
            guard violation == nil,
                let reason = reason(step, trusting: owners)
            else { continue }
            violation = Violation(component: step.path, reason: reason, status: step.status)
        }
        return TrustedOwnership(resolved: walk.place, violation: violation)
    }

    private static func reason(_ step: PathWalk.Step, trusting owners: TrustedOwners) -> Reason? {
        guard step.status.kind == .link else {
            return reason(step.status, isLast: step.isLast, trusting: owners)
        }
        // Where others may write as well, whoever owns a link can put another one in its place.
        return step.isInSharedFolder && !owners.contains(step.status.owner) ? .foreignOwner : nil
    }

    /// The same for a path of which the end may not exist yet; then for what is there of it.
    ///
    /// In a folder with the sticky bit somebody else may be faster: check again what was made.
    package static func checkExistingPart(
        of path: FilePath, trusting owners: TrustedOwners
    ) throws(SystemError) -> TrustedOwnership {
        var existing = path
        while true {
            do {
                let found = try check(existing, trusting: owners)
                // A sticky folder at the end of what exists is above what will be made.
                guard existing != path, let violation = found.violation,
                    violation.component == found.resolved,
                    violation.reason == .writableByOthers,
                    isSticky(violation.status)
                else { return found }
                return TrustedOwnership(resolved: found.resolved, violation: nil)
            } catch {
                guard error.number == .notFound, existing.parent != existing else { throw error }
                existing = existing.parent
            }
        }
    }

    static func reason(
        _ status: FileStatus, isLast: Bool, trusting owners: TrustedOwners
    ) -> Reason? {
        guard owners.contains(status.owner) else { return .foreignOwner }
        guard status.permissions & 0o022 != 0 else { return nil }
        return !isLast && isSticky(status) ? nil : .writableByOthers
    }

    private static func isSticky(_ status: FileStatus) -> Bool {
        status.kind == .folder && status.permissions & 0o1000 != 0
    }
}
