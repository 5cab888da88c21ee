import CommandLineKit
import GronaCommand
import GronaFormats
import GronaVerification
import HTTPTransport
import LinuxIO
import Publishing

/// How to go on with a ledger that lost what it had.
private let acceptLedger =
    "'grona-publish doctor --accept-ledger' takes it as it is, and puts what is served and the"
    + " envelopes beside it on record"

extension Failure {
    /// A store that could not be asked.
    init(_ error: StoreError, store: String) {
        self.init(StoreWording.diagnostic(error, store))
    }

    init(_ error: PublicationLedgerError) {
        switch error {
        case .log(let path, let error):
            self.init(error, file: path.description)
            if reason.line != nil {
                reason.help =
                    "keep the file, and its .mark, under other names, and find out who wrote to it;"
                    + " then \(acceptLedger)"
            }
        case .envelope(let error): self.init(writing: error)
        case .busy(let path):
            self.init(
                Diagnostic(
                    code: "ledger.busy",
                    message: "other publishers write to the ledger all the time",
                    file: path.description, exit: .tryAgain))
        case .store(let name, let error): self.init(error, store: name)
        case .wentBack(let name, let record):
            self.init(
                Diagnostic(
                    code: "ledger.went-back",
                    message: "record \(record), which this host has seen, is gone or another one",
                    file: name,
                    help: "the ledger's store was restored or changed: put back what it had; where"
                        + " that cannot be had, \(acceptLedger)",
                    exit: .otherSide))
        case .cut(let path, let lines, let count):
            self.init(
                Diagnostic(
                    code: "ledger.went-back",
                    message: lines < count
                        ? "the ledger has \(lines) lines and had \(count): it was cut, or set back"
                        : "line \(count) of the ledger is another one than was written",
                    file: path.description,
                    help:
                        "put the ledger and its .mark back together, from one back-up; where there"
                        + " is none, \(acceptLedger)",
                    exit: .otherSide))
        case .gap(let name, let record, let later):
            self.init(
                Diagnostic(
                    code: "ledger.broken",
                    message: "record \(record) is gone, though record \(later) is there",
                    file: name,
                    help: "put the record back from a backup or from another host's copy"
                        + " (shared.ndjson below its state folder); nothing is written until then",
                    exit: .otherSide))
        case .broken(let name, let record):
            self.init(
                Diagnostic(
                    code: "ledger.broken",
                    message: "record \(record) does not continue the one before it", file: name,
                    help: "find out who else writes there", exit: .otherSide))
        }
    }

    init(_ error: PublishingError, store: String) {
        switch error {
        case .store(let error): self.init(error, store: store)
        case .ledger(let error): self.init(error)
        case .signer(let error): self.init(error)
        case .sourceMissing(let version):
            self.init(
                Diagnostic(
                    code: "served.content-unknown",
                    message: "version \(version), which was served last, can be had nowhere",
                    file: store,
                    help: "'grona-publish recover' shows what there is to go on with",
                    exit: .otherSide))
        case .unknownCampaign(let id, let version, let campaigns):
            self.init(
                Diagnostic(
                    code: "campaign.unknown",
                    message: "version \(version) has no campaign \"\(id)\"", file: store,
                    help: campaigns.isEmpty
                        ? "it has none at all"
                        : "it has " + campaigns.joined(separator: ", "),
                    exit: .refused))
        case .stopped(let code):
            self.init(
                Diagnostic(
                    code: code, message: "the warning \(code) is an error here", file: store,
                    exit: .refused))
        }
    }

    /// Keys that cannot be trusted as they are given.
    init(_ error: TrustError) {
        let message =
            switch error {
            case .publicKey(let kid, let error):
                "\(kid): \(PublicKeyWording.message(error))"
            case .thumbprint(let kid, let workspace):
                "\(kid) of \(workspace): the thumbprint on record is not that of the key"
            case .kidTwice(let kid): "\(kid) stands for two keys"
            case .keyTwice(let one, let other): "\(one) and \(other) are one key"
            }
        self.init(
            Diagnostic(code: error.code.rawValue, message: message, exit: .configuration))
    }
}

