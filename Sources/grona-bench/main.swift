// Measurements and outside judges call this; it is not installed.
//
//   grona-bench json FILE    answers each line `read` or `write` of stdin with the nanoseconds
//                            that reading FILE, or writing it canonically, took
//   grona-bench canonical    reads documents from stdin, each followed by a zero byte, and answers
//                            each with its canonical form, or `!` and the code of its refusal,
//                            followed by a zero byte

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
        let count =
            line == "read"
            ? try JSONDocument.parse(bytes).bytes.count : document.root.canonical().count
        let end = SystemClock.monotonicNanoseconds()
        guard count > 0 else { return }
        try StandardOutput.write(Array("\(end - start)\n".utf8))
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
case let words where words.count == 2 && words.first == "json": try measure(words.last ?? "")
default: throw Failure.usage
}
