internal import GronaFormats
internal import StrictJSON

/// `id`: an id, the file's name without its ending, and no word that names something else.
enum IdentityRule {
    /// The file name `workspace.json` is the policy's, so that no campaign can be called that.
    static let reserved = "workspace"

    static func check(_ campaign: JSONElement, _ findings: inout Findings) {
        guard let element = findings.required("id", of: campaign, .campaignID),
            let id = findings.identifier(element, .campaignID)
        else { return }
        if id.utf8.elementsEqual(reserved.utf8) {
            findings.add(.campaignID, at: element, .reserved(word: reserved))
        } else if !findings.fileName.utf8.elementsEqual((id + WorkspaceSource.suffix).utf8) {
            findings.add(.campaignID, at: element, .fileName(found: id, file: findings.fileName))
        }
    }
}
