/// The elements of a small XML document that hold text alone, each with the names above it.
///
/// Reads what object stores write (XML 1.0, UTF-8): elements, attributes, text, the five entities,
/// character references and a declaration at the start. A document type, a comment, CDATA or any
/// other instruction is refused, and so is what is nested deeper than eight elements.
struct XMLLeaves {
    private static let deepest = 8

    let root: String
    let all: [(path: [String], text: String)]

    /// Nil for anything that is not such a document.
    init?(_ bytes: [UInt8]) {
        var scanner = Scanner(bytes: bytes)
        guard let root = scanner.document() else { return nil }
        self.root = root
        all = scanner.leaves
    }

    private struct Scanner {
        let bytes: [UInt8]
        var index = 0
        var leaves: [(path: [String], text: String)] = []

        init(bytes: [UInt8]) { self.bytes = bytes }

        var byte: UInt8? { index < bytes.count ? bytes[index] : nil }

        mutating func document() -> String? {
            if starts(with: [0xEF, 0xBB, 0xBF]) { index += 3 }
            if starts(with: Array("<?xml ".utf8)) {
                while let byte, byte != 0x3E { index += 1 }
                guard byte != nil, bytes[index - 1] == 0x3F else { return nil }
                index += 1
            }
            skipBlanks()
            guard let root = element(path: []) else { return nil }
            skipBlanks()
            return index == bytes.count ? root : nil
        }

        func starts(with text: [UInt8]) -> Bool { bytes[index...].starts(with: text) }

        mutating func skipBlanks() {
            while let byte, Self.isBlank(byte) { index += 1 }
        }

        static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

        mutating func take(_ expected: UInt8) -> Bool {
            guard byte == expected else { return false }
            index += 1
            return true
        }

        mutating func name() -> String? {
            let start = index
            while let byte,
                (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
                    || [0x2D, 0x2E, 0x3A, 0x5F].contains(byte)
            { index += 1 }
            guard index > start, index - start <= 128 else { return nil }
            return String(decoding: bytes[start..<index], as: UTF8.self)
        }

        /// An element from its `<` to behind its end; answers its name.
        mutating func element(path: [String]) -> String? {
            guard path.count < XMLLeaves.deepest, take(0x3C), let name = name(),
                let isEmpty = attributes()
            else { return nil }
            let inner = path.isEmpty ? [] : Array(path.dropFirst()) + [name]
            guard !isEmpty else {
                if !path.isEmpty { leaves.append((inner, "")) }
                return name
            }
            var text: [UInt8] = []
            var hasChildren = false
            while let byte {
                if byte != 0x3C {
                    guard let piece = character() else { return nil }
                    text += piece
                    continue
                }
                if starts(with: [0x3C, 0x2F]) {
                    index += 2
                    guard self.name() == name else { return nil }
                    skipBlanks()
                    guard take(0x3E) else { return nil }
                    if hasChildren {
                        guard text.allSatisfy(Self.isBlank) else { return nil }
                    } else if !path.isEmpty {
                        guard let text = String(validating: text, as: UTF8.self) else {
                            return nil
                        }
                        leaves.append((inner, text))
                    }
                    return name
                }
                hasChildren = true
                guard element(path: path + [name]) != nil else { return nil }
            }
            return nil
        }

        /// Skips attributes up to behind the `>`; whether the element ends there.
        mutating func attributes() -> Bool? {
            while true {
                let start = index
                skipBlanks()
                if take(0x3E) { return false }
                if take(0x2F) { return take(0x3E) ? true : nil }
                guard index > start, name() != nil else { return nil }
                skipBlanks()
                guard take(0x3D) else { return nil }
                skipBlanks()
                guard let quote = byte, quote == 0x22 || quote == 0x27 else { return nil }
                index += 1
                while let byte, byte != quote {
                    guard byte != 0x3C else { return nil }
                    index += 1
                }
                guard take(quote) else { return nil }
            }
        }

        /// A byte of text, or what a reference stands for.
        mutating func character() -> [UInt8]? {
            guard let byte, byte != 0x3E, byte >= 0x20 || Self.isBlank(byte) else { return nil }
            guard byte == 0x26 else {
                index += 1
                return [byte]
            }
            guard let end = bytes[index...].prefix(12).firstIndex(of: 0x3B) else { return nil }
            let word = String(decoding: bytes[(index + 1)..<end], as: UTF8.self)
            index = end + 1
            switch word {
            case "amp": return [0x26]
            case "lt": return [0x3C]
            case "gt": return [0x3E]
            case "quot": return [0x22]
            case "apos": return [0x27]
            default: return Self.reference(word)
            }
        }

        static func reference(_ word: String) -> [UInt8]? {
            guard word.utf8.first == 0x23 else { return nil }
            let isHex = word.utf8.dropFirst().first == 0x78
            let digits = word.utf8.dropFirst(isHex ? 2 : 1)
            guard let first = digits.first, first != 0x2B, first != 0x2D,
                let number = UInt32(
                    String(decoding: digits, as: UTF8.self), radix: isHex ? 16 : 10),
                number >= 0x20 || [0x09, 0x0A, 0x0D].contains(number),
                let scalar = Unicode.Scalar(number)
            else { return nil }
            return Array(String(scalar).utf8)
        }
    }
}
