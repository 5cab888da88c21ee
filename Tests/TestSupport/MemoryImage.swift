import Foundation
import LinuxIO

/// The memory of a process that stands still, area by area.
package struct MemoryImage {
    package struct Area: Sendable {
        package let start: UInt64
        package let end: UInt64
        package let name: String
        /// Locked and left out of dumps: what libsodium's guarded allocations and OpenSSL's secure
        /// heap have in common, and nothing else in our programs has.
        package let isGuarded: Bool
        package let isSearched: Bool
    }

    package struct Finding: Hashable, Sendable, CustomStringConvertible {
        package let secret: String
        package let form: SecretTraces.Form
        package let area: String
        package let isGuarded: Bool

        package var description: String {
            "\(secret) as \(form.rawValue) in \(area)\(isGuarded ? ", guarded" : "")"
        }
    }

    package let areas: [Area]
    private let contents: [[UInt8]]

    /// Reads every area that can hold what the process has written or read.
    package init(of process: Int32) throws {
        let text = String(
            decoding: try readFile(FilePath("/proc/\(process)/smaps"), limit: 64 << 20),
            as: UTF8.self)
        areas = MemoryImage.areas(text)
        let memory = try OpenFile(FilePath("/proc/\(process)/mem"), [])
        contents = areas.map { area in
            area.isSearched ? MemoryImage.read(memory, area) : []
        }
    }

    /// In how many areas, and how many bytes, it was looked.
    package var searchedByteCount: Int { contents.reduce(0) { $0 + $1.count } }
    package var guardedByteCount: Int {
        zip(areas, contents).reduce(0) { $0 + ($1.0.isGuarded ? $1.1.count : 0) }
    }

    package func find(_ secrets: [SecretTraces]) -> Set<Finding> {
        var found: Set<Finding> = []
        for (area, bytes) in zip(areas, contents) where !bytes.isEmpty {
            for secret in secrets {
                for trace in secret.traces where MemoryImage.contains(bytes, trace.bytes) {
                    found.insert(
                        Finding(
                            secret: secret.name, form: trace.form, area: area.name,
                            isGuarded: area.isGuarded))
                }
            }
        }
        return found
    }

    private static func contains(_ bytes: [UInt8], _ needle: [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBytes { bytes in
            unsafe needle.withUnsafeBytes { needle in
                guard var place = bytes.baseAddress, let start = needle.baseAddress else {
                    return false
                }
                let end = unsafe place + bytes.count
                while unsafe (place + needle.count) <= end,
                    let found = unsafe memchr(
                        place, Int32(unsafe needle[0]),
                        unsafe place.distance(to: end) - needle.count + 1)
                {
                    if unsafe memcmp(found, start, needle.count) == 0 { return true }
                    unsafe place = unsafe UnsafeRawPointer(found) + 1
                }
                return false
            }
        }
    }

    /// `START-END PERMISSIONS … INODE NAME`, and below it `VmFlags: …`.
    private static func areas(_ text: String) -> [Area] {
        var areas: [Area] = []
        var head: [Substring] = []
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard words[0] == "VmFlags:" else {
                if words[0].contains("-"), words.count >= 5 { head = words }
                continue
            }
            let ends = head[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
            let isRead = head[1].hasPrefix("r")
            let isConstant = !head[1].contains("w") && head[4] != "0"
            let name = head.count > 5 ? String(head[5]) : "anonymous memory"
            areas.append(
                Area(
                    start: ends[0], end: ends[1], name: name,
                    isGuarded: words.contains("lo") && words.contains("dd"),
                    isSearched: isRead && !isConstant && !name.hasPrefix("[v")))
        }
        return areas
    }

    private static func read(_ memory: borrowing OpenFile, _ area: Area) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: Int(area.end - area.start))
        let descriptor = memory.descriptor
        let count = unsafe bytes.withUnsafeMutableBytes { bytes in
            unsafe pread(descriptor, bytes.baseAddress, bytes.count, off_t(area.start))
        }
        return count > 0 ? Array(bytes[..<count]) : []
    }
}
