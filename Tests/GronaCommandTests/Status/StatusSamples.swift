import GronaFormats
import GronaPublishCommand
import Testing

/// Pictures to be shown.
enum StatusSamples {
    static let now = UnixTime(1_793_264_400)
    static let day: Int64 = 86_400
    /// What would break out of a page, or steer a reader's eye.
    static let hostile = "</style><script>alert('x')</script>\"&\u{202E}\u{1B}[31m\n"

    static func life(
        from: Int64, to: Int64, renewal: Int64? = nil
    ) -> ConfigLife {
        let issuedAt = UnixTime(now.seconds + from)
        let expiresAt = UnixTime(now.seconds + to)
        return ConfigLife(
            issuedAt: issuedAt, expiresAt: expiresAt,
            renewalPoint: DurationSeconds(renewal ?? (to - from) / 2))
    }

    static func workspace(
        _ name: String, _ state: ServedState = .fine, from: Int64 = -5, to: Int64 = 25
    ) throws -> WorkspacePicture {
        var picture = WorkspacePicture(try #require(WorkspaceName(name)), state)
        picture.version = 7
        picture.nextVersion = 8
        picture.kid = "acme-2026-10"
        picture.life = life(from: from * day, to: to * day)
        picture.digest = String(repeating: "0123456789abcdef", count: 4)
        picture.bundles = [
            StatusBundle(
                version: 7, digest: String(repeating: "b", count: 64), kid: "acme-2026-10",
                issuedAt: UnixTime(now.seconds - 4 * day),
                expiresAt: UnixTime(now.seconds + 10 * day)),
            StatusBundle(
                version: 6, digest: String(repeating: "a", count: 64), kid: "acme-2026-09",
                issuedAt: UnixTime(now.seconds - 30 * day),
                expiresAt: UnixTime(now.seconds - 16 * day)),
        ]
        picture.versions = (3...7).reversed().map { number in
            StatusVersion(
                Int64(number), number == 7 ? .served : .claimed, kid: "acme-2026-10",
                issuedAt: picture.life?.issuedAt, expiresAt: picture.life?.expiresAt,
                digest: picture.digest)
        }
        picture.keys = [
            StatusKey("acme-2026-10", .config, .current, since: UnixTime(now.seconds - 90 * day)),
            StatusKey("acme-2026-11", .config, .standby, since: UnixTime(now.seconds - 9 * day)),
            StatusKey("acme-2026-09", .config, .retiring, since: UnixTime(now.seconds - 90 * day)),
            StatusKey("acme-grants-2026-10", .grant, .current),
        ]
        return picture
    }

    /// One that serves nothing of ours any more.
    static func broken(_ name: String) throws -> WorkspacePicture {
        var picture = try workspace(name, .untrusted)
        picture.life = nil
        picture.alarms = ["served.unusable"]
        picture.findings = [
            StatusFinding(
                code: "served.unusable", message: "no device takes what is served: x",
                help: "publish a new version",
                commands: ["grona-publish history \(name)", "grona-publish push next.json"])
        ]
        return picture
    }

    static func picture(_ workspaces: [WorkspacePicture]) -> StatusPicture {
        StatusPicture(store: "file:/srv/grona", madeAt: now, workspaces: workspaces)
    }

    /// A workspace in which every text that can be anything is hostile.
    static func hostileWorkspace() throws -> WorkspacePicture {
        var picture = try broken("acme-market")
        picture.kid = hostile
        picture.digest = hostile
        picture.life = life(from: -day, to: day)
        picture.alarms = [hostile]
        picture.findings = [
            StatusFinding(
                code: hostile, message: hostile, help: hostile, commands: [hostile, hostile])
        ]
        picture.bundles = [
            StatusBundle(
                version: 9, digest: hostile, kid: hostile, issuedAt: UnixTime(.min),
                expiresAt: UnixTime(.max), isTrusted: false)
        ]
        picture.versions = [
            StatusVersion(
                .max, .claimed, kid: hostile, issuedAt: UnixTime(.max), expiresAt: UnixTime(.min),
                digest: hostile)
        ]
        picture.keys = [StatusKey(hostile, .config, .current, since: UnixTime(.max))]
        return picture
    }
}
