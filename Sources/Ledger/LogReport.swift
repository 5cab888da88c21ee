/// What checking a whole log found.
package struct LogReport: Sendable, Equatable {
    /// Lines that are there, up to the first fault's place where there is one.
    package let tip: LogTip
    /// The first fault; nil when every line continues the one before.
    package let fault: LogFault?
    /// The line that has the head that was given; nil when none was given or none has it. Without
    /// one, a log whose end was cut off looks whole.
    package let headLine: Int?
    /// Bytes after the last newline: a line that a crash has torn, which the next append removes.
    package let tornBytes: Int
    /// How many torn lines were removed so far.
    package let repairs: Int
}
