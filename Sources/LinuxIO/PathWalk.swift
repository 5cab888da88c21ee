/// The steps of a path from the root down, as the kernel takes them: each folder, each link, where
/// the links lead, and what the path names in the end.
struct PathWalk {
    /// What one step meets.
    struct Step {
        /// Without links above it.
        let path: FilePath
        let status: FileStatus
        /// Whether it is what the whole path names.
        let isLast: Bool
        /// Whether others than its owner may write to the folder in which it stands.
        let isInSharedFolder: Bool
    }

    /// As many links as the kernel follows in one path (path_resolution(7)).
    private static let mostLinks = 40

    /// How far the walk has come, without links; at its end what the path names.
    private(set) var place: FilePath = "/"
    private let whole: FilePath
    /// What is still to be walked, the next name at the end; nil before the first step.
    private var names: [FilePath]?
    /// The folder `place` and those above it: whether others may write to them.
    private var shared: [Bool] = []
    private var links = 0
    private var isOver = false

    init(_ path: FilePath) {
        whole = path
    }

    /// Nil at the end of the path.
    mutating func next() throws(SystemError) -> Step? {
        guard !isOver else { return nil }
        guard var rest = names else { return try start() }
        while let name = rest.popLast() {
            if name == ".." {
                // The root is above itself.
                if place != "/" {
                    place = place.parent
                    shared.removeLast()
                }
                continue
            }
            let path = place.appending(name)
            let status = try FileSystem.status(of: path, links: .refuse)
            let isInSharedFolder = shared.last ?? false
            if status.kind == .link {
                links += 1
                guard links <= Self.mostLinks else {
                    throw SystemError("lstat", whole, .tooManyLinks)
                }
                let target = try FileSystem.target(of: path)
                if target.isAbsolute { (place, shared) = ("/", Array(shared.prefix(1))) }
                rest += target.components.reversed()
                names = rest
                return Step(
                    path: path, status: status, isLast: false, isInSharedFolder: isInSharedFolder)
            }
            guard status.kind == .folder || rest.isEmpty else {
                throw SystemError("lstat", whole, .notAFolder)
            }
            place = path
            shared.append(status.permissions & 0o022 != 0)
            names = rest
            isOver = rest.isEmpty
            return Step(
                path: path, status: status, isLast: isOver, isInSharedFolder: isInSharedFolder)
        }
        // The end was a way up, or a link to the root: what it leads to was only passed so far.
        isOver = true
        return Step(
            path: place, status: try FileSystem.status(of: place, links: .refuse), isLast: true,
            isInSharedFolder: shared.dropLast().last ?? false)
    }

    private mutating func start() throws(SystemError) -> Step {
        guard !whole.isEmpty else { throw SystemError("lstat", whole, .notFound) }
        var rest = whole.components
        if !whole.isAbsolute { rest = try FileSystem.currentFolder().components + rest }
        names = rest.reversed()
        let status = try FileSystem.status(of: "/", links: .refuse)
        shared = [status.permissions & 0o022 != 0]
        isOver = rest.isEmpty
        return Step(path: "/", status: status, isLast: isOver, isInSharedFolder: false)
    }
}
