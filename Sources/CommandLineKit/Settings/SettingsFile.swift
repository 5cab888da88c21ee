package import LinuxIO
import StrictJSON

/// A settings file as it was read: values by name, with their places.
package struct SettingsFile: Sendable {
    struct Entry: Sendable {
        let name: String
        let bytes: [UInt8]
        let line: Int
        let column: Int
        let pointer: String
    }

    package let path: FilePath
    let entries: [Entry]

    /// Reads `{"format": 1, NAME: VALUE, …}`; values are text, whole numbers, true or false.
    ///
    /// - Throws: a `Failure` of status 78: `settings.json`, `settings.format`, `settings.value`.
    package init(_ bytes: [UInt8], path: FilePath) throws(Failure) {
        self.path = path
        let root: JSONElement
        do {
            root = try JSONDocument.parse(bytes).root
        } catch {
            throw Failure(
                Diagnostic(
                    code: error.code, message: "the settings are no JSON as it is read here",
                    file: path.description, line: error.position.line,
                    column: error.position.column, pointer: error.pointer, exit: .configuration))
        }
        guard root.kind == .object else {
            throw Self.failure("json", "the settings are no JSON object", root, path)
        }
        guard let format = root["format"], format.integer == 1 else {
            throw Self.failure(
                "format", "the settings need the member \"format\" with the number 1",
                root["format"] ?? root, path)
        }
        var entries: [Entry] = []
        for member in root.members where !member.nameElement.equals("format") {
            guard !member.name.hasPrefix("$") else { continue }
            let value = member.value
            let bytes: [UInt8]
            switch value.kind {
            case .string: bytes = value.utf8 ?? []
            case .boolean: bytes = Array((value.boolean == true ? "true" : "false").utf8)
            case .number:
                guard let number = value.integer else {
                    throw Self.failure("value", "a number here is whole", value, path)
                }
                bytes = Array(String(number).utf8)
            default:
                throw Self.failure(
                    "value", "a setting is text, a whole number, true or false", value, path)
            }
            let position = member.value.position
            entries.append(
                Entry(
                    name: member.name, bytes: bytes, line: position.line, column: position.column,
                    pointer: value.pointer))
        }
        self.entries = entries
    }

    private static func failure(
        _ code: String, _ message: String, _ element: JSONElement, _ path: FilePath
    ) -> Failure {
        Failure(
            Diagnostic(
                code: "settings.\(code)", message: message, file: path.description,
                line: element.position.line, column: element.position.column,
                pointer: element.pointer, exit: .configuration))
    }
}
