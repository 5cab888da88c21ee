import LinuxIO
import TestSupport
import Testing

/// The helper asks on a terminal that a Python script plays.
@Suite struct TerminalTests {
    private func play(_ body: String, asJob: Bool = false) throws -> String {
        let script = """
            import os, pty, sys, time, termios, signal
            child, terminal = pty.fork()
            if child == 0 and \(asJob ? "True" : "False"):
                signal.signal(signal.SIGTTOU, signal.SIG_IGN)
                job = os.fork()
                if job == 0:
                    os.setpgid(0, 0)
                    os.tcsetpgrp(0, os.getpid())
                    signal.signal(signal.SIGTTOU, signal.SIG_DFL)
                    os.execv(sys.argv[1], [sys.argv[1], "hardened", "ask"])
                while True:
                    status = os.waitpid(job, os.WUNTRACED)[1]
                    if not os.WIFSTOPPED(status): sys.exit(0)
                    print("stopped", flush=True)
            if child == 0:
                os.execv(sys.argv[1], [sys.argv[1], "hardened", "ask"])
            def job(): return int(open(f"/proc/{child}/task/{child}/children").read())
            def echo(): return bool(termios.tcgetattr(terminal)[3] & termios.ECHO)
            def read():
                try: return os.read(terminal, 1000).decode()
                except OSError: return ""
            def until(text):
                seen = ""
                while text not in seen:
                    more = read()
                    if not more: break
                    seen += more
                return seen
            def silent():
                for _ in range(200):
                    if not echo(): return True
                    time.sleep(0.01)
                return False
            def loud():
                for _ in range(200):
                    if echo(): return True
                    time.sleep(0.01)
                return False
            \(body)
            """
        let answer = try Program.run(["python3", "-c", script, try Program.helper()])
        return answer.output + answer.errors
    }

    @Test func `A line is read without being shown, and the terminal shows again after it`() throws
    {
        let text = try play(
            """
            print(repr(until("secret? ")), silent())
            os.write(terminal, b"pass word\\n")
            print(repr(until("got pass word")))
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
            """)
        #expect(text == "'secret? ' True\n'\\r\\ngot pass word\\r\\n'\n0\n")
    }

    @Test func `A line of 16 bytes fits, one of 17 is too long`() throws {
        let fits = try play(
            """
            until("secret? "); silent()
            os.write(terminal, b"0123456789abcdef\\n")
            print("got 0123456789abcdef" in until("abcdef"))
            """)
        #expect(fits == "True\n")
        let long = try play(
            """
            until("secret? "); silent()
            os.write(terminal, b"0123456789abcdefg\\n")
            print("tooLong(limit: 16)" in until(")"), loud())
            """)
        #expect(long == "True True\n")
    }

    @Test(
        "A signal puts the terminal right and then ends the process as it would without a prompt",
        arguments: [
            "SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGXCPU",
        ])
    func signals(name: String) throws {
        let text = try play(
            """
            until("secret? "); silent()
            os.kill(child, signal.\(name))
            print(loud())
            print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.\(name))
            """)
        #expect(text == "True\nTrue\n")
    }

    @Test func `Stopped and continued, it asks again`() throws {
        // In a job of its own below a session leader, as a shell would have it: the kernel does not
        // stop a job without one.
        let text = try play(
            """
            until("secret? "); silent()
            os.kill(job(), signal.SIGTSTP)
            print(until("stopped"), echo())
            os.kill(job(), signal.SIGCONT)
            print("secret? " in until("secret? "), silent())
            os.write(terminal, b"x\\n")
            print("got x" in until("got x"))
            """, asJob: true)
        #expect(text.replacing("\r\n", with: "") == "stopped True\nTrue True\nTrue\n")
    }

    @Test func `Without a terminal there is an error`() throws {
        let answer = try Program.run(["setsid", "-w", try Program.helper(), "ask"])
        #expect(answer.exit == .exited(1))
        #expect(answer.errors == "none\n")
    }

    @Test func `A file is no terminal and has no width`() throws {
        let folder = try TestFolder()
        let file = try OpenFile(try folder.write("file"), [])
        #expect(!Terminal.isTerminal(file.descriptor))
        #expect(Terminal.width(file.descriptor) == nil)
    }
}
