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
    /// Whether there may be more: a log, or a line of one, could not be read.
    package let isAtLeast: Bool

    package init(campaign: String, unexpired: Int?, until: UnixTime?, isAtLeast: Bool = false) {
        self.campaign = campaign
        self.unexpired = unexpired
        self.until = until
        self.isAtLeast = isAtLeast
    }

    /// The same where something could not be read: there may be more, up to the bound.
    package func atLeast(until bound: UnixTime?) -> GrantExposure {
        GrantExposure(
            campaign: campaign, unexpired: unexpired,
            until: [until, bound].compactMap(\.self).max(), isAtLeast: true)
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
    /// Whether somebody named them, so that each has to be there.
    package let areNamed: Bool

    package init(_ paths: [FilePath], areNamed: Bool = true) {
        self.paths = paths
        self.areNamed = areNamed
    }

    package struct Reading: Sendable {
        package var exposures: [GrantExposure] = []
        /// How many files were read.
        package var files = 0
        /// What could not be read, with why.
        package var unreadable: [(FilePath, FileError)] = []
        /// Files with lines that tell of no grant, nor of anything else, with how many.
        package var unclear: [(FilePath, Int)] = []

        /// Whether everything was read, so that the figures are all there is.
        package var isWhole: Bool { unreadable.isEmpty && unclear.isEmpty }
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
                    var unclear = 0
                    try read(file) { line in
                        switch line.map({ Self.line($0, workspace, now) }) ?? .unclear {
                        case .other: return
                        case .unclear: unclear += 1
                        case .grant(let campaign, let expires):
                            guard
                                let id = campaigns.first(where: {
                                    $0.utf8.elementsEqual(campaign)
                                })
                            else { return }
                            let before = counts[id] ?? (0, 0)
                            counts[id] = (before.count + 1, max(before.until, expires))
                        }
                    }
                    if unclear > 0 { reading.unclear.append((file, unclear)) }
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
            if error.isNotFound, !areNamed { return [] }
            if case .notRegular(_, .regular) = error { return [path] }
            if case .system(let system) = error, system.number == .notAFolder { return [path] }
            reading.unreadable.append((path, error))
            return []
        }
    }

    /// Goes through a file that may be larger than memory; nil stands for a line that is too long.
    private func read(_ path: FilePath, _ each: (ArraySlice<UInt8>?) -> Void) throws(FileError) {
        do {
            let file = try OpenFile(path, [.nonBlocking])
            let kind = try file.status().kind
            guard kind == .regular else { throw FileError.notRegular(path, kind) }
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
                    each(isTooLong ? nil : rest[start..<end])
                    isTooLong = false
                    start = end + 1
                }
                rest.removeSubrange(..<start)
                if rest.count > Self.lineLimit {
                    isTooLong = true
                    rest.removeAll(keepingCapacity: true)
                }
            }
            // A last line that was torn is a grant that was never given out; a whole one counts.
            if isTooLong || (!rest.isEmpty && rest.first != UInt8(ascii: "{")) { each(nil) }
            if !isTooLong, (try? JSONDocument.parse(rest)) != nil { each(rest[...]) }
        } catch let error as FileError {
            throw error
        } catch let error as SystemError {
            throw .system(error)
        } catch {
            throw .invalidName(path)
        }
    }

    private enum Line {
        /// A grant of the workspace that is not expired.
        case grant(campaign: [UInt8], expires: Int64)
        /// Something that tells of no such grant.
        case other
        /// Nobody knows of what it tells.
        case unclear
    }

    private static func line(
        _ line: ArraySlice<UInt8>, _ workspace: WorkspaceName, _ now: UnixTime
    ) -> Line {
        if line.isEmpty { return .other }
        guard let root = try? JSONDocument.parse(Array(line)).root, root.kind == .object else {
            return .unclear
        }
        let names = ["wks", "cmp", "exp"]
        // A line about the log itself.
        if names.allSatisfy({ root[$0] == nil }) { return .other }
        guard let name = root["wks"]?.utf8, let campaign = root["cmp"]?.utf8,
            let expires = root["exp"]?.integer
        else { return .unclear }
        guard name.elementsEqual(workspace.text.utf8), expires > now.seconds else { return .other }
        return .grant(campaign: campaign, expires: expires)
    }
}
