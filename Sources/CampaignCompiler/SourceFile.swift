/// One file of a campaign folder, as a value: the compiler reads no disk.
package struct SourceFile: Sendable {
    /// The file's name without its folder, such as `weekend-offer.json`.
    package let name: String

    /// What the file holds.
    package let bytes: [UInt8]

    package init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}
