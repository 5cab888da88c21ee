import CommandLineKit
import GronaCommand
import HTTPTransport
import LinuxIO
import Publishing

extension Failure {
    /// Credentials for a store that cannot be had.
    init(_ error: CredentialError, store: String) {
        self.init(RemoteStoreWording.diagnostic(error, store))
    }
}

/// The words for what stores that are reached over a network answer.
enum RemoteStoreWording {
    static func address(
        _ text: String, _ problem: StoreAddress.Problem
    ) -> Diagnostic {
        let (message, help): (String, String?) =
            switch problem {
            case .template:
                (
                    "an https store needs {workspace} once in its path",
                    "https://HOST/…/{workspace}/config"
                )
            case .claimsTemplate:
                ("--claims-url needs {workspace} and {version} once each", nil)
            case .bundlesTemplate:
                ("--bundles-url needs {workspace} and {bundle} once each", nil)
            case .otherServer:
                (
                    "claims and bundles stand on the server of the config, which knows the token",
                    nil
                )
            case .ledgerTemplate:
                ("an https ledger needs {name} once in its path", "https://HOST/…/{name}")
            case .url(let problem): url(problem)
            case .bucket: ("this is no name of a bucket", "3 to 63 of a-z, 0-9, '-' and '.'")
            case .prefix:
                ("the prefix has characters other than A-Z a-z 0-9 - . _ ~ and /", nil)
            case .endpoint: ("the endpoint is no https address of a host", nil)
            case .region: ("this is no name of a region", nil)
            case .style: ("style is path or virtual", nil)
            case .parameter(let name):
                ("'\(name)' is no parameter, or stands twice", "endpoint, region and style")
            case .virtualHost:
                (
                    "no host name can be made of this bucket and endpoint",
                    "style=path puts the bucket into the path"
                )
            }
        return Diagnostic(
            code: "store.address", message: "'\(AddressText.redacted(text))': \(message)",
            help: help,
            exit: .configuration)
    }

    private static func url(_ problem: HTTPURL.Problem) -> (String, String?) {
        switch problem {
        case .scheme: ("this begins with neither https:// nor http://", nil)
        case .user:
            (
                "an address holds no user and no password",
                "a token is read from --token-file, the keys of an object store from"
                    + " AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY or ~/.aws/credentials"
            )
        case .fragment: ("what follows '#' is never sent", "leave it out, or write %23")
        case .port: ("the port is no number from 1 to 65535", "HOST:PORT, or HOST alone")
        case .host:
            (
                "the host is neither a name nor a number in its one written form",
                "four decimal numbers for IPv4, brackets around IPv6"
            )
        case .dots: ("the path has a step '.' or '..'", "write the path that is meant")
        case .slashes: ("two slashes follow each other in the path", "write one")
        case .character:
            (
                "there is a character that no address has, or a '%' without two digits",
                "write it as '%' and the two digits of its byte, such as %20"
            )
        }
    }

    static func noAnswer(
        _ failure: HTTPFailure, _ access: StoreError.Access, _ store: String
    ) -> Diagnostic {
        let (code, message, help, exit): (String, String, String?, ExitStatus) =
            switch failure.reason {
            case .unresolved:
                ("store.unreachable", "no address is known for the host", nil, .unavailable)
            case .unreachable:
                ("store.unreachable", "nothing answers at the address", nil, .unavailable)
            case .timedOut:
                (
                    "store.timeout", "no answer came in time",
                    "--http-timeout says how long to wait", .unavailable
                )
            case .broken:
                (
                    "store.unreachable", "the connection ended before the answer did", nil,
                    .unavailable
                )
            case .certificateName:
                (
                    "store.certificate", "the server's certificate is for another name",
                    nil, .otherSide
                )
            case .certificate(let number):
                (
                    "store.certificate", "the server's certificate \(certificate(number))",
                    number == 10 ? nil : "--ca FILE says by which certificates it is believed",
                    .otherSide
                )
            case .tls:
                ("store.tls", "no TLS 1.2 or newer comes about with the server", nil, .otherSide)
            case .authorityFile:
                (
                    "store.ca", "the certificates of --ca cannot be used",
                    "a readable file in PEM form", .configuration
                )
            case .malformed: ("store.answer", "what came is no HTTP", nil, .otherSide)
            case .tooLarge(let limit):
                ("store.answer", "the answer has more than \(limit) bytes", nil, .otherSide)
            case .headerTooLarge(let limit):
                (
                    "store.answer", "the answer's header has more than \(limit) bytes", nil,
                    .otherSide
                )
            case .encoding:
                ("store.answer", "the answer is compressed in a way nobody reads", nil, .otherSide)
            case .plainHTTP(toThisHost: true):
                (
                    "store.plain-http", "plain http is not taken without leave",
                    "--allow-http (GRONA_ALLOW_HTTP=1) gives it, for a store on this host",
                    .configuration
                )
            case .plainHTTP(toThisHost: false):
                (
                    "store.plain-http", "plain http is taken to this host alone",
                    "use https", .configuration
                )
            case .invalidField(let name):
                ("store.answer", "the value for \(name) cannot be sent", nil, .otherSide)
            case .library(let number):
                ("store.failed", "libcurl failed with \(number)", nil, .inputOutput)
            }
        return Diagnostic(code: code, message: message, file: store, help: help, exit: exit)
    }

