import Foundation
import LinuxIO
import TestSupport
import Testing

@Suite struct ProcessHardeningTests {
    private func hardened(_ redirection: String = "") throws -> String {
        let answer = try Program.run([
            "bash", "-c",
            "umask 022; ulimit -c unlimited 2>/dev/null; \"$0\" harden \(redirection)",
            try Program.helper(),
        ])
        return answer.output
    }

    @Test func `No core dump, and new files are for the user alone`() throws {
        #expect(try hardened().contains("core 0 0 umask 77"))
    }

    @Test func `A closed pipe is no signal`() throws {
        let line = try #require(
            try hardened().split(separator: "\n").first { $0.hasPrefix("SigIgn:") })
        let mask = try #require(UInt64(line.split(separator: "\t")[1], radix: 16))
        #expect(mask & (1 << 12) != 0)
    }

    @Test func `Missing standard descriptors are opened on the null device`() throws {
        let text = try hardened("<&- 2>&-")
        #expect(text.hasSuffix("fd 0 characterDevice\nfd 1 pipe\nfd 2 characterDevice\n"))
        #expect(try hardened("</etc/passwd").contains("fd 0 regular"))
    }

    @Test(
        "A fault ends it as the kernel does, without a word, whatever the Swift runtime would do",
        arguments: [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV])
    func faults(signal: Int32) throws {
        let words = signal == SIGABRT ? ["abort"] : ["raise", "\(signal)"]
        let answer = try Program.run(
            [try Program.helper(), "hardened"] + words,
            environment: ["SWIFT_BACKTRACE": "enable=yes,interactive=no,color=no"])
        #expect(answer.exit == .signalled(signal))
        #expect(answer.errors == "" && answer.output == "")
    }

    @Test func `Another process of the same user may not look into it`() throws {
        let line = try #require(
            try hardened().split(separator: "\n").first { $0.hasPrefix("dumpable") })
        #expect(line == "dumpable 0")
    }
}
