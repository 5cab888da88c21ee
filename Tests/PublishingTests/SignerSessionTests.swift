import GronaFormats
import LinuxIO
import StrictJSON
import Synchronization
import TestSupport
import Testing

@testable import Publishing

/// One signer for many threads.
@Suite struct SignerSessionTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    /// A signer that refuses each line with a code of its own; its id is in the code.
    ///
    /// - Parameter loop: shell that is run with `$line`, `$id` and `$refuse` for each line.
    private func session(_ loop: String = "refuse", perSecond: Int? = nil) throws -> SignerSession {
        try folder.write(
            "signer.sh",
            #"""
            refuse() { echo "{\"id\":\"$id\",\"error\":{\"code\":\"code-$id\",\"message\":\"\"}}"; }
            echo start >> "$0.starts"
            while read -r line; do
              id=${line#*\"id\":\"}
              id=${id%%\"*}
            \#(loop)
            done
            """#)
        let words = ["/bin/sh", folder.file("signer.sh").description].map { FilePath($0) }
        return SignerSession(
            SignerCommand(words: words, timeout: DurationSeconds(60)), perSecond: perSecond)
    }

    private func ask(_ session: SignerSession, _ group: String? = nil) -> String {
        let envelope = try? JSONDocument.parse(Array(#"{"payload":"x"}"#.utf8)).root
        guard let envelope else { return "?" }
        do throws(SignerError) {
            _ = try session.asking(for: group).renew(envelope, version: .last)
            return "signed"
        } catch {
            return error.code
        }
    }

    private func ask(
        _ session: SignerSession, times: Int, threads: Int, group: String? = nil
    ) -> [String] {
        let (left, codes) = (Box(times), Box([String]()))
        Workers.run(threads) {
            while left.value.withLock({ left in
                left -= 1
                return left >= 0
            }) {
                let code = ask(session, group)
                codes.value.withLock { $0.append(code) }
            }
        }
        session.close()
        return codes.value.withLock { $0 }
    }

    private final class Box<Value: Sendable>: Sendable {
        let value: Mutex<Value>
        init(_ value: Value) { self.value = Mutex(value) }
    }

    @Test(arguments: [1, 8])
    func `Each gets the answer to its own line, from one process`(_ threads: Int) throws {
        let session = try session()
        let codes = ask(session, times: 60, threads: threads)
        #expect(Set(codes) == Set((1...60).map { "code-\($0)" }))
        #expect(codes.count == 60)
        #expect(session.starts == 1)
    }

    @Test func `One that breaks off once costs at most one answer`() throws {
        let session = try session(
            """
              [ $id != 5 ] || [ "$(wc -l < "$0.starts")" != 1 ] || exit 3
              refuse
            """)
        let codes = ask(session, times: 40, threads: 4)
        #expect(codes.count { $0 == "signer.no-answer" } <= 1, "\(codes)")
        #expect(codes.count { $0.hasPrefix("code-") } >= 39)
        #expect(session.starts == 2)
    }

    @Test(arguments: [1, 8])
    func `Those at which it breaks off cost nobody else an answer`(_ threads: Int) throws {
        let session = try session("  case $id in 1|2|3|9) exit 3;; esac; refuse")
        let codes = ask(session, times: 40, threads: threads)
        #expect(codes.count { $0 == "signer.no-answer" } == 4, "\(codes)")
        #expect(Set(codes).count == 37)
    }

    @Test func `A token at whose questions it breaks off twice is asked no more`() throws {
        let session = try session("  case $id in 1|2|4) exit 3;; esac; refuse")
        let codes = ["bad", "bad", "bad", "other", "good", nil, "bad"].map { ask(session, $0) }
        session.close()
        // The third and the last were never sent.
        #expect(
            codes == [
                "signer.no-answer", "signer.no-answer", "signer.no-answer", "signer.no-answer",
                "code-5", "code-6", "signer.no-answer",
            ])
        #expect(session.starts == 4)
    }

    /// As a signer with an `exec:` program does: after one key is late it says so of each other key.
    private static let lateProgram = """
          case $id in
          5 | 30) late=yes ;;
          esac
          if [ "$late" ]; then
            echo "{\\"id\\":\\"$id\\",\\"error\\":{\\"code\\":\\"key.timeout\\",\\"message\\":\\"\\"}}"
          else
            refuse
          fi
        """

    @Test(arguments: [1, 8])
    func `A key that is late costs the others of its program no answer`(_ threads: Int) throws {
        let session = try session(Self.lateProgram)
        let codes = ask(session, times: 29, threads: threads, group: "exec:/p")
        #expect(codes.count { $0 == "key.timeout" } == 1, "\(codes)")
        #expect(Set(codes).count == 29)
        #expect(session.starts == 2)
    }

    @Test func `A program with two keys that are late is asked no more, and others are`() throws {
        let session = try session(Self.lateProgram)
        let codes = (1...40).map { ask(session, $0 < 36 ? "exec:/p" : "exec:/q") }
        session.close()
        let answered = codes.filter { $0.hasPrefix("code-") }
        #expect(codes.prefix(35).count { $0.hasPrefix("code-") } == 28, "\(codes)")
        #expect(codes.suffix(5).allSatisfy { $0.hasPrefix("code-") })
        #expect(Set(answered).count == answered.count)
        #expect(session.starts == 3)
    }

    @Test func `One that keeps breaking off is left alone`() throws {
        let session = try session("  exit 3")
        let codes = ask(session, times: 40, threads: 1)
        #expect(codes == Array(repeating: "signer.no-answer", count: 40))
        #expect(session.starts == 5)
    }

    @Test func `One that is not there is left alone sooner`() throws {
        let session = SignerSession(
            SignerCommand(words: ["/nonexistent/signer"], timeout: DurationSeconds(60)))
        #expect(
            ask(session, times: 9, threads: 1)
                == Array(repeating: "signer.unavailable", count: 9))
        #expect(session.starts == 2)
    }

    @Test(
        "A code is short and plain, or no answer",
        arguments: [
            ("transition.min_sdk", true), (String(repeating: "c", count: 64), true),
            (String(repeating: "c", count: 65), false), ("", false), ("key.PIN", false),
            ("a b", false), ("\u{00E9}", false),
        ])
    func code(_ code: String, _ isTaken: Bool) throws {
        let session = try session(
            #"  echo "{\"id\":\"$id\",\"error\":{\"code\":\"\#(code)\",\"message\":\"\"}}""#)
        #expect(ask(session) == (isTaken ? code : "signer.malformed"))
        session.close()
    }

    @Test func `An answer that belongs to another line is no answer`() throws {
        let session = try session("  id=1; refuse")
        let codes = ask(session, times: 3, threads: 1)
        #expect(codes == ["code-1", "signer.malformed", "signer.malformed"])
        let other = try self.session(#"  echo '{"id":"9","envelope":{}}'"#)
        #expect(ask(other, times: 2, threads: 1) == ["signer.malformed", "signer.malformed"])
        #expect(other.starts == 2)
    }
}
