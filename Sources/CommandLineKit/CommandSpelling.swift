/// How people call a program where they may not call it itself, such as through sudo: messages that
/// name a command to type next name it in that form.
package struct CommandSpelling: Sendable {
    /// The name that stands in the texts.
    package let program: String
    /// What is typed in its place.
    package let typed: String
    /// Commands that cannot be called so with files, and keep the program's own name then.
    package let except: Set<String>

    package init(program: String, typed: String, except: Set<String> = []) {
        self.program = program
        self.typed = typed
        self.except = except
    }

    /// The text with each `PROGRAM COMMAND` as it is typed.
    package func applied(to text: String) -> String {
        let bytes = Array(text.utf8)
        let name = Array(program.utf8) + [UInt8(ascii: " ")]
        guard bytes.count > name.count else { return text }
        var result: [UInt8] = []
        var index = 0
        while index < bytes.count {
            let end = index + name.count
            if end < bytes.count, bytes[index] == name[0], bytes[index..<end].elementsEqual(name),
                index == 0 || !Self.isOfWord(bytes[index - 1])
            {
                let verb = bytes[end...].prefix(while: Self.isOfVerb)
                // What it reads from standard input goes through any wrapper.
                let isPiped = bytes[(end + verb.count)...].starts(with: Array(" - ".utf8))
                if !verb.isEmpty,
                    isPiped || !except.contains(String(decoding: verb, as: UTF8.self))
                {
                    result += Array(typed.utf8) + [UInt8(ascii: " ")]
                    index = end
                    continue
                }
            }
            result.append(bytes[index])
            index += 1
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func isOfVerb(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || byte == 0x2D
    }

    /// A path to the program, or a longer name, is typed as it stands.
    private static func isOfWord(_ byte: UInt8) -> Bool {
        isOfVerb(byte) || (0x41...0x5A).contains(byte) || (0x2F...0x39).contains(byte)
            || byte == 0x5F || byte == 0x2E
    }
}
