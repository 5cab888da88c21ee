extension Program {
    /// Reads the command line, runs the command and gives the status to exit with.
    ///
    /// `--version` and help touch no file and no settings.
    ///
    /// - Parameters:
    ///   - arguments: without the program's own name; bytes, which need not be UTF-8.
    ///   - prepare: runs before a command's action, for hardening.
    package func run(
        arguments: [[UInt8]], console: Console, environment: EnvironmentValues = .process,
        prepare: () throws(Failure) -> Void = { () throws(Failure) in }
    ) -> ExitStatus {
        var preferences = console.preferences
        preferences.json = ArgumentParser.asksForJSON(arguments)
        console.preferences = preferences
        do {
            let status = try dispatch(arguments, console, environment, prepare)
            try console.flush()
            return status
        } catch {
            console.discard()
            console.report(error)
            return error.status
        }
    }

    private func dispatch(
        _ arguments: [[UInt8]], _ console: Console, _ environment: EnvironmentValues,
        _ prepare: () throws(Failure) -> Void
    ) throws(Failure) -> ExitStatus {
        let whole = withBuiltInCommands
        switch try ArgumentParser.parse(arguments, program: whole) {
        case .version:
            console.line("\(name) \(version)")
            return .success
        case .help(let path):
            console.write(HelpPage(program: whole, path: path, columns: console.columns).text)
            return .success
        case .shortUsage(let path):
            let usage = HelpPage(program: whole, path: path).shortUsage
            guard console.preferences.json else {
                console.send(error: usage)
                return .usage
            }
            throw Failure(.usage("missing-command", "a command or its operands are missing"))
        case .run(let path, let values, let arguments):
            console.preferences = StandardOptions.preferences(values)
            guard let action = path.last?.action else { return .usage }
            try prepare()
            return try action(
                Invocation(
                    program: whole, path: path, console: console, environment: environment,
                    values: values, arguments: arguments))
        }
    }

    /// The program with `help`, `completions` and `man`.
    private var withBuiltInCommands: Program {
        Program(
            name: name, version: version, manualDate: manualDate, summary: summary,
            discussion: discussion,
            commands: commands + BuiltInCommands.all, environment: environment, files: files,
            examples: examples, seeAlso: seeAlso, topics: topics)
    }
}

/// The arguments of this process as bytes, without the program's name.
package enum ProcessArguments {
    package static func bytes() -> [[UInt8]] {
        let count = Int(CommandLine.argc)
        return (1..<max(1, count)).compactMap { index in
            guard let argument = unsafe CommandLine.unsafeArgv[index] else { return nil }
            var bytes: [UInt8] = []
            var place = unsafe argument
            while unsafe place.pointee != 0 {
                bytes.append(unsafe UInt8(bitPattern: place.pointee))
                unsafe place += 1
            }
            return bytes
        }
    }
}
