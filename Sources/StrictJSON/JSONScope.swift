/// What the reader knows about one container that is open.
struct JSONScope {
    var isObject = false
    /// The text since the container's start is its canonical form.
    var isCanonical = true
    /// The names so far ascend as RFC 8785 3.2.3 demands.
    var isAscending = true
    /// Some name contains an escape.
    var hasEscapedName = false
    /// Members or elements so far.
    var count = 0
    /// The last name: its node, and its first eight bytes in the order of their weight.
    var lastName = 0
    var lastKey: UInt64 = 0
    /// One bit for each name so far, by a hash: a new name whose bit is not set is new.
    var filter: UInt64 = 0

    /// With more members the filter is full, and the names are sorted when the object ends.
    static let filterLimit = 24
}
