import LinuxIO
import TestSupport
import Testing

@Suite struct StandardOutputTests {
    private func run(_ redirection: String, _ count: Int = 4) throws -> Program.Answer {
        try Program.run([
            "bash", "-c", "set -o pipefail; \"$0\" stdout \(count) \(redirection)",
            try Program.helper(),
        ])
    }

    @Test func `All of it arrives in a pipe`() throws {
        let answer = try run("| wc -c")
        #expect(answer.output == "262144\n")
        #expect(answer.isSuccess)
    }

    @Test func `A full disk is an error`() throws {
        let answer = try run("> /dev/full")
        #expect(answer.exit == .exited(1))
        #expect(answer.errors.contains("errno: 28"))
    }

    @Test func `A closed pipe is an error and not a signal`() throws {
        let answer = try run("| true", 1000)
        #expect(answer.exit == .exited(1))
        #expect(answer.errors.contains("errno: 32"))
    }

    @Test func `A closed standard output is an error, and no file takes its place`() throws {
        let answer = try run(">&-")
        #expect(answer.exit == .exited(1))
        #expect(answer.errors.contains("errno: 9"))
    }

    @Test func `A pipe that does not block and is full is waited for`() throws {
        let script = """
            import os, subprocess, sys, time, fcntl
            r, w = os.pipe()
            fcntl.fcntl(w, fcntl.F_SETFL, os.O_NONBLOCK | fcntl.fcntl(w, fcntl.F_GETFL))
            child = subprocess.Popen([sys.argv[1], "stdout", "40"], stdout=w)
            os.close(w)
            time.sleep(0.2)
            total = 0
            while chunk := os.read(r, 65536): total += len(chunk)
            print(child.wait(), total)
            """
        let answer = try Program.run(["python3", "-c", script, try Program.helper()])
        #expect(answer.output == "0 \(40 * 65_536)\n")
    }
}
