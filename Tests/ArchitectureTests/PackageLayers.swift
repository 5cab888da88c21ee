/// The layers of the package, as its manifest writes them: a comment `// Layer N: …` and the
/// targets below it, each with the targets on which it depends.
struct PackageLayers {
    struct Target: Equatable {
        let name: String
        let layer: Int
        let dependencies: [String]
    }

    private(set) var targets: [String: Target] = [:]

    init(manifest: String) {
        var layer: Int?
        var statement = ""
        for line in manifest.split(separator: "\n", omittingEmptySubsequences: false) {
            let text = line.trimmed
            if text.hasPrefix("// Layer ") {
                layer = Int(text.dropFirst(9).prefix { $0.isNumber })
            } else if text.hasPrefix("// ") {
                layer = text == "// Tests." ? nil : layer
            } else if let layer, !text.isEmpty {
                statement += text + " "
                guard statement.parenthesesAreClosed, statement.contains("(") else { continue }
                add(statement, layer)
                statement = ""
            }
        }
    }

    private mutating func add(_ statement: String, _ layer: Int) {
        let kinds = ["layer(", "program(", ".target(", ".systemLibrary(", ".executableTarget("]
        guard kinds.contains(where: statement.hasPrefix) else { return }
        // Every word in quotes: the name first, then what it depends on, up to other arguments.
        let names = statement.split(separator: "\"", omittingEmptySubsequences: false)
            .enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
        guard let name = names.first else { return }
        let hasDependencies = !statement.hasPrefix(".systemLibrary(")
        var dependencies = hasDependencies ? Array(names.dropFirst()) : []
        if statement.hasPrefix("program(") { dependencies.append("GronaCommand") }
        targets[name] = Target(name: name, layer: layer, dependencies: dependencies)
    }

    /// What a target reaches, directly or not.
    func closure(of name: String) -> Set<String> {
        var found: Set<String> = []
        var open = targets[name]?.dependencies ?? []
        while let next = open.popLast() {
            guard found.insert(next).inserted else { continue }
            open += targets[next]?.dependencies ?? []
        }
        return found
    }

    /// Dependencies that point up.
    var upward: [String] {
        targets.values.flatMap { target in
            target.dependencies.compactMap { name in
                guard let other = targets[name] else { return "\(target.name) -> \(name)?" }
                return other.layer > target.layer ? "\(target.name) -> \(name)" : nil
            }
        }.sorted()
    }

    /// What is wrong with one file's imports of our own targets.
    func problems(of imports: [String], in target: String) -> [String] {
        guard let own = targets[target] else { return ["\(target) is in no layer"] }
        return imports.compactMap { name in
            guard let other = targets[name], name != target else { return nil }
            if other.layer > own.layer { return "\(target) (\(own.layer)) imports \(name)" }
            return own.dependencies.contains(name) ? nil : "\(target) does not declare \(name)"
        }
    }
}

extension StringProtocol {
    var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }

    fileprivate var parenthesesAreClosed: Bool {
        reduce(0) { $0 + ($1 == "(" ? 1 : $1 == ")" ? -1 : 0) } == 0
    }
}
