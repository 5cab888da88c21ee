internal import LinuxIO

/// A place in a log after whole lines that were read and checked, from which reading can go on.
package struct LogPosition: Sendable {
    /// What the lines before it end with.
    package let tip: LogTip
    let offset: Int
    let file: FileStatus
}
