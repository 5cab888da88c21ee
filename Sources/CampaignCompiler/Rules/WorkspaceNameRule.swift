internal import GronaFormats
internal import StrictJSON

/// `workspace`: the workspace key, equal to the folder's name (signed-configuration: The
/// workspace check).
enum WorkspaceNameRule {
    static func check(
        _ workspace: JSONElement, folder: String, _ findings: inout Findings
    ) -> WorkspaceName? {
        guard let element = findings.required("workspace", of: workspace, .workspaceName),
            let text = findings.string(element, .workspaceName)
        else { return nil }
        if text.utf8.elementsEqual(WorkspaceName.reserved.utf8) {
            findings.add(.workspaceName, at: element, .reserved(word: WorkspaceName.reserved))
            return nil
        }
        guard let name = WorkspaceName(text) else {
            return findings.malformed(element, .workspaceName, text, .workspaceName)
        }
        if !text.utf8.elementsEqual(folder.utf8) {
            findings.add(.workspaceName, at: element, .folderName(found: text, folder: folder))
        }
        return name
    }
}
