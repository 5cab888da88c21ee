import CommandLineKit
import LinuxIO
import StrictJSON
import Synchronization

/// A stream that keeps what is written, or fails with an error number.
final class MemoryStream: OutputStream {
    private let kept = Mutex<[UInt8]>([])
    private let error: Int32?
    let isTerminal: Bool
    let columns: Int?

    init(isTerminal: Bool = false, columns: Int? = nil, error: Int32? = nil) {
        self.isTerminal = isTerminal
        self.columns = columns
        self.error = error
    }

    func write(_ bytes: [UInt8]) -> Int32? {
        if let error { return error }
        kept.withLock { $0 += bytes }
        return nil
    }

    var text: String { kept.withLock { String(decoding: $0, as: UTF8.self) } }
}

/// How a run ended.
struct RunResult: Equatable {
    var status: ExitStatus
    var output: String
    var errors: String
}

/// An artificial program with a command of every shape.
enum Sample {
    static let output = Option(
        "output", short: "o", .file(), builtIn: "standard output", help: "write to this file")
    static let version = Option(
        "version", .decimal(in: 1...9_007_199_254_740_991), help: "the version of the loaf")
    static let lifetime = Option("lifetime", .text("D"), help: "how long it keeps")
    static let until = Option("until", .text("T"), help: "when it ends")
    static let enable = Option("enable", .text("ID"), repeats: true, help: "switch on")
    static let shape = Option(
        "shape", .choice("SHAPE", ["round", "long"]), builtIn: "round", help: "its shape")
    static let force = Flag("force", short: "f", help: "replace a file that is there")
    static let dryRun = Flag("dry-run", short: "n", help: "show what would change")
    static let batch = Flag("batch", help: "one request a line")
    static let store = Option(
        "store", .text("STORE"), environment: ["BAKERY_STORE"], help: "where it is sold")
    static let owner = Option("owner", .text("NAME"), isRequired: true, help: "who it belongs to")
    static let folder = Option("shelf", .folder(), help: "the shelf")

    static let flour = Operand(.folder("FLOUR_DIR"), help: "the folder of the flour")
    static let loaf = Operand(
        .file("LOAF"), absentWith: ["batch"], help: "the loaf that is sold")
    static let guests = Operand(.text("GUEST"), .many(minimum: 1), help: "who comes")
    static let side = Operand(.text("SIDE"), .optional, help: "the side that is up")
    static let name = Operand(.text("NAME"), help: "whose key")

    static let bake = Command(
        "bake", summary: "make a loaf of flour",
        discussion: ["The oven is heated first. Nothing is baked twice."],
        operands: [flour],
        options: [version, lifetime, until, enable, shape, output, force, dryRun],
        exclusive: [["lifetime", "until"]],
        examples: [.init("bakery bake flour --version 3 -o loaf", "bake the third loaf")]
    ) { call throws(Failure) in
        call.console.line("flour=\(try call.require(flour))")
        if let version = call[version] { call.console.line("version=\(version)") }
        if let output = call[output] { call.console.line("output=\(output)") }
        call.console.line("enable=\(call.all(enable).joined(separator: ","))")
        call.console.line("force=\(call[force]) dry-run=\(call[dryRun])")
        return .success
    }

    static let sell = Command(
        "sell", summary: "sell a loaf", synopses: ["LOAF [--store STORE]", "--batch"],
        operands: [loaf], options: [batch, store, folder]
    ) { call throws(Failure) in
        call.console.line(call[batch] ? "batch" : "loaf=\(try call.require(loaf))")
        return .success
    }

    static let invite = Command(
        "invite", summary: "invite guests", operands: [guests], options: [owner]
    ) { call throws(Failure) in
        if call.console.preferences.json {
            call.console.json(.object([("guests", .array(call.all(guests).map { .string($0) }))]))
        } else {
            call.console.line(call.all(guests).joined(separator: "+"))
        }
        return .success
    }

    static let fail = Command(
        "fail", summary: "refuse", operands: [side]
    ) { call throws(Failure) in
        call.console.line("never seen")
        throw Failure(
            Diagnostic(
                code: "oven.cold", message: "too cold: \u{1B}[31m\u{202E}\n", file: "oven.json",
                line: 7, column: 17, pointer: "/heat", help: "wait", exit: .refused),
            others: [.warning(code: "oven.old", message: "it is old")])
    }

    static let keys = Command(
        group: "keys", summary: "the keys of the bakery",
        [
            Command("list", summary: "list the keys") { call throws(Failure) in
                call.console.line("keys")
                return .negative
            },
            Command("show", summary: "show a key's \"bow\"", operands: [name], options: [store]) {
                call throws(Failure) in
                call.console.line("key of \(try call.require(name))")
                return .success
            },
        ])

    static let program = Program(
        name: "bakery", version: "1.2.3", manualDate: "November 30, 2026",
        summary: "bake and sell bread", discussion: ["Bread is baked here. It's good."],
        commands: [bake, sell, invite, fail, keys],
        environment: [.init("BAKERY_STORE", "Default of --store.")],
        files: [.init("bakery.json", "Settings.")],
        examples: [.init("bakery bake flour", "make bread")], seeAlso: ["openssl 1"])

    /// Runs the program on arguments given as text.
    static func run(
        _ arguments: String..., environment: [String: String] = [:], terminal: Bool = false
    ) -> RunResult {
        run(bytes: arguments.map { Array($0.utf8) }, environment: environment, terminal: terminal)
    }

    static func run(
        bytes: [[UInt8]], environment: [String: String] = [:], terminal: Bool = false,
        output: MemoryStream? = nil
    ) -> RunResult {
        let output = output ?? MemoryStream(isTerminal: terminal, columns: terminal ? 100 : nil)
        let errors = MemoryStream(isTerminal: terminal)
        let values = EnvironmentValues(environment)
        let console = Console(
            program: program.name, output: output, errors: errors, environment: values)
        let status = program.run(arguments: bytes, console: console, environment: values)
        return RunResult(status: status, output: output.text, errors: errors.text)
    }
}
