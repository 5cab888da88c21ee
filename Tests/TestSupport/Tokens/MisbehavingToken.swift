import Foundation
import LinuxIO

/// A token of the module whose faults are asked for; see `Tests/MisbehavingModule`.
package final class MisbehavingToken: Sendable {
    package let folder: TestFolder
    package let access: TokenAccess

    /// - Parameter control: what it does, a line each.
    package init(_ control: [String] = [], pin: String = TokenAccess.usualPIN) throws {
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
        let lines = control + ["pin \(access.pin)"]
        try folder.write("module.so.control", lines.joined(separator: "\n") + "\n")
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

    /// The PIN that programs read, right or not; a new file each time, as editors make it.
    package func setPIN(inFile pin: String) throws {
        try folder.write("pin.new", "\(pin)\n", permissions: 0o600)
        try FileManager.default.removeItem(atPath: access.pinFile.description)
        try FileManager.default.moveItem(
            atPath: folder.file("pin.new").description, toPath: access.pinFile.description)
    }

    /// The wrong PINs in a row, as the token counts them.
    package func setWrongTries(_ count: Int) throws {
        try folder.write("module.so.tries", "\(count)\n")
    }

    /// What a run that signs calls.
    package static let functions = [
        "C_Initialize", "C_GetSlotList", "C_GetSlotInfo", "C_GetTokenInfo", "C_GetMechanismInfo",
        "C_OpenSession", "C_Login", "C_FindObjectsInit", "C_FindObjects", "C_FindObjectsFinal",
        "C_GetAttributeValue", "C_SignInit", "C_Sign",
    ]
}
