import CommandLineKit
import DeviceModel
import GronaCommand
import GronaFormats
import JOSE
import LinuxIO
import PublishProtocol
import Publishing
import StrictJSON

/// `diff A B`: what differs between two configs by meaning.
enum DiffCommand {
    private static let served = Array("served".utf8)

    private static let first = Operand(
        ValueReader<FilePath>.file("A"), help: "a file, a version's number, or 'served'")
    private static let second = Operand(
        ValueReader<FilePath>.file("B"), help: "a file, a version's number, or 'served'")

    static let command = Command(
        "diff", .reads, summary: "show what differs between two configs",
        discussion: [
            "A number is a version in the store's history, 'served' is what devices get now, and"
                + " everything else is a file, whose signature is not looked at. A file that is"
                + " called like a number is given as ./NAME."
        ],
        operands: [first, second],
        options: [
            SharedOptions.workspace, SharedOptions.from, SharedOptions.keys, SharedOptions.pins,
        ] + StoreOptions.all,
        examples: [
            .init("grona-publish diff served next.json", "shows what a push would change"),
            .init("grona-publish diff 7 served --workspace acme-market", "since version 7"),
        ]
    ) { context throws(Failure) in
        let paths = [try context.call.require(first), try context.call.require(second)]
        let files = try paths.map { path throws(Failure) in
            isFile(path) ? try file(path) : nil
        }
        var sides: [JSONElement] = []
        var names: [String] = []
        for (path, file) in zip(paths, files) {
            names.append(file == nil ? "version \(path)" : InputDocument.name(path))
            if let file {
                sides.append(file)
            } else {
                sides.append(try stored(path, context, files.compactMap { $0 }))
            }
        }
        let difference = ConfigDifference(from: sides[0], to: sides[1])
        if context.wantsJSON {
            context.console.json(DifferenceReport.json(difference))
        } else {
            context.console.write(
                DifferenceReport.text(difference, style: context.console.style))
        }
        return .success
    }

    private static func isFile(_ path: FilePath) -> Bool {
        !path.bytes.elementsEqual(served) && version(path) == nil
    }

    private static func version(_ path: FilePath) -> ConfigVersion? {
        String(validating: path.bytes, as: UTF8.self).flatMap(ConfigVersion.init(decimal:))
    }

    /// The payload of a file, as it stands.
    private static func file(_ path: FilePath) throws(Failure) -> JSONElement {
        let bytes = try InputDocument.read(path, limit: Limits.Reader.envelope)
        do throws(RuleViolation) {
            return try PayloadRule.read(try EnvelopeRule.read(bytes).payload).root
        } catch {
            throw Failure(
                Diagnostic(
                    code: error.code.rawValue, message: RuleWording.message(error),
                    file: InputDocument.name(path), exit: .refused))
        }
    }

    /// The payload of a version in the store, or of what is served, if it is ours.
    private static func stored(
        _ path: FilePath, _ context: CommandContext, _ files: [JSONElement]
    ) throws(Failure) -> JSONElement {
        let workspace = try workspace(context, files)
        let store = try context.openStore(try context.from())
        let judge = try context.judge(workspace, of: store)
        let document: JudgedDocument?
        if let version = version(path) {
            do {
                document = try HistoryReader(store: store, judge: judge).claim(version)
            } catch {
                throw Failure(error, store: store.name)
            }
            guard document != nil else {
                throw Failure(
                    Diagnostic(
                        code: "version.missing",
                        message: "there is no version \(version) of \(workspace)",
                        file: store.name, exit: .noInput))
            }
        } else {
            document = try ServedDocument.read(store, judge)
        }
        guard let payload = document?.payload else {
            throw Failure(
                Diagnostic(
                    code: document?.outcome.code?.rawValue ?? RuleCode.signatureInvalid.rawValue,
                    message: "what stands there is not ours", file: store.name, exit: .otherSide))
        }
        return payload.root
    }

    private static func workspace(
        _ context: CommandContext, _ files: [JSONElement]
    ) throws(Failure) -> WorkspaceName {
        if let named = try context.workspace() { return named }
        for file in files {
            if let name = file["workspace"]?.string.flatMap(WorkspaceName.init(_:)) { return name }
        }
        return try context.requireWorkspace()
    }
}
