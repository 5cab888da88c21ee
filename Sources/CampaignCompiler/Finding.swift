package import GronaFormats
package import StrictJSON

/// What a lint rule has to say about one place of a source file.
package struct Finding: Sendable, Equatable {
    /// The rule that was broken.
    package let rule: RuleCode

    /// Whether it keeps the workspace from being compiled.
    package let severity: Severity

    /// The path of the file, with the label of its source.
    package let file: String

    /// The file's name without its folder: what a waiver names.
    package let fileName: String

    /// Line and column, from 1, columns in characters.
    package let position: JSONPosition

    /// RFC 6901 pointer into the file; for a missing member, to the object that lacks it.
    package let pointer: String

    /// What is wrong, as data; the wording stands with the commands.
    package let detail: FindingDetail

    package init(
        rule: RuleCode, severity: Severity, file: String, fileName: String,
        position: JSONPosition, pointer: String, detail: FindingDetail
    ) {
        self.rule = rule
        self.severity = severity
        self.file = file
        self.fileName = fileName
        self.position = position
        self.pointer = pointer
        self.detail = detail
    }

    /// The same finding with another weight.
    func weighing(_ severity: Severity) -> Finding {
        Finding(
            rule: rule, severity: severity, file: file, fileName: fileName,
            position: position, pointer: pointer, detail: detail)
    }
}
