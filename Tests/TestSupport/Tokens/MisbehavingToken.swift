import Foundation
import LinuxIO

/// A token of the module whose faults are asked for; see `Tests/MisbehavingModule`.
package final class MisbehavingToken: Sendable {
    package let folder: TestFolder
    package let access: TokenAccess

    /// - Parameter control: what it does, a line each.
    package init(_ control: [String] = [], pin: String = "1234") throws {
        folder = try TestFolder()
        try FileManager.default.copyItem(
            atPath: try NativeTools.misbehavingModule().description,
            toPath: folder.file("module.so").description)
        try folder.folder("module.so.keys", permissions: 0o700)
        access = TokenAccess(
            module: folder.file("module.so").description, initString: nil, label: "grona",
            pin: pin, pinFile: try folder.write("pin", "\(pin)\n", permissions: 0o600),
            environment: [:])
        try behave(control)
    }

    /// Says anew what it does, from the next C_Initialize on.
    package func behave(_ control: [String]) throws {
        try folder.write("module.so.control", control.joined(separator: "\n") + "\n")
    }

    /// Gives it a key.
    ///
    /// - Parameter id: hexadecimal digits.
    package func makeKey(_ object: String, id: String) throws {
        let text = try Tool.openssl(
            "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256")
        try folder.write("module.so.keys/\(object).\(id).pem", text, permissions: 0o600)
    }

    /// The answers to the calls of a function so far, over all processes.
    package func answers(_ function: String) throws -> [UInt] {
        let path = folder.file("module.so.log")
        guard FileManager.default.fileExists(atPath: path.description) else { return [] }
        return String(decoding: try readFile(path, limit: 64 << 20), as: UTF8.self)
            .split(separator: "\n").compactMap {
                let words = $0.split(separator: " ")
                guard words.count == 3, words[1] == function else { return nil }
                return UInt(words[2].dropFirst(2), radix: 16)
            }
    }

    package func calls(_ function: String) throws -> Int {
        try answers(function).count
    }

    package func forgetCalls() throws {
        try? FileManager.default.removeItem(atPath: folder.file("module.so.log").description)
    }

    package func setPIN(inFile pin: String) throws {
        try folder.write("pin", "\(pin)\n", permissions: 0o600)
    }
}
