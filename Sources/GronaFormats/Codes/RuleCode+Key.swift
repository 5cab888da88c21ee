// What is wrong with a key, a keyring, a pins file, or with who may write them.
extension RuleCode {
    /// A kid for two keys, a key under two kids, or one key for configs and grants.
    package static let keyBinding = RuleCode("key.binding")
    /// The private key is not the one whose public half is on record.
    package static let keyMismatch = RuleCode("key.mismatch")
    /// More than one key fits.
    package static let keyAmbiguous = RuleCode("key.ambiguous")
    /// No P-256 public key as 91 bytes of DER SubjectPublicKeyInfo (signed-configuration: Pinned
    /// keys).
    package static let keyMalformed = RuleCode("key.malformed")
    /// A production workspace's key lies in a file; a warning (signed-configuration: Who does
    /// what).
    package static let keyFileInProduction = RuleCode("key.file-in-production")
    /// The keyring has no such key, or none that may sign.
    package static let keyUnknown = RuleCode("key.unknown")
    /// No such step from the state in which the key is.
    package static let keyState = RuleCode("key.state")
    /// The keyring is not of the form that we write.
    package static let keyringMalformed = RuleCode("keyring.malformed")
    /// The keyring has a format number that this program does not know.
    package static let keyringFormat = RuleCode("keyring.format")
    /// The keyring names another workspace than its folder.
    package static let keyringWorkspace = RuleCode("keyring.workspace")
    /// There is no keyring where one is needed.
    package static let keyringMissing = RuleCode("keyring.missing")
    /// The keyring is not the one that the audit log knows.
    package static let keyringChanged = RuleCode("keyring.changed")
    /// The audit log knew no digest of this keyring yet; a warning.
    package static let keyringFirstUse = RuleCode("keyring.first-use")
    /// The pins file is not of the form that we write.
    package static let pinsMalformed = RuleCode("pins.malformed")
    /// The pins file has a format number that this program does not know.
    package static let pinsFormat = RuleCode("pins.format")
    /// The pins file is for another workspace.
    package static let pinsWorkspace = RuleCode("pins.workspace")
    /// A file or a folder above it may be changed by someone who is not trusted.
    package static let unsafeOwner = RuleCode("unsafe.owner")
}
