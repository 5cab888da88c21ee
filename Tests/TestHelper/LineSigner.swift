import ES256
import Foundation
import JOSE
import Libcrypto
import LibcryptoSigning
import LinuxIO
import SecretMemory
import StrictJSON

/// A program behind an `exec:` key: `sign-lines KEY.pem [MODE]`. It notes its start and its orderly
/// end in `KEY.pem.log`; a mode is a way to misbehave.
struct LineSigner {
    let key: P256PrivateKey
    let log: String
    let mode: String

    init(_ arguments: [String]) throws {
        let bytes = try readFile(FilePath(arguments[0]), limit: 65_536)
        key = try P256PrivateKey.load(pem: SecretBytes(copying: bytes.span)) { nil }
        log = arguments[0] + ".log"
        mode = arguments.count > 1 ? arguments[1] : ""
    }

    func run() throws {
        note("start \(UserIdentity.processID) \(FileManager.default.currentDirectoryPath)\n")
        switch mode {
        case "early": send(#"{"signature":"AA"}"#)
        case "flood": Thread.detachNewThread { while true { complain(65_536) } }
        default: break
        }
        var input = try LineReader.standardInput(limit: 4096)
        var count = 0
        while let line = try input.next() {
            guard case .text(let text) = line else { continue }
            let request = try JSONDocument.parse(text).root
            if request["op"]?.string == "public" {
                answerPublic()
            } else {
                count += 1
                let digest = SHA256Digest(
                    bytes: Base64URL.decode(request["digest"]?.string ?? "") ?? [])
                try answer(digest ?? SHA256.digest([]), count, kid: request["kid"]?.string ?? "")
            }
        }
        note("end\n")
    }

    private func answerPublic() {
        switch mode {
        case "public-pem": send(#"{"public":"-----BEGIN PUBLIC KEY-----"}"#)
        case "public-unpadded":
            send(#"{"public":"\#(key.publicKey.base64SPKI.filter { $0 != "=" })"}"#)
        case "public-signature": send(#"{"signature":"AA"}"#)
        case "public-number": send(#"{"public":1}"#)
        default: send(#"{"public":"\#(key.publicKey.base64SPKI)"}"#)
        }
    }

    private func answer(_ digest: SHA256Digest, _ count: Int, kid: String) throws {
        let raw = try key.sign(digest)
        let right = #"{"signature":"\#(Base64URL.encodedString(raw))"}"#
        func signature(_ bytes: [UInt8]) -> String {
            #"{"signature":"\#(Base64URL.encodedString(bytes))"}"#
        }
        let der = ECDSASignature.derFromRaw(raw) ?? []
        switch mode {
        case "der": send(signature(der))
        case "der-trailing": send(signature(der + [0]))
        case "der-long-form": send(signature([0x30, 0x81] + der.dropFirst()))
        case "raw-short": send(signature(Array(raw.dropLast())))
        case "raw-zero": send(signature([UInt8](repeating: 0, count: 64)))
        case "hash-again": send(signature(try key.sign(SHA256.digest(digest.bytes))))
        case "constant": send(signature(try key.sign(SHA256.digest([]))))
        case "padded": send(#"{"signature":"\#(Base64.encodedString(raw))"}"#)
        case "blanks": send(" { \"signature\" : \"\(Base64URL.encodedString(raw))\" } \r")
        case "garbage": send("Segmentation fault")
        case "empty": send("")
        case "latin": write([0x7B, 0x22, 0xFF, 0x22, 0x7D, 0x0A])
        case "array": send("[\(right)]")
        case "duplicate":
            send(#"{"signature":"AA","signature":"\#(Base64URL.encodedString(raw))"}"#)
        case "extra": send(#"{"kid":"a","signature":"\#(Base64URL.encodedString(raw))"}"#)
        case "both": send(#"{"error":{"code":"a","message":"b"},"signature":"AA"}"#)
        case "number": send(#"{"signature":7}"#)
        case "nested": send(#"{"signature":{"a":{"b":{}}}}"#)
        case "two": send(right + "\n" + right)
        case "later":
            send(right)
            usleep(50_000)
            if count == 1 { send(right) }
        case "late":
            if count == 1 { sleep(3) }
            send(right)
        case "silent": sleep(600)
        case "deaf":
            close(0)
            sleep(600)
        case "mute":
            close(1)
            sleep(600)
        case "exits":
            StandardError.write([UInt8]("no route to \u{1B}[31mhost\nsecond line\n".utf8))
            exit(3)
        case "killed": raise(SIGKILL)
        case "dies-later":
            if count == 3 { exit(0) }
            send(right)
        case "unterminated":
            write([UInt8](right.utf8))
            exit(0)
        case "long": send(#"{"error":{"code":"a","message":""# + pad(16_400) + #""}}"#)
        case "endless": while true { write([UInt8](repeating: 0x61, count: 65_536)) }
        case "noisy":
            complain(300_000)
            send(right)
        case "refuses", "refuses-all":
            if mode == "refuses-all" || kid.hasSuffix("bad") {
                let message = #"locked \u001b[2J\u202e "# + pad(2000)
                send(#"{"error":{"code":"unavailable","message":"\#(message)"}}"#)
            } else {
                send(right)
            }
        case "refuses-oddly": send(#"{"error":{"code":"a"}}"#)
        case "refuses-text": send(#"{"error":"no"}"#)
        case "refuses-number": send(#"{"error":{"code":1,"message":"b"}}"#)
        default: send(right)
        }
    }

    private func pad(_ count: Int) -> String { String(repeating: "x", count: count) }

    private func send(_ line: String) { write([UInt8]((line + "\n").utf8)) }

    private func write(_ bytes: [UInt8]) { try? StandardOutput.write(bytes) }

    private func note(_ text: String) {
        guard let file = unsafe fopen(log, "a") else { return }
        _ = unsafe fputs(text, file)
        _ = unsafe fclose(file)
    }
}

private func complain(_ count: Int) {
    StandardError.write([UInt8](repeating: 0x21, count: count))
}
