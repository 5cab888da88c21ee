package import ES256
package import GronaFormats
package import LinuxIO

/// A pins file as it lies on disk, its keys checked.
package struct PinsOnDisk: Sendable {
    package let path: FilePath
    package let pins: PinsFile
    package let publicKeys: [KeyID: P256PublicKey]

    /// - Parameter workspace: The one it has to be for; nil for any.
    package static func read(
        _ path: FilePath, for workspace: WorkspaceName? = nil
    ) throws(ProjectFileError) -> PinsOnDisk {
        let bytes: [UInt8]
        do { bytes = try readFile(path, limit: Limits.Reader.pins) } catch { throw .file(error) }
        let pins: PinsFile
        do { pins = try PinsFile(parsing: bytes, for: workspace) } catch {
            throw .malformed(path, error)
        }
        var publicKeys: [KeyID: P256PublicKey] = [:]
        for pin in pins.config + pins.grant {
            do {
                publicKeys[pin.kid] = try P256PublicKey(spki: pin.publicKey.spki)
            } catch {
                throw .publicKey(path, pin.kid, error)
            }
        }
        return PinsOnDisk(path: path, pins: pins, publicKeys: publicKeys)
    }

    /// The pinned keys of a use.
    package func trusted(_ use: KeyUse) -> [KeyID: P256PublicKey] {
        var trusted: [KeyID: P256PublicKey] = [:]
        for pin in pins[use] { trusted[pin.kid] = publicKeys[pin.kid] }
        return trusted
    }
}
