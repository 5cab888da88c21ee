import CLinux

/// Both ends of a pipe, numbered above the standard descriptors and not inherited.
struct Pipe: ~Copyable {
    let reading: OpenFile
    let writing: OpenFile

    init(named path: FilePath) throws(SystemError) {
        var ends: [Int32] = [-1, -1]
        guard unsafe grona_pipe(&ends) == 0 else { throw SystemError.last("pipe2", path) }
        reading = OpenFile(owning: ends[0], path: path)
        writing = OpenFile(owning: ends[1], path: path)
    }
}
