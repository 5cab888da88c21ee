/// Members that belong to a source and are never signed, such as `$schema` and `$comment`.
enum SourceMembers {
    /// Whether a member at the top of a file is dropped.
    static func isDropped(_ name: String) -> Bool {
        name.utf8.first == UInt8(ascii: "$")
    }
}
