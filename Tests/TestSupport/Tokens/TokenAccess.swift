package import LinuxIO

/// How programs reach a token of a test, and how the test makes keys on it.
package struct TokenAccess: Sendable {
    package enum Curve: String, Sendable {
        case p256, p384, k256, rsa
    }

    /// What is unusual about a key.
    package enum Trait: String, Sendable {
        case noSign = "no-sign"
        case alwaysAuthenticate = "always"
        case noPublic = "no-public"
        case noPrivate = "no-private"
        case extractable
    }

    package struct Failure: Error {
        package let reason: String
    }

    /// Unlike anything else that programs print, so that it can be looked for.
    package static let usualPIN = "sesame-7h2w"

    /// The path of the shared library.
    package var module: String
    /// What C_Initialize wants instead of nothing.
    package var initString: String?
    package var label: String
    /// Empty where no login is needed.
    package var pin: String
    /// Holds the PIN and a line feed; nobody else may read it.
    package var pinFile: FilePath
    /// What the module reads, for the programs that load it.
    package var environment: [String: String]

    /// A signer URI (RFC 7512).
    ///
    /// - Parameters:
    ///   - pinSource: instead of the right file; empty for none.
    ///   - more: further path attributes, such as `id=%01`.
    package func signer(
        _ object: String?, more: [String] = [], module: String? = nil, pinSource: String? = nil,
        query: [String] = []
    ) -> String {
        let path =
            ["token=\(Self.encoded(label))"] + (object.map { ["object=\(Self.encoded($0))"] } ?? [])
            + more
        var attributes = ["module-path=\(Self.encoded(module ?? self.module))"]
        let pin = pinSource ?? (self.pin.isEmpty ? "" : "file:\(pinFile)")
        if !pin.isEmpty { attributes.append("pin-source=\(pin)") }
        if let initString { attributes.append("x-grona-init=\(Self.encoded(initString))") }
        return "pkcs11:" + path.joined(separator: ";") + "?"
            + (attributes + query).joined(separator: "&")
    }

    /// Makes a key pair, through the module itself.
    ///
    /// - Parameter id: hexadecimal digits.
    package func makeKey(
        _ object: String, id: String, _ curve: Curve = .p256, _ traits: [Trait] = []
    ) throws {
        try tool(["generate", curve.rawValue, object, id] + traits.map(\.rawValue))
    }

    /// The flags of a private key: `true`, `false` or `missing` by name.
    package func attributes(of object: String) throws -> [String: String] {
        var found: [String: String] = [:]
        for line in try tool(["show", object]).split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            if words.count == 2 { found[words[0]] = words[1] }
        }
        return found
    }

    package func changePIN(to new: String) throws {
        try tool(["change", new])
    }

    /// Percent-encoded but for letters, digits, `-`, `_`, `.` and `~`; slashes stay, as they may.
    package static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
                UInt8(ascii: "."), UInt8(ascii: "~"), UInt8(ascii: "/"):
                result.append(byte)
            default:
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    @discardableResult
    private func tool(_ words: [String]) throws -> String {
        let command = [try NativeTools.tokenTool().description, module, initString ?? "", label]
        let answer = try Program.run(
            command + [pin] + words,
            environment: ["PATH": "/usr/bin:/bin"].merging(environment) { _, new in new })
        guard answer.isSuccess else { throw Failure(reason: answer.errors) }
        return answer.output
    }
}
