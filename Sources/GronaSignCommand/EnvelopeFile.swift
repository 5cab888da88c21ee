import CommandLineKit
import GronaCommand
import GronaFormats
import JOSE
import LinuxIO
import Signing

/// An envelope that was given by a path, or on standard input.
struct EnvelopeFile {
    let name: String
    let role: SourceRole
    let bytes: [UInt8]
    let envelope: FlattenedJWS
    /// What the header says, before anything is known to be true.
    let kid: KeyID?

    init(_ path: FilePath, _ role: SourceRole) throws(Failure) {
        let name = InputDocument.name(path)
        let bytes = try InputDocument.read(path, limit: Limits.Reader.envelope)
        let wording = SigningWording(files: [role: name])
        envelope = try worded(wording.source(role)) {
            () throws(RuleViolation) in
            try EnvelopeRule.read(bytes)
        }
        let envelope = envelope
        kid = try worded(wording.failure) { () throws(SigningError) in
            try SignedSource.kid(of: envelope, role: role)
        }
        self.name = name
        self.role = role
        self.bytes = bytes
    }

    /// The envelope as a source, checked by the keyring of a desk.
    func source(
        at desk: SigningDesk, expiry: SignedSource.Expiry = .mayBeOver, now: UnixTime
    ) throws(Failure) -> SignedSource {
        try worded(SigningWording(files: [role: name]).failure) { () throws(SigningError) in
            try desk.source(
                envelope, byteCount: bytes.count, role: role, expiry: expiry, now: now)
        }
    }
}
