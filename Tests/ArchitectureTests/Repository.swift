import Foundation

/// The files of this package: what git tracks or would, or what lies there without git.
struct Repository {
    static let here = Repository(
        root: URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent())

    let root: URL

    /// Paths relative to the root.
    func files() throws -> [String] {
        if let listed = try? listedByGit(), !listed.isEmpty { return listed }
        guard let walk = FileManager.default.enumerator(atPath: root.path()) else { return [] }
        return walk.compactMap { $0 as? String }.filter { path in
            let first = path.prefix { $0 != "/" }
            return ![".build", ".git", "keys"].contains(String(first)) && isFile(path)
        }.sorted()
    }

    private func listedByGit() throws -> [String] {
        let output = try Tool.output(
            [
                "git", "-C", root.path(), "ls-files", "-z", "--cached", "--others",
                "--exclude-standard",
            ])
        return output.split(separator: "\0").map(String.init).filter(isFile).sorted()
    }

    func isFile(_ path: String) -> Bool {
        let file = root.appending(path: path)
        let values = try? file.resourceValues(forKeys: [.isRegularFileKey])
        return values?.isRegularFile ?? false
    }

    func bytes(_ path: String) throws -> [UInt8] {
        try [UInt8](Data(contentsOf: root.appending(path: path)))
    }

    func text(_ path: String) throws -> String {
        try String(decoding: bytes(path), as: UTF8.self)
    }

    /// The Swift files of the products, with their targets; read once.
    static let sources = Result { try here.readSources() }

    private func readSources() throws -> [SourceFile] {
        try files().filter { $0.hasPrefix("Sources/") && $0.hasSuffix(".swift") }.map { path in
            SourceFile(
                path: path, target: String(path.split(separator: "/")[1]), text: try text(path))
        }
    }
}

/// One Swift file of a product.
struct SourceFile: Sendable {
    let path: String
    let target: String
    let code: SwiftCode

    init(path: String, target: String, text: String) {
        self.path = path
        self.target = target
        code = SwiftCode(text)
    }
}

/// A program of the system.
enum Tool {
    struct Failed: Error {
        let command: [String]
        let status: Int32
    }

    static func output(_ command: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = command
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failed(command: command, status: process.terminationStatus)
        }
        return String(decoding: data, as: UTF8.self)
    }
}
