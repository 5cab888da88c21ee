internal import Glibc
import LinuxIO

/// The calls behind a connection: sockets of the family AF_UNIX and no other.
enum LocalSocket {
    /// How long to wait before a socket whose queue is full is tried again, in nanoseconds.
    private static let pause: UInt64 = 10_000_000

    /// A connected descriptor that never blocks and that no child inherits.
    static func connect(
        _ path: FilePath, until deadline: UInt64
    ) throws(LocalConnectionError) -> OpenFile {
        var address = try address(path)
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let file = OpenFile(owning: socket(AF_UNIX, kind, 0), path: path)
        guard file.descriptor >= 0 else {
            throw .system(SystemError(operation: "socket", path: path, errno: errno))
        }
        while true {
            let result = unsafe withUnsafePointer(to: &address) { address in
                unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    unsafe Glibc.connect(
                        file.descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            if result == 0 { return file }
            switch errno {
            case EINTR: continue
            case EAGAIN:
                guard SystemClock.monotonicNanoseconds() < deadline else {
                    throw .timedOut(path)
                }
                SystemClock.sleep(nanoseconds: pause)
            case let number: throw .notReached(path, ErrorNumber(rawValue: number))
            }
        }
    }

    /// What is ready on the descriptor; nil once the deadline has passed.
    static func wait(_ descriptor: Int32, for events: Int16, until deadline: UInt64) -> Int16? {
        var entry = pollfd(fd: descriptor, events: events, revents: 0)
        while true {
            let now = SystemClock.monotonicNanoseconds()
            guard now < deadline else { return nil }
            // Rounded up, so that no wait spins.
            let milliseconds = Int32(min((deadline - now + 999_999) / 1_000_000, 1_000_000))
            let ready = unsafe poll(&entry, 1, milliseconds)
            if ready > 0 { return entry.revents }
            if ready < 0, errno != EINTR { return events }
        }
    }

    private static func address(_ path: FilePath) throws(LocalConnectionError) -> sockaddr_un {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = path.bytes
        guard !bytes.isEmpty, !bytes.contains(0) else { throw .notReached(path, .notFound) }
        let room = MemoryLayout.size(ofValue: address.sun_path)
        // A byte stays for the zero at the end.
        guard bytes.count < room else { throw .notReached(path, .nameTooLong) }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { name in
            unsafe name.copyBytes(from: bytes)
        }
        return address
    }
}
