internal import GronaFormats
internal import StrictJSON

/// Collects what the rules find in one file.
///
/// Of each severity the first hundred are kept and the others counted: finding a place takes the
/// time of reading up to it, and nobody reads on.
struct Findings {
    let file: String
    let fileName: String
    private(set) var all: [Finding] = []

    /// The place of a finding about a whole file.
    static let start = JSONPosition(line: 1, column: 1)

    init(source: WorkspaceSource, fileName: String) {
        self.file = source.path(of: fileName)
        self.fileName = fileName
    }

    /// How many of one severity are kept.
    static let limit = 100
    private var counts: [Severity: Int] = [:]

    mutating func add(
        _ rule: RuleCode, _ severity: Severity = .error, at element: JSONElement,
        _ detail: FindingDetail
    ) {
        guard isKept(severity) else { return }
        add(rule, severity, position: element.position, pointer: element.pointer, detail)
    }

    mutating func add(
        _ rule: RuleCode, _ severity: Severity = .error, position: JSONPosition,
        pointer: String, _ detail: FindingDetail
    ) {
        guard isKept(severity) else { return }
        counts[severity, default: 0] += 1
        all.append(
            Finding(
                rule: rule, severity: severity, file: file, fileName: fileName,
                position: position, pointer: pointer, detail: detail))
    }

    /// Whether there is room for one more; if not, it is counted.
    private mutating func isKept(_ severity: Severity) -> Bool {
        let count = counts[severity, default: 0]
        if count >= Self.limit { counts[severity] = count + 1 }
        return count < Self.limit
    }

    /// All that is kept, with a last finding for the others.
    var finished: [Finding] {
        var finished = all
        for severity in [Severity.error, .warning] {
            let omitted = counts[severity, default: 0] - Self.limit
            guard omitted > 0 else { continue }
            finished.append(
                Finding(
                    rule: .lintMore, severity: severity, file: file, fileName: fileName,
                    position: Self.start, pointer: "", detail: .more(omitted)))
        }
        return finished
    }

    var hasErrors: Bool {
        all.contains { $0.severity == .error }
    }
}
