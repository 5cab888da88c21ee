package import GronaFormats
package import LinuxIO
import StrictJSON

/// What is still in shoppers' hands of an offer that was switched off: grants that an order backend
/// goes on to honour until they expire (offers-and-grants: On the device, Expiry).
package struct GrantExposure: Sendable, Equatable {
    package let campaign: String
    /// How many grants are not expired; nil where no issuance log could be read.
    package let unexpired: Int?
    /// When the last of them expires at the latest; nil where there is none.
    package let until: UnixTime?

    package init(campaign: String, unexpired: Int?, until: UnixTime?) {
        self.campaign = campaign
        self.unexpired = unexpired
        self.until = until
    }

    /// The most that can be said without a log: a grant that was given out just now lives as long
    /// as the policy says.
    package static func bound(
        _ campaign: String, policy: WorkspacePolicy, now: UnixTime
    ) -> GrantExposure {
        GrantExposure(
            campaign: campaign, unexpired: nil,
            until: UnixTime(now.seconds + policy.lifetimes.grant.seconds))
    }
}

/// Reads the logs of the processes that give out grants: NDJSON, one line a grant, with `wks`,
/// `cmp` and `exp`.
package struct IssuanceLogs: Sendable {
    /// The longest line that is read, in bytes.
    private static let lineLimit = 64 << 10
    private static let chunk = 1 << 20
    private static let suffix = Array(".ndjson".utf8)

    /// Files, or folders with `*.ndjson` in them.
    package let paths: [FilePath]

    package init(_ paths: [FilePath]) {
        self.paths = paths
    }

    package struct Reading: Sendable {
        package var exposures: [GrantExposure] = []
        /// How many files were read.
        package var files = 0
        /// What could not be read, with why.
        package var unreadable: [(FilePath, FileError)] = []
    }

    /// Counts the grants of each campaign that are not expired.
    package func read(
        _ campaigns: [String], of workspace: WorkspaceName, now: UnixTime
    ) -> Reading {
        var reading = Reading()
        var counts = [String: (count: Int, until: Int64)]()
        for path in paths {
            for file in files(at: path, &reading) {
                do throws(FileError) {
                    try read(file) { line in
                        guard let found = Self.grant(line, workspace, now),
                            let id = campaigns.first(where: {
                                $0.utf8.elementsEqual(found.campaign)
                            })
                        else { return }
                        let before = counts[id] ?? (0, 0)
                        counts[id] = (before.count + 1, max(before.until, found.expires))
                    }
                    reading.files += 1
                } catch {
                    reading.unreadable.append((file, error))
                }
            }
        }
        guard reading.files > 0 else { return reading }
        reading.exposures = campaigns.map { id in
            let found = counts[id]
            return GrantExposure(
                campaign: id, unexpired: found?.count ?? 0,
                until: found.map { UnixTime($0.until) })
        }
        return reading
    }

    private func files(at path: FilePath, _ reading: inout Reading) -> [FilePath] {
        do throws(FileError) {
            let names = try Folder(at: path).names()
            return names.filter { $0.bytes.suffix(Self.suffix.count).elementsEqual(Self.suffix) }
                .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
                .map { path.appending($0) }
        } catch {
            if error.isNotFound { return [] }
            if case .notRegular(_, .regular) = error { return [path] }
            if case .system(let system) = error, system.number == .notAFolder { return [path] }
            reading.unreadable.append((path, error))
            return []
        }
    }

    /// Goes through a file that may be larger than memory.
    private func read(_ path: FilePath, _ each: (ArraySlice<UInt8>) -> Void) throws(FileError) {
        do throws(SystemError) {
            let file = try OpenFile(path, [.nonBlocking])
            guard try file.status().kind == .regular else { return }
            var rest: [UInt8] = []
            var offset = 0
            var isTooLong = false
            while true {
                let bytes = try file.read(count: Self.chunk, at: offset)
                if bytes.isEmpty { break }
                offset += bytes.count
                rest += bytes
                var start = rest.startIndex
                while let end = rest[start...].firstIndex(of: 0x0A) {
                    if !isTooLong { each(rest[start..<end]) }
                    isTooLong = false
                    start = end + 1
                }
                rest.removeSubrange(..<start)
                if rest.count > Self.lineLimit {
                    isTooLong = true
                    rest.removeAll(keepingCapacity: true)
                }
            }
            // A torn last line is a grant that was never given out.
        } catch {
            throw .system(error)
        }
    }

    /// A line about a grant of the workspace that is not expired.
    private static func grant(
        _ line: ArraySlice<UInt8>, _ workspace: WorkspaceName, _ now: UnixTime
    ) -> (campaign: [UInt8], expires: Int64)? {
        guard let root = try? JSONDocument.parse(Array(line)).root, root.kind == .object,
            root["wks"]?.utf8?.elementsEqual(workspace.text.utf8) ?? false,
            let campaign = root["cmp"]?.utf8, let expires = root["exp"]?.integer,
            expires > now.seconds
        else { return nil }
        return (campaign, expires)
    }
}