/// The words for what a store answers.
enum StoreWording {
    static func diagnostic(_ error: StoreError, _ store: String) -> Diagnostic {
        switch error {
        case .unknownKind(let address):
            Diagnostic(
                code: "store.address",
                message: "'\(AddressText.redacted(address))' is no address of a store",
                help: "file:PATH, https://HOST/…/{workspace}/config, or"
                    + " s3://BUCKET/PREFIX?endpoint=URL&region=NAME",
                exit: .configuration)
        case .address(let text, let problem): RemoteStoreWording.address(text, problem)
        case .noAnswer(let failure, let access):
            RemoteStoreWording.noAnswer(failure, access, store)
        case .denied(let status, let code, let access):
            RemoteStoreWording.denied(status, code, access, store)
        case .busy(let status):
            Diagnostic(
                code: "store.busy", message: "the store answered \(status) again and again",
                file: store, help: "try again", exit: .tryAgain)
        case .redirected(let status):
            Diagnostic(
                code: "store.redirect",
                message: "the store sends elsewhere (\(status)), which is never followed",
                file: store, help: "name the address to which it sends, if that is meant",
                exit: .otherSide)
        case .rejected(let status, let code, let access):
            RemoteStoreWording.rejected(status, code, access, store)
        case .notADocument(let type):
            Diagnostic(
                code: "store.not-a-document",
                message: "a page (\(type)) stands in the place of a document", file: store,
                help: "look at the address; a sign-in page or a proxy may be in the way",
                exit: .otherSide)
        case .noTag:
            Diagnostic(
                code: "store.no-tag",
                message: "what is served has no entity tag by which it could be replaced",
                file: store, help: "have the server send ETag", exit: .otherSide)
        case .weakTag:
            Diagnostic(
                code: "store.weak-tag",
                message:
                    "the entity tag of what is served stays weak, so it satisfies no condition",
                file: store, help: "have the server send strong tags; compression may weaken them",
                exit: .otherSide)
        case .malformedList:
            Diagnostic(
                code: "store.answer", message: "the list of objects is none", file: store,
                exit: .otherSide)
        case .noFolder(let path, let error): noFolder(path, error)
        case .file(let error, let access): file(error, access)
        }
    }

    private static func noFolder(_ path: FilePath, _ error: FileError) -> Diagnostic {
        switch error.number {
        case .notFound?:
            Diagnostic(
                code: "store.missing", message: "the folder of the store is not there",
                file: path.description,
                help: "make it first: a folder that is missing may be a disk that is not mounted",
                exit: .noInput)
        case .noPermission?, .notPermitted?:
            denied(path)
        default:
            Diagnostic(
                code: "store.not-a-folder", message: words(error), file: path.description,
                exit: .noInput)
        }
    }

    private static func file(_ error: FileError, _ access: StoreError.Access) -> Diagnostic {
        let missing: ExitStatus = access == .writing ? .cannotCreate : .noInput
        switch error {
        case .locked(let path, let holder):
            return Diagnostic(
                code: "lock.held",
                message: holder.map { "process \($0) is writing to the store" }
                    ?? "another process is writing to the store",
                file: path.description, help: "try again", exit: .tryAgain)
        case .isLink(let path):
            return Diagnostic(
                code: "store.link", message: "a symbolic link, which a store never follows",
                file: path.description, exit: missing)
        case .notRegular(let path, _), .exists(let path), .invalidName(let path):
            return Diagnostic(
                code: "store.not-a-file", message: words(error), file: path.description,
                exit: missing)
        case .tooLarge(let path, let limit):
            return Diagnostic(
                code: "input.too-large", message: "more than \(limit)", file: path.description,
                exit: .otherSide)
        case .system(let system):
            let path = system.path ?? ""
            switch system.number {
            case .noPermission, .notPermitted: return denied(path)
            case .readOnlyFileSystem:
                return Diagnostic(
                    code: "store.read-only", message: "the file system is mounted read-only",
                    file: place(path),
                    help: "mount it to be written to, or find out why it is not (dmesg: a disk with"
                        + " errors becomes so by itself); then the same command again",
                    exit: .cannotCreate)
            case .notAFolder, .isFolder:
                return Diagnostic(
                    code: "store.not-a-folder", message: words(error), file: path.description,
                    exit: missing)
            default:
                return Diagnostic(
                    code: "store.failed", message: words(error), file: path.description,
                    exit: .inputOutput)
            }
        }
    }

    private static func denied(_ path: FilePath) -> Diagnostic {
        Diagnostic(
            code: "store.denied", message: "this user may not do that in the store",
            file: place(path),
            help: "run it as the user whom the store's folder belongs to, or give it to this one",
            exit: .notAllowed)
    }

    /// A file under a name for a moment says nothing to anybody; the folder does.
    private static func place(_ path: FilePath) -> String {
        let name = path.lastComponent?.description ?? ""
        return (name.utf8.starts(with: ".grona-tmp-".utf8) ? path.parent : path).description
    }

    private static func words(_ error: FileError) -> String {
        switch error {
        case .system(let error): "\(error.operation): \(error.number.text)"
        case .tooLarge(_, let limit): "more than \(limit) bytes"
        case .notRegular(_, let kind): "\(words(kind)), not a file"
        case .exists: "something is there already"
        case .isLink: "a symbolic link"
        case .locked: "locked by another process"
        case .invalidName: "no name of a file"
        }
    }

    private static func words(_ kind: FileKind) -> String {
        switch kind {
        case .regular: "a file"
        case .folder: "a folder"
        case .link: "a symbolic link"
        case .pipe: "a pipe"
        case .socket: "a socket"
        case .characterDevice, .blockDevice: "a device"
        case .unknown: "something else"
        }
    }
}
