import CLinux
internal import Glibc

/// Opening below a folder without following a link anywhere on the way.
enum BeneathOpen {
    /// By which means; the second is for kernels before 5.6 and sandboxes that forbid `openat2`.
    enum Means: Sendable {
        case kernelThenSteps, stepsOnly
    }

    static func open(
        _ relative: FilePath, _ options: OpenFile.Options, permissions: UInt32 = 0o600,
        below folder: borrowing OpenFile, means: Means = .kernelThenSteps
    ) throws(FileError) -> OpenFile {
        let reported = folder.path.appending(relative)
        let components = relative.components
        guard !components.isEmpty, !relative.isAbsolute, components.allSatisfy(\.isName) else {
            throw .invalidName(relative)
        }
        if means == .kernelThenSteps {
            let opened: OpenFile?
            do {
                opened = try openByKernel(
                    relative, options, permissions, folder.descriptor, reported)
            } catch {
                throw classify(error, reported)
            }
            if let opened { return opened }
        }
        return try openByStep(components, options, permissions, folder, reported)
    }

    /// nil when the kernel does not have the call or a sandbox forbids it.
    private static func openByKernel(
        _ relative: FilePath, _ options: OpenFile.Options, _ permissions: UInt32,
        _ folder: Int32, _ reported: FilePath
    ) throws(SystemError) -> OpenFile? {
        let name = try relative.cString("openat2")
        let resolve = UInt64(GRONA_RESOLVE_BENEATH | GRONA_RESOLVE_NO_SYMLINKS)
        // EAGAIN: a rename elsewhere made the kernel unsure whether the path stayed below.
        for _ in 0..<1000 {
            let opened = unsafe grona_openat2(
                folder, name, options.rawValue, permissions, resolve)
            if opened >= 0 { return OpenFile(owning: opened, path: reported) }
            switch ErrorNumber.last {
            case .interrupted, .wouldBlock: continue
            case .noSuchCall, .notPermitted: return nil
            default: throw SystemError.last("openat2", reported)
            }
        }
        return nil
    }

    private static func openByStep(
        _ components: [FilePath], _ options: OpenFile.Options, _ permissions: UInt32,
        _ folder: borrowing OpenFile, _ reported: FilePath
    ) throws(FileError) -> OpenFile {
        var here = folder.descriptor
        var holder: OpenFile?
        for (index, component) in components.enumerated() {
            let isLast = index == components.count - 1
            do {
                let next = try OpenFile(
                    component, (isLast ? options : .folder).union(.noFollow),
                    permissions: permissions, below: here, reportedAs: reported)
                if isLast { return next }
                here = next.descriptor
                holder = consume next
            } catch {
                // A link where a folder should be is reported as "not a folder".
                let status = try? FileSystem.statusIfPresent(of: component, below: here)
                if error.number == .notAFolder, status?.kind == .link { throw .isLink(reported) }
                throw classify(error, reported)
            }
        }
        _ = consume holder
        throw .invalidName(reported)
    }

    private static func classify(_ error: SystemError, _ path: FilePath) -> FileError {
        switch error.number {
        case .tooManyLinks: .isLink(path)
        case .noSuchDevice: .notRegular(path, .socket)
        default: .system(error)
        }
    }
}
