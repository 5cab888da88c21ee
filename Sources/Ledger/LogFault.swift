/// The first place at which a log is not what was written; lines count from 1.
package struct LogFault: Error, Sendable, Equatable {
    /// The line's place in the file as it is now; for `missing` the place where it should stand.
    package let line: Int
    package let kind: Kind

    package enum Kind: Sendable, Equatable {
        /// Its bytes are not those that the next line was chained to, or its own chaining is false.
        case changed
        /// This many lines are gone from here.
        case missing(count: Int)
        /// Another line of the log stands here.
        case reordered
        /// Not a JSON object with `format`, `seq` and `prev`, or longer than a line may be.
        case unreadable
        /// A `format` that this program does not know.
        case unknownFormat
        /// No line has the given head: the end was cut off or changed.
        case headNotFound
    }

    package init(line: Int, kind: Kind) {
        self.line = line
        self.kind = kind
    }
}
