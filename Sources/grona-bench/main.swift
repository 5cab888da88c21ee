// Measurements and outside judges call this; it is not installed.
//
//   grona-bench json FILE    reads FILE, or writes it canonically, for 20 ms for each line `read`
//                            or `write` of stdin, and answers with the nanoseconds of one time
//   grona-bench canonical    reads documents from stdin, each followed by a zero byte, and answers
//                            each with its canonical form, or `!` and the code of its refusal,
//                            followed by a zero byte
//   grona-bench pkcs11 URI FILE    see TokenBench; FILE holds the public half

import LinuxIO
import StrictJSON

enum Failure: Error {
    case usage
}

func measure(_ path: String) throws {
    let bytes = try readFile(FilePath(path), limit: 1 << 27)
    let document = try JSONDocument.parse(bytes)
    while let line = readLine() {
        let start = SystemClock.monotonicNanoseconds()
        var elapsed: UInt64 = 0
        var times: UInt64 = 0
        while elapsed < 20_000_000 {
            if line == "read" {
                guard try JSONDocument.parse(bytes).root.count > 0 else { return }
            } else {
                guard document.root.canonical().count > 0 else { return }
            }
            times += 1
            elapsed = SystemClock.monotonicNanoseconds() - start
        }
        try StandardOutput.write(Array("\(elapsed / times)\n".utf8))
    }
}

func answer() throws {
    let input = try readStandardInput(limit: 1 << 30)
    var output: [UInt8] = []
    for text in input.split(separator: 0, omittingEmptySubsequences: false).dropLast() {
        do throws(JSONError) {
            output += try JSONDocument.parse(Array(text)).root.canonical()
        } catch {
            output += Array("!\(error.code)".utf8)
        }
        output.append(0)
    }
    try StandardOutput.write(output)
}

switch CommandLine.arguments.dropFirst() {
case ["canonical"]: try answer()
case let words where words.count == 3 && words.first == "pkcs11":
    let given = Array(words)
    try TokenBench.run(signer: given[1], publicKeyFile: given[2])
case let words where words.count == 2 && words.first == "json": try measure(words.last ?? "")
default: throw Failure.usage
}
