import ES256
import Foundation
import LinuxIO
import StrictJSON
import TestSupport
import Testing

/// A folder in which the built `grona-sign` works with keys on a token.
///
/// What every run writes is searched for PINs, and at the end so is what it has kept.
final class TokenSetting {
    static let config = "acme-market-2026-10"
    static let grant = "acme-market-grants-2026-10"
    static let wrongPIN = "mellon-9x4k"

    let sign: SignSetting
    let access: TokenAccess

    init(_ access: TokenAccess) throws {
        sign = try SignSetting(makesKeys: false)
        self.access = access
    }

    deinit {
        for name in ["state", "keys"] {
            let root = sign.path(name)
            for file in FileManager.default.enumerator(atPath: root)?.allObjects ?? [] {
                let contents = FileManager.default.contents(atPath: "\(root)/\(file)") ?? Data()
                expectNoPIN(String(decoding: contents, as: UTF8.self), "\(file)")
            }
        }
    }

    private func expectNoPIN(_ text: String, _ place: String) {
        for pin in [access.pin, Self.wrongPIN] where !pin.isEmpty {
            #expect(!text.contains(pin), "a PIN in \(place)")
        }
    }

    func run(
        _ words: [String], input: [UInt8] = [], environment: [String: String] = [:],
        asUser user: UInt32? = nil, program: String? = nil
    ) throws -> Program.Answer {
        let answer = try Program.run(
            [program ?? sign.program] + words, input: input,
            environment: sign.environment(
                access.environment.merging(environment) { _, new in new }),
            asUser: user)
        expectNoPIN(answer.output, "the output of \(words)")
        expectNoPIN(answer.errors, "the errors of \(words)")
        return answer
    }

    /// `keys generate` or `keys import`.
    func add(
        _ verb: String, _ signer: String, use: String = "config", kid: String = config,
        _ more: [String] = []
    ) throws -> Program.Answer {
        try run(
            [
                "keys", verb, "--workspace", "acme-market", "--use", use, "--kid", kid, "--signer",
                signer,
            ] + more)
    }

    func addKey(
        _ verb: String, _ signer: String, use: String = "config", kid: String = config
    ) throws {
        let added = try add(verb, signer, use: use, kid: kid)
        try #require(added.isSuccess, "\(added.errors)")
    }

    /// A config and a grant key, made in the token under their kids.
    func makeKeys() throws {
        try addKey("generate", access.signer(Self.config))
        try addKey("generate", access.signer(Self.grant), use: "grant", kid: Self.grant)
    }

    /// Signs a config with this version.
    func config(_ version: Int, _ more: [String] = []) throws -> Program.Answer {
        try run(["config", sign.campaigns, "--version", "\(version)"] + more)
    }

    /// The same, into a file; its path.
    @discardableResult
    func configFile(_ version: Int) throws -> String {
        let file = sign.path("version-\(version).json")
        let answer = try config(version, ["-o", file])
        try #require(answer.isSuccess, "\(answer.errors)")
        return file
    }

    /// The public half of a key, 91 bytes of DER.
    func spki(_ kid: String = config) throws -> [UInt8] {
        let shown = try sign.json(
            run(["keys", "show", kid, "--workspace", "acme-market", "--json"]))
        return Array(try #require(Data(base64Encoded: shown["public"]?.string ?? "")))
    }

    // MARK: Batches

    /// Requests to renew one envelope, with versions that rise from `first`, which is their id, too.
    func requests(_ served: String, from first: Int, count: Int) throws -> [String] {
        let text = String(decoding: try readFile(FilePath(served), limit: 1 << 20), as: UTF8.self)
        return (first..<(first + count)).map {
            #"{"id":\#($0),"envelope":\#(text),"version":\#($0)}"# + "\n"
        }
    }

    /// The answers of a batch.
    static func answers(_ output: String) throws -> [JSONElement] {
        try output.split(separator: "\n").map { try JSONDocument.parse(Array($0.utf8)).root }
    }

    /// Expects that each request was answered once, in order, with an envelope that holds.
    func expectAll(
        _ output: String, from first: Int, count: Int,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let answers = try Self.answers(output)
        #expect(
            answers.map { $0["id"]?.integer } == (first..<(first + count)).map { Int64($0) },
            "\(answers.count) answers", sourceLocation: sourceLocation)
        let key = try P256PublicKey(spki: spki())
        let failed = answers.filter { Signed(envelope: $0["envelope"])?.holds(for: key) != true }
        #expect(
            failed.count == 0, "\(failed.first?.canonicalText ?? "")",
            sourceLocation: sourceLocation)
    }
}

extension JSONElement {
    var canonicalText: String { String(decoding: canonical(), as: UTF8.self) }
}
