import CLinux

/// Who holds a lock, from `/proc/locks`.
enum LockHolder {
    /// The process that holds a `flock` lock on `file`; nil where the kernel does not say it (it
    /// lives in another container, the table is not there, or the lock has just been lifted).
    static func process(holding file: borrowing OpenFile) -> Int32? {
        guard let status = try? file.status(),
            let table = try? readFile("/proc/locks", limit: 4 << 20)
        else { return nil }
        return process(in: table, device: status.device, inode: status.inode)
    }

    /// A line is `1: FLOCK  ADVISORY  WRITE 4711 fd:01:131093 0 EOF`; those that wait have `->`
    /// after the number. Device numbers are hexadecimal.
    static func process(in table: [UInt8], device: UInt64, inode: UInt64) -> Int32? {
        let major = UInt64(grona_device_major(device))
        let minor = UInt64(grona_device_minor(device))
        for line in table.split(separator: .newline) {
            let fields = line.split(separator: UInt8(ascii: " ")).map {
                String(decoding: $0, as: UTF8.self)
            }
            guard fields.count >= 6, fields[1] == "FLOCK" else { continue }
            let place = fields[5].split(separator: ":")
            guard place.count == 3, UInt64(place[0], radix: 16) == major,
                UInt64(place[1], radix: 16) == minor, UInt64(place[2]) == inode,
                let process = Int32(fields[4]), process > 0
            else { continue }
            return process
        }
        return nil
    }
}
