import StrictJSON

/// The canonical form of a text, or what refuses it: code, line, column and pointer.
func reading(_ bytes: [UInt8], maximumDepth: Int = 32, outerDepth: Int = 0) -> String {
    do throws(JSONError) {
        let document = try JSONDocument.parse(
            bytes, maximumDepth: maximumDepth, outerDepth: outerDepth)
        return String(decoding: document.root.canonical(), as: UTF8.self)
    } catch {
        return "\(error.code) \(error.position.line):\(error.position.column) \(error.pointer)"
    }
}

func reading(_ text: String) -> String {
    reading(Array(text.utf8))
}

/// The code by which a text is refused; nil when it is accepted.
func refusal(_ bytes: [UInt8]) -> String? {
    do throws(JSONError) {
        _ = try JSONDocument.parse(bytes)
        return nil
    } catch {
        return error.code
    }
}

func refusal(_ text: String) -> String? {
    refusal(Array(text.utf8))
}

func root(_ text: String) throws -> JSONElement {
    try JSONDocument.parse(Array(text.utf8)).root
}

/// All values below an element, itself first.
func everything(_ element: JSONElement) -> [JSONElement] {
    var result: [JSONElement] = []
    var waiting = [element]
    while let next = waiting.popLast() {
        result.append(next)
        waiting += next.members.map(\.value)
        waiting += next.elements
    }
    return result
}

/// Pseudo-random numbers that are the same in every run (splitmix64).
struct SeededRandom: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
