import CLinux
internal import Glibc

/// A program that runs beside this one, with its standard descriptors on pipes of ours.
///
/// Everything waits in one `poll` over all pipes, so that neither side can block the other: while
/// input is fed, output is drained. At the end of its life the child is ended and reaped; a signal
/// that ends this process ends the child first (SIGKILL cannot: then its pipes close).
/// Deadlines are monotonic times in nanoseconds (`SystemClock.deadline(after:)`).
package struct ChildProcess: ~Copyable {
    /// What is started.
    package struct Command: Sendable, Equatable {
        /// The program and its arguments; a name without a slash is looked for in `PATH`.
        package var words: [FilePath]
        /// `NAME=value` entries; nil for those of this process.
        package var environment: [[UInt8]]?
        /// Whether standard error is this process's own; otherwise its last bytes are kept.
        package var inheritsStandardError: Bool
        /// Whether the child leads a process group of its own, so that what it started is ended
        /// with it, however it ends. Such a group cannot ask on the terminal (setpgid(2),
        /// tty_ioctl(4)).
        package var hasOwnGroup: Bool
        /// How many milliseconds the child has to end after SIGTERM, before SIGKILL. One that has
        /// children of its own needs the time to end those.
        package var patience: UInt32
        /// Where the child works; nil for where this process does.
        package var folder: FilePath?

        package init(
            _ words: [FilePath], environment: [[UInt8]]? = nil,
            inheritsStandardError: Bool = false, hasOwnGroup: Bool = false,
            patience: UInt32 = 1000, folder: FilePath? = nil
        ) {
            self.words = words
            self.environment = environment
            self.inheritsStandardError = inheritsStandardError
            self.hasOwnGroup = hasOwnGroup
            self.patience = patience
            self.folder = folder
        }
    }

    /// What a child that ran to its end left.
    package struct Result: Sendable, Equatable {
        package let exit: ChildExit
        package let output: [UInt8]
        /// The last bytes of standard error.
        package let errorOutput: [UInt8]
    }

    package let program: FilePath
    package let processID: Int32
    private let hasOwnGroup: Bool
    private let patience: UInt32
    private var pipes: ChildPipes
    private var exit: ChildExit?

    /// Starts the program. `outputLimit` bytes are taken from it ahead of the reader, which bounds
    /// a line; a child that writes more waits until lines are read.
    package init(_ command: Command, outputLimit: Int) throws(ChildError) {
        // Input for a child that has gone is an error and not the end of this process.
        grona_ignore_broken_pipes()
        let program = command.words.first ?? ""
        self.program = program
        hasOwnGroup = command.hasOwnGroup
        patience = command.patience
        do throws(SystemError) {
            let input = try Pipe(named: program)
            let output = try Pipe(named: program)
            let errors = try Pipe(named: program)
            processID = try ChildProcess.spawn(
                command, input.reading.descriptor, output.writing.descriptor,
                command.inheritsStandardError
                    ? StandardError.place.descriptor : errors.writing.descriptor)
            pipes = ChildPipes(
                input: input.writing, output: output.reading, errors: errors.reading,
                limit: outputLimit)
        } catch {
            throw error.operation == "posix_spawn"
                ? .cannotStart(program, error.number) : .system(error)
        }
    }

    deinit {
        if exit == nil {
            ChildProcess.end(processID, withGroup: hasOwnGroup, patience: patience)
        }
    }

    /// Runs a program to its end with all of `input` on its standard input.
    ///
    /// A program that does not read all of its input is no error; its exit status speaks. More than
    /// `outputLimit` bytes of output end it with `outputTooLarge`.
    package static func run(
        _ command: Command, input: [UInt8] = [], outputLimit: Int, deadline: UInt64
    ) throws(ChildError) -> Result {
        var child = try ChildProcess(command, outputLimit: outputLimit)
        child.pipes.queue(input)
        child.pipes.endInput()
        while !child.pipes.outputEnded {
            guard !child.pipes.isFull else {
                throw .outputTooLarge(child.program, limit: outputLimit)
            }
            // The end of the child ends its answer, whoever else still holds its output open.
            if try child.hasEnded() { break }
            try child.pump(until: deadline, at: 20)
        }
        guard !child.pipes.isFull else {
            throw .outputTooLarge(child.program, limit: outputLimit)
        }
        let exit = try child.finish(deadline: deadline)
        return Result(
            exit: exit, output: child.pipes.takeOutput(), errorOutput: child.pipes.errorTail)
    }

    /// The last bytes that the child wrote to standard error, up to 64 KiB.
    package var errorTail: [UInt8] { pipes.errorTail }

    /// Hands bytes to the child, which get there while answers are waited for; never blocks.
    package mutating func write(_ bytes: [UInt8]) throws(ChildError) {
        pipes.queue(bytes)
        do { try pipes.transfer(waitingMilliseconds: 0) } catch { throw .system(error) }
    }

    /// The same for a line, whose newline is added.
    package mutating func writeLine(_ line: [UInt8]) throws(ChildError) {
        try write(line + [.newline])
    }

    /// The next line without its newline; nil once the child has closed its output. Bytes after the
    /// last newline are given as a line.
    package mutating func readLine(deadline: UInt64) throws(ChildError) -> [UInt8]? {
        while true {
            if let line = pipes.takeLine() {
                guard line.count <= pipes.limit else { break }
                return line
            }
            if pipes.outputEnded {
                let rest = pipes.takeOutput()
                return rest.isEmpty ? nil : rest
            }
            guard !pipes.isFull else { break }
            try pump(until: deadline)
        }
        throw .outputTooLarge(program, limit: pipes.limit)
    }

    /// Whether the child has written something that was not taken yet; waits for nothing.
    package mutating func hasOutput() throws(ChildError) -> Bool {
        do { try pipes.transfer(waitingMilliseconds: 0) } catch { throw .system(error) }
        return pipes.hasOutput
    }

    /// Closes the child's input, gives it until the deadline to end by itself, and ends it then.
    package mutating func stop(deadline: UInt64) {
        if exit != nil { return }
        do {
            exit = try finish(deadline: deadline)
        } catch {
            ChildProcess.end(processID, withGroup: hasOwnGroup, patience: patience)
            exit = .signalled(SIGKILL)
        }
    }

    /// Closes the child's input once all of it is there, and waits for its end; output beyond the
    /// limit is dropped.
    package mutating func finish(deadline: UInt64) throws(ChildError) -> ChildExit {
        pipes.endInput()
        while true {
            if try hasEnded(), let exit { return exit }
            guard SystemClock.monotonicNanoseconds() < deadline else { throw .timedOut(program) }
            pipes.dropOutputBeyondLimit()
            // Ends are not events of a pipe that a grandchild holds: look again soon.
            let pause = min(Poll.milliseconds(until: deadline), 20)
            do { try pipes.transfer(waitingMilliseconds: pause) } catch { throw .system(error) }
        }
    }

    /// Reaps the child if it has ended, and takes what it wrote last: that is in the pipes, which a
    /// grandchild may hold open.
    package mutating func hasEnded() throws(ChildError) -> Bool {
        if exit != nil { return true }
        var status: Int32 = 0
        let ended = unsafe grona_wait_without_blocking(processID, hasOwnGroup ? 1 : 0, &status)
        if ended < 0, ErrorNumber.last != .interrupted {
            throw .system(.last("waitpid", program))
        }
        guard ended > 0 else { return false }
        exit =
            grona_wait_status_exited(status) != 0
            ? .exited(grona_wait_status_exit_code(status))
            : .signalled(grona_wait_status_signal(status))
        do { try pipes.drain() } catch { throw .system(error) }
        return true
    }

    /// Moves what can be moved, waiting for it until the deadline, and `longest` milliseconds at
    /// most.
    private mutating func pump(
        until deadline: UInt64, at longest: Int32 = .max
    ) throws(ChildError) {
        guard SystemClock.monotonicNanoseconds() < deadline else { throw .timedOut(program) }
        do {
            try pipes.transfer(
                waitingMilliseconds: min(Poll.milliseconds(until: deadline), longest))
        } catch {
            throw .system(error)
        }
    }

    private static func spawn(
        _ command: Command, _ input: Int32, _ output: Int32, _ errors: Int32
    ) throws(SystemError) -> Int32 {
        guard let program = command.words.first, !program.isEmpty else {
            throw SystemError("posix_spawn", nil, .notFound)
        }
        let name = try program.cString("posix_spawn")
        var arguments: [[CChar]] = []
        for word in command.words { arguments.append(try word.cString("posix_spawn")) }
        var environment: [[CChar]] = []
        for entry in command.environment ?? Environment.entries() {
            environment.append(try FilePath(bytes: entry).cString("posix_spawn"))
        }
        let folder = try command.folder?.cString("posix_spawn")
        var process: Int32 = 0
        let status = unsafe CStrings.withPointers(arguments) { arguments in
            unsafe CStrings.withPointers(environment) { environment in
                unsafe grona_spawn(
                    &process, name, arguments, environment, folder, input, output, errors,
                    command.hasOwnGroup ? 1 : 0, command.patience)
            }
        }
        guard status == 0 else {
            throw SystemError(operation: "posix_spawn", path: program, errno: status)
        }
        return process
    }

    /// Ends a child that is not wanted any more: politely, then not; gives up on one that this user
    /// may not signal (`sudo`), which ends by itself when its pipes close.
    ///
    /// Its group is ended before it is reaped: until then the number cannot be another's.
    private static func end(_ process: Int32, withGroup: Bool, patience: UInt32) {
        let target = withGroup ? -process : process
        let handle = OpenFile(owning: grona_process_descriptor(process), path: "")
        for signal in [SIGTERM, SIGKILL] {
            _ = kill(target, signal)
            let milliseconds = signal == SIGTERM ? UInt64(patience) : 200
            let soon = SystemClock.deadline(after: milliseconds * 1_000_000)
            if handle.descriptor >= 0 {
                _ = Poll.wait(handle.descriptor, for: .input, until: soon)
            } else {
                SystemClock.sleep(nanoseconds: min(milliseconds, 200) * 1_000_000)
            }
        }
        var status: Int32 = 0
        _ = unsafe grona_wait_without_blocking(process, withGroup ? 1 : 0, &status)
    }
}
