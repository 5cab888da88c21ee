import LinuxIO

/// The settings of one run: flag, then environment, then settings file, then built-in.
package struct Settings: Sendable {
    package let declared: [Setting]
    private let call: Invocation
    private let file: SettingsFile?

    /// - Parameter file: the settings file, nil where there is none.
    /// - Throws: `settings.unknown` or `settings.not-from-file`, status 78.
    package init(
        _ declared: [Setting], call: Invocation, file: SettingsFile?
    ) throws(Failure) {
        self.declared = declared
        self.call = call
        self.file = file
        guard let file else { return }
        for entry in file.entries {
            guard let setting = declared.first(where: { Self.equal($0.name, entry.name) }) else {
                let near = Suggestions.nearest(
                    to: entry.name, among: declared.filter(\.isTakenFromFile).map(\.name))
                throw Self.failure(
                    "unknown", "there is no setting \"\(entry.name)\"", entry, file,
                    help: near.first.map { "did you mean \"\($0)\"?" })
            }
            guard setting.isTakenFromFile else {
                throw Self.failure(
                    "not-from-file", "\"\(entry.name)\" is never taken from a settings file", entry,
                    file,
                    help: "give --\(entry.name)"
                        + (setting.environment.first.map { " or set \($0)" } ?? ""))
            }
            do {
                try setting.check(entry.bytes)
            } catch {
                throw Self.failure(
                    "value", "\"\(entry.name)\": expected \(error.expected)", entry, file)
            }
        }
    }

    /// The value that holds; nil where nobody gives one.
    ///
    /// - Throws: `usage.value` where a variable of the environment holds no value of the setting.
    package func value(_ setting: Setting) throws(Failure) -> SettingValue? {
        if let bytes = call.rawValue(ofOption: setting.name) {
            return SettingValue(setting.kind == .flag ? Array("true".utf8) : bytes, .option)
        }
        for name in setting.environment {
            guard let text = call.environment[name] else { continue }
            do {
                try setting.check(Array(text.utf8))
            } catch {
                throw Failure(
                    .usage(
                        "value",
                        "\(name) '\(AddressText.redacted(text))': expected \(error.expected)"))
            }
            return SettingValue(text, .environment(name))
        }
        if let file, setting.isTakenFromFile,
            let entry = file.entries.first(where: { Self.equal($0.name, setting.name) })
        {
            return SettingValue(
                resolved(entry.bytes, setting.kind, file),
                .file(path: file.path.description, line: entry.line, column: entry.column))
        }
        return setting.builtIn(call.environment)
    }

    /// Whether a flag's setting is on.
    package func isOn(_ setting: Setting) throws(Failure) -> Bool {
        try value(setting).flatMap { SettingValue.flag($0.bytes) } ?? false
    }

    /// A relative path from a settings file starts at the folder of that file.
    private func resolved(_ bytes: [UInt8], _ kind: Setting.Kind, _ file: SettingsFile) -> [UInt8] {
        let folder = file.path.parent
        guard folder != "." else { return bytes }
        switch kind {
        case .text, .flag: return bytes
        case .path: return folder.appending(.init(bytes: bytes)).bytes
        case .address:
            let prefix = Array("file:".utf8)
            guard bytes.starts(with: prefix) else { return bytes }
            return prefix + folder.appending(.init(bytes: bytes.dropFirst(prefix.count))).bytes
        }
    }

    private static func equal(_ left: String, _ right: String) -> Bool {
        left.utf8.elementsEqual(right.utf8)
    }

    private static func failure(
        _ code: String, _ message: String, _ entry: SettingsFile.Entry, _ file: SettingsFile,
        help: String? = nil
    ) -> Failure {
        Failure(
            Diagnostic(
                code: "settings.\(code)", message: message, file: file.path.description,
                line: entry.line, column: entry.column, pointer: entry.pointer, help: help,
                exit: .configuration))
    }
}
