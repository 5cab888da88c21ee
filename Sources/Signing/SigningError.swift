package import GronaFormats
package import ProjectFiles
package import SigningKeys
package import Transitions

/// Why something is not signed. Cases carry data; the commands have the words.
package enum SigningError: Error, Equatable, Sendable {
    /// The envelope given as `role` fails a row of what a device checks.
    case source(SourceRole, RuleViolation)
    /// The digest stands in no line of the audit log.
    case foreignSource(
        SourceRole, version: ConfigVersion, digest: String, isLogNew: Bool)
    /// Something newer was signed here.
    case staleSource(SourceRole, version: ConfigVersion, floor: Int64)
    /// Signed by a key that is compromised, and not by this signer.
    case compromisedSource(SourceRole, KeyID)
    case transition([TransitionViolation])
    /// The policy cannot be read.
    case policy(ProjectFileError)
    /// A campaign that is named and not there.
    case unknownCampaign(String)
    /// `settings.demo` is on in a workspace that is none for demos.
    case demoOutsideDemo(WorkspaceName)
    /// A folder is bundled only where no config is served.
    case deliveryNotBundleOnly(WorkspaceName)
    /// Where none is served, the folder is bundled and not an envelope.
    case deliveryBundleOnly(WorkspaceName)
    case payloadTooLarge(Int, limit: Int)
    case envelopeTooLarge(Int, limit: Int)
    case version(VersionProblem)
    case time(TimeProblem)
    case keyring(KeyringProblem)
    case key(KeyID, SigningKeyError)
    case memory(MemoryProblem)
    /// A fresh envelope or token that a device would reject: a fault of ours.
    case ownEnvelope(RuleViolation)
    case grant(GrantRefusal)
    case preview(PreviewRefusal)
}

/// Which of the given envelopes is meant.
package enum SourceRole: String, Hashable, Sendable {
    case source
    case after
    case served
    case old
    case adopted
}
