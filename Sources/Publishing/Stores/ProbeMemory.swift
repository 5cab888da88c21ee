import GronaFormats
package import LinuxIO
package import ProjectFiles
import StrictJSON

/// Where the reports about stores are kept: `STATE/stores/<digest>/probe.json`.
package struct ProbeMemory: Sendable {
    private static let limit = 65_536

    package let path: FilePath
    private let folder: FilePath

    package init(_ place: StateFolder.OfStore) {
        folder = place.folder
        path = place.folder.appending("probe.json")
    }

    /// Nil where there is none, or one of another form: then the store is probed again.
    package func read(store: String) throws(FileError) -> ProbeRecord? {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try readFile(
                path, limit: Self.limit, links: .refuse, pipes: .refuse)
        } catch {
            if error.isNotFound { return nil }
            throw error
        }
        guard let root = try? JSONDocument.parse(bytes).root, root["format"]?.integer == 1,
            root["store"]?.string == store, let time = root["time"]?.integer,
            let report = root["report"].flatMap({ ProbeReport($0) })
        else { return nil }
        var record = ProbeRecord(store: store, time: UnixTime(time), report: report)
        if let promise = root["single_publisher"], let user = promise["user"]?.string,
            let time = promise["time"]?.integer
        {
            record.singlePublisher = .init(user: user, time: UnixTime(time))
        }
        return record
    }

    package func write(_ record: ProbeRecord) throws(FileError) {
        var members: [(String, JSONValue)] = [
            ("format", .integer(1)), ("store", .string(record.store)),
            ("time", .integer(record.time.seconds)), ("report", record.report.json),
        ]
        if let promise = record.singlePublisher {
            members.append(
                (
                    "single_publisher",
                    .object([
                        ("user", .string(promise.user)), ("time", .integer(promise.time.seconds)),
                    ])
                ))
        }
        do throws(SystemError) {
            try FileSystem.createFolders(folder, permissions: 0o700)
        } catch {
            throw .system(error)
        }
        let file = try OutputFile(at: path, replacing: true, permissions: 0o600)
        try file.commit(JSONValue.object(members).canonical() + [0x0A])
    }
}
