// What is wrong with a key, a keyring, a pins file, or with who may write them.
extension RuleCode {
    /// A kid for two keys, a key under two kids, or one key for configs and grants.
    package static let keyBinding = RuleCode("key.binding")
    /// The private key is not the one whose public half is on record.
    package static let keyMismatch = RuleCode("key.mismatch")
    /// More than one key fits.
    package static let keyAmbiguous = RuleCode("key.ambiguous")
    /// No signer URI, or one that cannot be used.
    package static let keySigner = RuleCode("key.signer")
    /// A PKCS#11 module that is not there, or is none.
    package static let keyModule = RuleCode("key.module")
    /// A token that is not there.
    package static let keyToken = RuleCode("key.token")
    /// A token that has no such key.
    package static let keyMissing = RuleCode("key.missing")
    /// A token that has such a key already.
    package static let keyExists = RuleCode("key.exists")
    /// A key service that did not answer in time.
    package static let keyTimeout = RuleCode("key.timeout")
    /// A call of a module that failed.
    package static let keyFailed = RuleCode("key.failed")
    /// Not the PIN of the token.
    package static let keyPINWrong = RuleCode("key.pin-wrong")
    /// The token takes no PIN any more.
    package static let keyPINLocked = RuleCode("key.pin-locked")
    /// A PIN is wanted, and nobody has one.
    package static let keyPINNeeded = RuleCode("key.pin-needed")
    /// An earlier run was refused with this PIN.
    package static let keyPINRemembered = RuleCode("key.pin-remembered")
    /// One more wrong PIN locks the token.
    package static let keyPINLastTry = RuleCode("key.pin-last-try")
    /// No PIN is set, it is to be changed, or what was given can be none.
    package static let keyPINUnusable = RuleCode("key.pin-unusable")
    /// The memory of refused PINs is not of the form that we write.
    package static let keyPINMemory = RuleCode("key.pin-memory")
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
