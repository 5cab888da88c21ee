internal import GronaFormats
internal import StrictJSON

/// A waiver with its place in `workspace.json`.
struct WaiverEntry {
    let waiver: Waiver
    let element: JSONElement

    func covers(_ finding: Finding) -> Bool {
        waiver.file.utf8.elementsEqual(finding.fileName.utf8)
            && waiver.pointer.utf8.elementsEqual(finding.pointer.utf8)
            && waiver.rule.utf8.elementsEqual(finding.rule.rawValue.utf8)
    }
}
