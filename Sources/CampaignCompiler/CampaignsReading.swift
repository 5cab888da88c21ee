internal import GronaFormats
internal import StrictJSON

/// The campaigns of a workspace, read and checked one by one.
struct CampaignsReading {
    /// The campaigns without errors of their own.
    private(set) var roots: [JSONElement] = []
    private(set) var findings: [Finding] = []

    /// The levels that stand around a campaign in a payload: the payload and its list.
    static let outerDepth = 2

    init(_ source: WorkspaceSource) {
        // Sorted, so that the first of two files with one id is the same on every machine.
        let files = source.files.sorted {
            $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
        }
        var ids: [[UInt8]: (file: String, pointer: String)] = [:]
        for file in files where !Self.isPolicy(file.name) {
            var found = Findings(source: source, fileName: file.name)
            if Self.isCampaign(file.name) {
                read(file, &ids, &found)
            } else if Self.looksLikeCampaign(file.name) {
                found.add(
                    .campaignFile, .warning, position: Findings.start, pointer: "",
                    .ignoredFile(name: file.name))
            }
            findings += found.finished
        }
    }

    private mutating func read(
        _ file: SourceFile, _ ids: inout [[UInt8]: (file: String, pointer: String)],
        _ found: inout Findings
    ) {
        guard let root = found.document(file, outerDepth: Self.outerDepth),
            found.object(root, .campaignForm) != nil
        else { return }
        CampaignRules.check(root, &found)
        if let element = root["id"], let id = element.string {
            if let first = ids[Array(id.utf8)] {
                found.add(
                    .campaignID, at: element,
                    .duplicate(id: id, firstFile: first.file, firstPointer: first.pointer))
            } else {
                ids[Array(id.utf8)] = (file.name, element.pointer)
            }
        }
        roots.append(root)
    }

    private static func isPolicy(_ name: String) -> Bool {
        name.utf8.elementsEqual(WorkspaceSource.policyFileName.utf8)
    }

    static func isCampaign(_ name: String) -> Bool {
        Array(name.utf8).suffix(5).elementsEqual(WorkspaceSource.suffix.utf8)
    }

    /// Whether a name ends in `.json` but for the case of its letters.
    private static func looksLikeCampaign(_ name: String) -> Bool {
        name.utf8.suffix(5).map { $0 | 0x20 }.elementsEqual(WorkspaceSource.suffix.utf8)
    }
}

extension Findings {
    /// The root of a file's document, or a finding at the place where it stops being I-JSON, or
    /// about the size for which it was not read.
    mutating func document(_ file: SourceFile, outerDepth: Int) -> JSONElement? {
        if let limit = file.exceededLimit {
            add(
                .inputTooLarge, position: Self.start, pointer: "", .fileSize(atMost: limit))
            return nil
        }
        do throws(JSONError) {
            return try JSONDocument.parse(file.bytes, outerDepth: outerDepth).root
        } catch {
            add(
                RuleCode(error.code), position: error.position, pointer: error.pointer,
                .json(error))
            return nil
        }
    }
}
