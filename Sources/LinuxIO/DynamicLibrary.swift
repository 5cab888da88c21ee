internal import Glibc

/// A library that was opened at run time and stays open: threads and exit handlers of its own may
/// be in it for as long as the process lives.
@safe package struct DynamicLibrary: Sendable {
    /// In the loader's words.
    package struct Failure: Error, Sendable, Hashable {
        package let words: String
    }

    private nonisolated(unsafe) let handle: UnsafeMutableRawPointer

    /// Opens it with all its symbols bound, and keeps them from other libraries.
    ///
    /// - Parameter path: absolute; an empty one would open the program itself, and a bare name
    ///   whatever the loader finds.
    package init(_ path: FilePath) throws(Failure) {
        guard path.isAbsolute, !path.bytes.contains(0) else {
            throw Failure(words: "no absolute path")
        }
        let name = path.bytes.map { CChar(bitPattern: $0) } + [0]
        guard let handle = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
            throw Failure(words: DynamicLibrary.lastError())
        }
        unsafe self.handle = unsafe handle
    }

    /// The address of a function; the caller knows its type.
    package func symbol(_ name: String) throws(Failure) -> UnsafeMutableRawPointer {
        guard let address = unsafe dlsym(handle, name) else {
            throw Failure(words: DynamicLibrary.lastError())
        }
        return unsafe address
    }

    private static func lastError() -> String {
        guard let words = unsafe dlerror() else { return "the loader does not say why" }
        return unsafe String(cString: words)
    }
}
