/// One file of a campaign folder, as a value: the compiler reads no disk.
package struct SourceFile: Sendable {
    /// The file's name without its folder, such as `weekend-offer.json`.
    package let name: String

    /// What the file holds.
    package let bytes: [UInt8]

    /// Where the file has more bytes than are read: that limit, and `bytes` is empty.
    package let exceededLimit: Int?

    package init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
        exceededLimit = nil
    }

    /// A file of more than `limit` bytes, which is a finding and not read.
    package init(name: String, over limit: Int) {
        self.name = name
        bytes = []
        exceededLimit = limit
    }
}
