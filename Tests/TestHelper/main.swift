// What tests of files, locks and logs need another process for: one that is killed, that holds a
// lock, that runs as another user, whose standard output is full, or that signs for `exec:` keys. One word says what to do; what
// happened is printed, errors as Swift prints them.

import Glibc
import Ledger
import LinuxIO
import StrictJSON

func say(_ text: String) {
    try? StandardOutput.write([UInt8]((text + "\n").utf8))
}

func record(_ text: String) -> JSONValue {
    .object([("text", .string(text))])
}

func appendLines(_ arguments: [String]) throws {
    let log = HashChainLog(at: FilePath(arguments[0]), lockWaitNanoseconds: 60_000_000_000)
    let count = Int(arguments[1]) ?? 0
    let group = arguments.count > 2 ? Int(arguments[2]) ?? 1 : 1
    for number in stride(from: 0, to: count, by: group) {
        let records = (number..<min(count, number + group)).map {
            record("\(UserIdentity.processID)-\($0)")
        }
        let receipt = try log.append(contentsOf: records)
        say("\(receipt.tip.lines) \(receipt.tip.head)\(receipt.repair == nil ? "" : " repaired")")
    }
}

func writeOutput(_ arguments: [String]) throws {
    let output = try OutputFile(
        at: FilePath(arguments[0]), replacing: arguments[1] == "replace", permissions: 0o644)
    say("open")
    try output.commit(try readStandardInput(limit: 1 << 30))
}

func inFolder(_ arguments: [String]) throws {
    let folder = try Folder(at: FilePath(arguments[0]))
    let name = FilePath(arguments[2])
    switch arguments[1] {
    case "create":
        try folder.createFile(name, try readStandardInput(limit: 1 << 30), permissions: 0o644)
    case "replace":
        try folder.removeAbandoned()
        try folder.replaceFile(name, try readStandardInput(limit: 1 << 30), permissions: 0o644)
    case "lock":
        let lock = try folder.lock(waitingNanoseconds: UInt64(arguments[2]) ?? 0)
        say("locked")
        _ = try readStandardInput(limit: 1)
        _ = consume lock
    default: say("unknown")
    }
}

func checkSecret(_ arguments: [String]) throws {
    let file = try SecretFile(at: FilePath(arguments[0]), trusting: try TrustedOwners.current())
    var bytes = [UInt8](repeating: 0, count: file.size + 1)
    var span = bytes.mutableSpan
    let count = try file.read(into: &span)
    say("read \(count)")
}

func checkOwner(_ arguments: [String]) throws {
    let owners = try TrustedOwners.current()
    let found = try TrustedOwnership.check(FilePath(arguments[0]), trusting: owners)
    guard let violation = found.violation else { return say("trusted") }
    say("\(violation.component) \(violation.reason)")
}

func harden() throws {
    try ProcessHardening.apply()
    var limit = rlimit()
    _ = unsafe getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    let mask = umask(0)
    say("dumpable \(ProcessHardening.isDumpable ? 1 : 0)")
    say("core \(limit.rlim_cur) \(limit.rlim_max) umask \(String(mask, radix: 8))")
    say(String(decoding: try readFile("/proc/self/status", limit: 1 << 20), as: UTF8.self))
    for descriptor in 0...2 {
        let status = try FileSystem.status(of: FilePath("/proc/self/fd/\(descriptor)"))
        say("fd \(descriptor) \(status.kind)")
    }
}

func writeStandardOutput(_ arguments: [String]) throws {
    try ProcessHardening.apply()
    for _ in 0..<(Int(arguments[0]) ?? 1) {
        try StandardOutput.write([UInt8](repeating: 0x61, count: 65_536))
    }
    try StandardOutput.close()
}

func ask() throws {
    var bytes = [UInt8](repeating: 0, count: 16)
    var span = bytes.mutableSpan
    let count = try Terminal.readLineWithoutEcho(prompt: [UInt8]("secret? ".utf8), into: &span)
    say("got \(String(decoding: bytes[..<count], as: UTF8.self))")
}

/// Has a child, whose lines it passes on, until it ends: `group` or `alone`, how many milliseconds it
/// has to end, and its words.
func haveChild(_ arguments: [String]) throws {
    var child = try ChildProcess(
        ChildProcess.Command(
            arguments.dropFirst(2).map { FilePath($0) }, hasOwnGroup: arguments[0] == "group",
            patience: UInt32(arguments[1]) ?? 0),
        outputLimit: 10_000)
    while let line = try child.readLine(deadline: .max) {
        say(String(decoding: line, as: UTF8.self))
    }
    say("\(try child.finish(deadline: .max))")
}

func run(_ arguments: [String]) throws {
    let rest = Array(arguments.dropFirst())
    switch arguments.first {
    case "append": try appendLines(rest)
    case "output": try writeOutput(rest)
    case "folder": try inFolder(rest)
    case "secret": try checkSecret(rest)
    case "owner": try checkOwner(rest)
    case "read": say("\(try readFile(FilePath(rest[0]), limit: 1 << 20).count)")
    case "harden": try harden()
    case "stdout": try writeStandardOutput(rest)
    case "ask": try ask()
    case "child": try haveChild(rest)
    case "raise": raise(Int32(rest[0]) ?? 0)
    case "abort": abort()
    case "sign-lines": try LineSigner(rest).run()
    case "hardened":
        try ProcessHardening.apply()
        try run(rest)
    default: say("unknown")
    }
}

do {
    try run(Array(CommandLine.arguments.dropFirst()))
} catch {
    StandardError.write([UInt8]("\(error)\n".utf8))
    exit(1)
}
