import LinuxIO

/// The names of kinds of files, with their articles.
enum FileWords {
    static func name(_ kind: FileKind) -> String {
        switch kind {
        case .regular: "a file"
        case .folder: "a folder"
        case .link: "a symbolic link"
        case .pipe: "a pipe"
        case .socket: "a socket"
        case .characterDevice, .blockDevice: "a device"
        case .unknown: "something else"
        }
    }
}
