internal import Glibc

/// The environment of this process.
package enum Environment {
    /// The value of a variable; nil when it is not set or not UTF-8.
    package static func value(_ name: String) -> String? {
        guard let value = bytes(name) else { return nil }
        return String(validating: value, as: UTF8.self)
    }

    /// The value of a variable as it stands.
    package static func bytes(_ name: String) -> [UInt8]? {
        guard let value = unsafe getenv(name) else { return nil }
        return unsafe [UInt8](
            UnsafeRawBufferPointer(start: value, count: strlen(value)))
    }

    /// The value of a variable as a path; nil when it is not set or empty.
    package static func path(_ name: String) -> FilePath? {
        guard let value = bytes(name), !value.isEmpty else { return nil }
        return FilePath(bytes: value)
    }

    /// Every `NAME=value`, in the order in which they stand.
    package static func entries() -> [[UInt8]] {
        var next = unsafe environ
        var entries: [[UInt8]] = []
        while let entry = unsafe next.pointee {
            unsafe entries.append(
                [UInt8](UnsafeRawBufferPointer(start: entry, count: strlen(entry))))
            unsafe next += 1
        }
        return entries
    }
}
