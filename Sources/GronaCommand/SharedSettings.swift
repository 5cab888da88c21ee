package import CommandLineKit
import LinuxIO

/// The shared options as settings: where each may come from, and what holds without it.
///
/// A settings file lies in a checked-out folder that other people write to, so it never says who
/// signs, with which keys, what is trusted, or where this host's memory is.
package enum SharedSettings {
    /// The name of the settings file.
    package static let fileName = "grona.json"

    package static let keys = Setting(
        SharedOptions.keys, kind: .path, isTakenFromFile: false,
        builtIn: { _ in SettingValue("keys", .builtIn(nil)) })
    package static let pins = Setting(SharedOptions.pins, kind: .path, isTakenFromFile: false)
    package static let campaigns = Setting(
        SharedOptions.campaigns, kind: .path, isTakenFromFile: true,
        builtIn: { _ in SettingValue("campaigns", .builtIn(nil)) })
    package static let workspace = Setting(
        SharedOptions.workspace, kind: .text, isTakenFromFile: true)
    package static let to = Setting(
        SharedOptions.to, kind: .address, isTakenFromFile: true, builtIn: defaultStore)
    package static let from = Setting(
        SharedOptions.from, kind: .address, isTakenFromFile: true, builtIn: defaultStore)
    package static let state = Setting(
        SharedOptions.state, kind: .path, isTakenFromFile: false, builtIn: defaultState)
    package static let ledger = Setting(
        SharedOptions.ledger, kind: .address, isTakenFromFile: true)
    package static let signer = Setting(SharedOptions.signer, kind: .text, isTakenFromFile: false)
    package static let signerTimeout = Setting(
        SharedOptions.signerTimeout, kind: .text, isTakenFromFile: true,
        builtIn: { _ in SettingValue("30s", .builtIn(nil)) })
    package static let strict = Setting(
        SharedOptions.strict, environment: ["GRONA_STRICT"], isTakenFromFile: true)

    /// Those that both programs show.
    package static let common = [
        keys, pins, campaigns, workspace, to, from, state, ledger, signer, signerTimeout, strict,
    ]
    /// All that a settings file may hold.
    package static let all = common + StoreSettings.all

    private static let publicFolder: FilePath = "public"

    @Sendable private static func defaultStore(_ environment: EnvironmentValues) -> SettingValue? {
        guard let folder = try? OpenFile(publicFolder, [.folder]), (try? folder.status()) != nil
        else { return nil }
        return SettingValue("file:./public", .builtIn("the folder ./public"))
    }

    /// `$STATE_DIRECTORY` (systemd.exec(5); the first folder of its list), `$XDG_STATE_HOME/grona`
    /// and `~/.local/state/grona` (XDG Base Directory Specification).
    @Sendable private static func defaultState(_ environment: EnvironmentValues) -> SettingValue? {
        if let folders = environment["STATE_DIRECTORY"],
            let first = folders.split(separator: ":").first
        {
            return SettingValue(String(first), .environment("STATE_DIRECTORY"))
        }
        if let folder = environment["XDG_STATE_HOME"], folder.utf8.first == UInt8(ascii: "/") {
            return SettingValue(folder + "/grona", .builtIn("XDG_STATE_HOME"))
        }
        if let home = environment["HOME"], home.utf8.first == UInt8(ascii: "/") {
            return SettingValue(home + "/.local/state/grona", .builtIn("HOME"))
        }
        return nil
    }
}