    /// OpenSSL's numbers (`openssl/x509_vfy.h`).
    private static func certificate(_ number: Int) -> String {
        switch number {
        case 9: "does not hold yet"
        case 10: "has expired"
        case 18: "is signed by itself"
        case 19, 20, 21: "is by nobody who is believed"
        case 23: "was revoked"
        default: "does not hold (OpenSSL's \(number))"
        }
    }

    static func denied(
        _ status: Int, _ code: String?, _ access: StoreError.Access, _ store: String
    ) -> Diagnostic {
        let what = access == .writing ? "write to" : "read from"
        return Diagnostic(
            code: "store.denied",
            message: "the store does not let this publisher \(what) it (\(words(status, code)))",
            file: store, help: "look at the token or the keys, and at what they may do",
            exit: .notAllowed)
    }

    static func rejected(
        _ status: Int, _ code: String?, _ access: StoreError.Access, _ store: String
    ) -> Diagnostic {
        if code == "NoSuchBucket" {
            return Diagnostic(
                code: "store.missing", message: "there is no such bucket", file: store,
                help: "make it first, with versioning off", exit: .noInput)
        }
        return Diagnostic(
            code: "store.rejected",
            message: "the store answered \(words(status, code)) to a "
                + (access == .writing ? "write" : "read"),
            file: store, exit: .otherSide)
    }

    private static func words(_ status: Int, _ code: String?) -> String {
        code.map { "\(status) \($0)" } ?? "\(status)"
    }

    static func diagnostic(_ error: CredentialError, _ store: String) -> Diagnostic {
        switch error {
        case .missing:
            Diagnostic(
                code: "store.credentials", message: "there are no keys for the store", file: store,
                help: "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write"
                    + " ~/.aws/credentials",
                exit: .configuration)
        case .halfInEnvironment:
            Diagnostic(
                code: "store.credentials",
                message: "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are needed together",
                exit: .configuration)
        case .noProfile(let path, let name):
            Diagnostic(
                code: "store.credentials", message: "there are no keys in the profile '\(name)'",
                file: path.description, help: "AWS_PROFILE names the profile",
                exit: .configuration)
        case .malformed(let path):
            Diagnostic(
                code: "store.credentials",
                message: "what stands there has a character that no token or key has",
                file: path?.description ?? "environment", exit: .configuration)
        case .empty(let path):
            Diagnostic(
                code: "store.credentials", message: "nothing stands there where a token should",
                file: path.description, help: "write the token into it, on one line",
                exit: .configuration)
        case .file(let error): file(error)
        }
    }

    private static func file(_ error: SecretFileError) -> Diagnostic {
        let (path, message, help, exit): (FilePath?, String, String?, ExitStatus) =
            switch error {
            case .system(let error): (error.path, error.number.text, nil, .noInput)
            case .isLink(let path):
                (
                    path, "a symbolic link, which is not followed",
                    "name the file to which it leads (--token-file, --ledger-token-file,"
                        + " AWS_SHARED_CREDENTIALS_FILE)", .notAllowed
                )
            case .notRegular(let path, _): (path, "not a file", nil, .noInput)
            case .foreignOwner(let path, let status):
                (
                    path, "it belongs to user \(status.owner), who is not trusted",
                    "it has to belong to the user that runs this, or to root", .notAllowed
                )
            case .openToOthers(let path, _):
                (
                    path, "others than its owner may read it",
                    "chmod 600 '\(path.description)'", .notAllowed
                )
            case .tooLarge(let path, let limit):
                (path, "more than \(limit) bytes", nil, .noInput)
            }
        return Diagnostic(
            code: "store.credentials", message: message, file: path?.description, help: help,
            exit: exit)
    }
}
