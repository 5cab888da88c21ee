import Foundation
import LinuxIO
import TestSupport
import Testing

/// `--signer unix:DIR`: the built signer behind real sockets, started for each connection.
@Suite("grona-publish with a signer behind sockets")
struct PublishSocketTests {
    private let setting: PublishSetting

    init() throws {
        setting = try PublishSetting()
        try setting.signing.folder.folder("run")
        try setting.publish(1)
    }

    private var signer: [String] { ["--signer", "unix:\(setting.path("run"))"] }

    /// The signer's verb behind its socket, with folders of its own.
    private func listen(_ name: String, _ verb: [String]) throws -> SocketService {
        try SocketService(
            FilePath(setting.path("run/\(name)")),
            [
                setting.signing.program, "--keys", setting.path("keys"), "--state",
                setting.path("state"), "--campaigns", setting.path("campaigns"),
            ] + verb)
    }

    @Test("A bundle is signed, checked and released")
    func bundle() throws {
        let service = try listen("bundle", ["bundle", "--batch"])
        let answer = try setting.bundle(signer)
        #expect(answer.isSuccess, "\(answer.errors)")
        let verified = try setting.signing.run([
            "verify", setting.path("bundle.json"), "--channel", "bundle",
        ])
        #expect(verified.isSuccess, "\(verified.errors)")
        _ = service
    }

    @Test("What the signer refuses keeps its code, status and words")
    func refused() throws {
        let service = try listen("bundle", ["bundle", "--batch"])
        expectRefusal(
            try setting.bundle(signer + ["--lifetime", "15d"]), 65, "bundle.lifetime")
        #expect(try setting.bundle(signer + ["--lifetime", "14d"]).isSuccess)
        _ = service
    }

    @Test("Who is not there, or cannot start, is 69")
    func unavailable() throws {
        expectRefusal(try setting.bundle(signer), 69, "signer.unavailable")
        let service = try listen("bundle", ["--no-such-option"])
        let answer = try setting.bundle(signer)
        expectRefusal(answer, 69, "signer.no-answer")
        #expect(answer.errors.contains("journalctl -u 'grona-sign-bundle@*'"))
        _ = service
    }

    @Test("One that does not answer in time is 69")
    func late() throws {
        let service = try SocketService(FilePath(setting.path("run/bundle")), ["/bin/sleep", "9"])
        expectRefusal(
            try setting.bundle(signer + ["--signer-timeout", "1s"]), 69, "signer.timeout")
        _ = service
    }

    @Test("A socket of others is 77", .enabled(if: Program.isRoot))
    func denied() throws {
        let service = try listen("bundle", ["bundle", "--batch"])
        // The socket is another's; this program may read and write everything else that is root's.
        let chown = try setting.shell(
            "chown 65534 \"$DIR/run/bundle\" && chmod 600 \"$DIR/run/bundle\"")
        try #require(chown.isSuccess, "\(chown.errors)")
        let answer = try Program.run(
            [
                "setpriv", "--inh-caps=-all", "--bounding-set=-dac_override,-dac_read_search",
                setting.program, "bundle", "acme-market", "--pins", setting.path("pins.json"),
                "-o", setting.path("bundle.json"),
            ] + signer, environment: setting.environment())
        expectRefusal(answer, 77, "signer.denied")
        _ = service
    }

    @Test("A folder is named by its whole path, and takes no part in a rehearsal")
    func settings() throws {
        for wrong in ["unix:", "unix:run", "unix:./run"] {
            expectRefusal(try setting.bundle(["--signer", wrong]), 78, "signer.command")
        }
        let long = "unix:/" + String(repeating: "a", count: 120)
        expectRefusal(try setting.bundle(["--signer", long]), 78, "signer.command")
        let rehearsal = try setting.run(
            [
                "bundle", "acme-market", "--pins", setting.path("pins.json"), "-o",
                setting.path("bundle.json"), "--now", String(SystemClock.unixTime()),
            ] + signer, ["GRONA_REHEARSAL": "1"])
        expectRefusal(rehearsal, 78, "rehearsal.real")
    }
}
