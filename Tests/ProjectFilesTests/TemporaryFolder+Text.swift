import Foundation
import TestSupport

extension TemporaryFolder {
    /// Writes a text file and makes the folders above it.
    func write(_ name: String, _ text: String) throws {
        let parent = (path(name) as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(
            atPath: parent, withIntermediateDirectories: true)
        try write(name, Array(text.utf8))
    }
}
