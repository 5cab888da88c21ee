internal import GronaFormats
internal import StrictJSON

/// Collects what the rules find in one file.
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

    mutating func add(
        _ rule: RuleCode, _ severity: Severity = .error, at element: JSONElement,
        _ detail: FindingDetail
    ) {
        add(rule, severity, position: element.position, pointer: element.pointer, detail)
    }

    mutating func add(
        _ rule: RuleCode, _ severity: Severity = .error, position: JSONPosition,
        pointer: String, _ detail: FindingDetail
    ) {
        all.append(
            Finding(
                rule: rule, severity: severity, file: file, fileName: fileName,
                position: position, pointer: pointer, detail: detail))
    }

    var hasErrors: Bool {
        all.contains { $0.severity == .error }
    }
}
