import CLinux
internal import Glibc

/// What becomes of a symbolic link in the last step of a path.
package enum LinkPolicy: Sendable {
    case follow, refuse
}

/// What becomes of a named pipe in the place of a file.
package enum PipePolicy: Sendable {
    case wait, refuse
}

/// Reads a regular file or a pipe; a folder, device or socket is `notRegular`.
///
/// The size is asked before anything is read, so a file over `limit` bytes costs nothing; what
/// grows while it is read, or does not know its size, stops at the first byte too many. A named
/// pipe without a writer is waited for, as `cat` does, unless `pipes` refuses it: a file of ours is
/// none.
package func readFile(
    _ path: FilePath, limit: Int, links: LinkPolicy = .follow, pipes: PipePolicy = .wait
) throws(FileError) -> [UInt8] {
    var options: OpenFile.Options = .nonBlocking
    if links == .refuse { options.insert(.noFollow) }
    let file: OpenFile
    do {
        file = try OpenFile(path, options)
    } catch {
        switch error.number {
        case .tooManyLinks where links == .refuse: throw .isLink(path)
        case .noSuchDevice: throw .notRegular(path, .socket)
        default: throw .system(error)
        }
    }
    if pipes == .refuse {
        let status: FileStatus
        do { status = try file.status() } catch { throw .system(error) }
        guard status.kind != .pipe else { throw .notRegular(path, .pipe) }
    }
    return try readWhole(file, limit: limit)
}

/// The first bytes of a regular file of any size; nil where there is no such file, or a link.
package func readBeginning(of path: FilePath, count: Int) -> [UInt8]? {
    guard let file = try? OpenFile(path, [.nonBlocking, .noFollow]),
        let status = try? file.status(), status.kind == .regular
    else { return nil }
    return try? file.read(count: count, at: 0)
}

/// Reads standard input to its end, at most `limit` bytes, whatever kind of file it is.
package func readStandardInput(limit: Int) throws(FileError) -> [UInt8] {
    let descriptor = grona_duplicate_above(STDIN_FILENO, 3)
    guard descriptor >= 0 else { throw .system(.last("fcntl", "/dev/stdin")) }
    let file = OpenFile(owning: descriptor, path: "/dev/stdin")
    do {
        let status = try file.status()
        guard status.kind != .folder else { throw FileError.notRegular(file.path, .folder) }
    } catch let error as SystemError {
        throw .system(error)
    } catch let error as FileError {
        throw error
    } catch {}
    return try file.readToEnd(limit: limit)
}

/// Reads an open file after looking at what it is.
func readWhole(_ file: borrowing OpenFile, limit: Int) throws(FileError) -> [UInt8] {
    let status: FileStatus
    do { status = try file.status() } catch { throw .system(error) }
    switch status.kind {
    case .regular:
        guard status.size <= limit else { throw .tooLarge(file.path, limit: limit) }
        return try file.readToEnd(limit: limit, expecting: status.size)
    case .pipe:
        // Opened without blocking, it would look empty until a writer comes.
        _ = Poll.wait(file.descriptor, for: .input, until: nil)
        return try file.readToEnd(limit: limit)
    default:
        throw .notRegular(file.path, status.kind)
    }
}
