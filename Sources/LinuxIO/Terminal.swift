import CLinux
internal import Glibc

/// Why nothing was read from the terminal.
package enum TerminalError: Error, Sendable, Equatable {
    /// The process has no terminal.
    case none
    /// The line does not fit into `limit` bytes.
    case tooLong(limit: Int)
    /// The end of the input came before the end of the line.
    case ended
    /// A signal arrived whose action did not end the process.
    case interrupted(signal: Int32)
    case system(SystemError)
}

/// The terminal of this process.
package enum Terminal {
    /// Whether this process has a terminal on which somebody could be asked (`/dev/tty`).
    package static var isThere: Bool {
        (try? OpenFile("/dev/tty", [.readAndWrite])) != nil
    }

    /// Whether the descriptor (0, 1 or 2 for the standard ones) is a terminal.
    package static func isTerminal(_ descriptor: Int32) -> Bool {
        isatty(descriptor) == 1
    }

    /// The width in columns; nil when the descriptor is no terminal or does not say.
    package static func width(_ descriptor: Int32) -> Int? {
        let columns = grona_terminal_columns(descriptor)
        return columns > 0 ? Int(columns) : nil
    }

    /// Asks on the terminal of the process (`/dev/tty`, whatever the standard descriptors are) and
    /// reads one line without showing it; answers its length without the newline.
    ///
    /// The terminal is put right before a signal acts: an interrupt ends the process as it would
    /// without a prompt, and a stopped one asks again when it is continued.
    package static func readLineWithoutEcho(
        prompt: [UInt8], into buffer: inout MutableSpan<UInt8>
    ) throws(TerminalError) -> Int {
        try readLine(prompt: prompt, into: &buffer, isShown: false)
    }

    /// The same, and what is typed can be seen.
    package static func readLine(
        prompt: [UInt8], into buffer: inout MutableSpan<UInt8>
    ) throws(TerminalError) -> Int {
        try readLine(prompt: prompt, into: &buffer, isShown: true)
    }

    private static func readLine(
        prompt: [UInt8], into buffer: inout MutableSpan<UInt8>, isShown: Bool
    ) throws(TerminalError) -> Int {
        let terminal: OpenFile
        do { terminal = try OpenFile("/dev/tty", [.readAndWrite]) } catch { throw .none }
        while true {
            grona_signal_notes_begin()
            let answer = ask(terminal, prompt, &buffer, isShown)
            grona_signal_notes_end()
            switch answer {
            case .success(let count): return count
            case .failure(.interrupted(let signal)):
                _ = kill(getpid(), signal)
                guard signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU else {
                    throw .interrupted(signal: signal)
                }
            case .failure(let error): throw error
            }
        }
    }

    private static func ask(
        _ terminal: borrowing OpenFile, _ prompt: [UInt8], _ buffer: inout MutableSpan<UInt8>,
        _ isShown: Bool
    ) -> Result<Int, TerminalError> {
        var before = termios()
        guard unsafe tcgetattr(terminal.descriptor, &before) == 0 else { return .failure(.none) }
        var silent = before
        if !isShown { silent.c_lflag &= ~tcflag_t(ECHO | ECHONL) }
        silent.c_lflag |= tcflag_t(ICANON | ISIG)
        guard unsafe tcsetattr(terminal.descriptor, TCSAFLUSH, &silent) == 0 else {
            return .failure(noted() ?? .system(.last("tcsetattr", terminal.path)))
        }
        // What is left of a line that was too long is thrown away with it.
        defer { _ = unsafe tcsetattr(terminal.descriptor, TCSAFLUSH, &before) }
        do throws(SystemError) {
            try terminal.writeAll(prompt)
            let answer = try readLine(terminal, &buffer)
            if !isShown { try terminal.writeAll([.newline]) }
            return answer
        } catch {
            return .failure(noted() ?? .system(error))
        }
    }

    private static func readLine(
        _ terminal: borrowing OpenFile, _ buffer: inout MutableSpan<UInt8>
    ) throws(SystemError) -> Result<Int, TerminalError> {
        var filled = 0
        while true {
            if let signal = noted() { return .failure(signal) }
            let soon = SystemClock.deadline(after: 100_000_000)
            guard Poll.wait(terminal.descriptor, for: .input, until: soon) else { continue }
            var byte: UInt8 = 0
            let count = unsafe read(terminal.descriptor, &byte, 1)
            if count < 0, ErrorNumber.last == .interrupted { continue }
            if count < 0 { throw SystemError.last("read", terminal.path) }
            if count == 0 { return .failure(.ended) }
            if byte == .newline { return .success(filled) }
            guard filled < buffer.count else { return .failure(.tooLong(limit: buffer.count)) }
            buffer[filled] = byte
            filled += 1
        }
    }

    private static func noted() -> TerminalError? {
        let signal = grona_signal_notes_take()
        return signal == 0 ? nil : .interrupted(signal: signal)
    }
}
