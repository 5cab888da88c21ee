internal import StrictJSON

/// Finds the innermost values in which two documents differ.
struct ValueComparison {
    private(set) var changes: [ValueChange] = []

    /// Compares two values; goes down as far as the readers' limit on depth.
    mutating func compare(_ old: JSONElement, _ new: JSONElement, at path: [[UInt8]]) {
        if old.canonical() == new.canonical() { return }
        switch (old.kind, new.kind) {
        case (.object, .object):
            compareMembers(of: old, and: new, at: path, skipping: [])
        case (.array, .array):
            compareElements(of: old, and: new, at: path)
        default:
            add(path, old, new)
        }
    }

    mutating func compareMembers(
        of old: JSONElement, and new: JSONElement, at path: [[UInt8]], skipping: [String]
    ) {
        let before = Self.byName(old)
        let after = Self.byName(new)
        for name in Set(before.keys).union(after.keys)
            .sorted(by: { $0.lexicographicallyPrecedes($1) })
        where !skipping.contains(where: { $0.utf8.elementsEqual(name) }) {
            compareSome(before[name], after[name], at: path + [name])
        }
    }

    /// Elements with ids, such as variants, are the same element wherever they stand; others are
    /// compared in place, and lists of different lengths as a whole.
    private mutating func compareElements(
        of old: JSONElement, and new: JSONElement, at path: [[UInt8]]
    ) {
        if let before = Self.byID(old), let after = Self.byID(new) {
            let known = changes.count
            for (index, element) in old.elements.enumerated() {
                let id = element["id"]?.utf8 ?? []
                if after[id] == nil { add(path + [Self.token(index)], element, nil) }
            }
            for (index, element) in new.elements.enumerated() {
                let id = element["id"]?.utf8 ?? []
                compareSome(before[id], element, at: path + [Self.token(index)])
            }
            // Only the order differs.
            if changes.count == known { add(path, old, new) }
        } else if old.count == new.count {
            for (index, pair) in zip(old.elements, new.elements).enumerated() {
                compare(pair.0, pair.1, at: path + [Self.token(index)])
            }
        } else {
            add(path, old, new)
        }
    }

    private mutating func compareSome(
        _ old: JSONElement?, _ new: JSONElement?, at path: [[UInt8]]
    ) {
        if let old, let new { compare(old, new, at: path) } else { add(path, old, new) }
    }

    private mutating func add(_ path: [[UInt8]], _ old: JSONElement?, _ new: JSONElement?) {
        changes.append(ValueChange(pointer: Self.pointer(path), old: old, new: new))
    }

    /// The members by their names; looking each up in the list would take the square of its length.
    private static func byName(_ object: JSONElement) -> [[UInt8]: JSONElement] {
        var found: [[UInt8]: JSONElement] = [:]
        for member in object.members { found[member.nameElement.utf8 ?? []] = member.value }
        return found
    }

    /// The elements by their ids, where every one has an id of its own.
    private static func byID(_ list: JSONElement) -> [[UInt8]: JSONElement]? {
        var found: [[UInt8]: JSONElement] = [:]
        for element in list.elements {
            guard let id = element["id"]?.utf8, found.updateValue(element, forKey: id) == nil
            else { return nil }
        }
        return found
    }

    private static func token(_ index: Int) -> [UInt8] {
        Array(String(index).utf8)
    }

    /// RFC 6901 3: `~` is written `~0`, `/` is written `~1`.
    private static func pointer(_ path: [[UInt8]]) -> String {
        var bytes: [UInt8] = []
        for token in path {
            bytes.append(UInt8(ascii: "/"))
            for byte in token {
                switch byte {
                case UInt8(ascii: "~"): bytes += Array("~0".utf8)
                case UInt8(ascii: "/"): bytes += Array("~1".utf8)
                default: bytes.append(byte)
                }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
