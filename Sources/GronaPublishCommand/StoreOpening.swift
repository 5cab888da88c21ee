import CommandLineKit
import CurlTransport
import GronaCommand
import GronaFormats
import HTTPTransport
import LinuxIO
import Publishing

/// What a command is about to do with a store.
enum StoreUse {
    case reading
    /// Writes, and has an unknown store probed first.
    case writing
    /// Writes, and waits for no probe: for switching an offer off.
    case urgent
}

/// A store that is reached over a network, with what it is made of.
struct RemoteStore {
    let store: any PublicationStore
    let objects: ConditionalObjects
    /// Where a probe may replace something without meeting another; nil where there is no such place.
    var scratch: HTTPURL?
    let url: @Sendable (StoreKey) -> HTTPURL?
}

extension CommandContext {
    /// The store that a command writes to, or reads from.
    func openStore(
        _ text: String, for use: StoreUse = .reading,
        watch: (CurlClient) -> any HTTPClient = { $0 }
    ) throws(Failure) -> any PublicationStore {
        let address = try storeAddress(text)
        if case .file(let path) = address {
            if use != .reading, !isDryRun { try LedgerPlace.require(self, use) }
            do throws(StoreError) { return try FileStore(path) } catch {
                throw Failure(error, store: text)
            }
        }
        if use != .reading, isRehearsal, !address.isOnThisHost { throw Self.real(text) }
        let remote = try remoteStore(address, text, watch: watch)
        if use != .reading, !isDryRun {
            try StoreTrust(self, remote).require(use)
            try LedgerPlace.require(self, use)
        }
        return remote.store
    }

    func storeAddress(_ text: String) throws(Failure) -> StoreAddress {
        let settings = try settings()
        let claims = try settings.value(StoreSettings.claimsURL)?.text
        let bundles = try settings.value(StoreSettings.bundlesURL)?.text
        do throws(StoreError) {
            return try StoreAddress(text, claims: claims, bundles: bundles)
        } catch {
            throw Failure(error, store: text)
        }
    }

    /// The store as anybody sees it: nobody's credentials are shown to it.
    func openPublicStore(_ text: String) throws(Failure) -> any PublicationStore {
        let address = try storeAddress(text)
        guard case .file(let path) = address else {
            return try remoteStore(address, text, isAnonymous: true).store
        }
        do throws(StoreError) { return try FileStore(path) } catch {
            throw Failure(error, store: text)
        }
    }

    /// - Parameters:
    ///   - isAnonymous: whether no credentials are shown.
    ///   - watch: is between this program and the network.
    func remoteStore(
        _ address: StoreAddress, _ text: String, isAnonymous: Bool = false,
        watch: (CurlClient) -> any HTTPClient = { $0 }
    ) throws(Failure) -> RemoteStore {
        let access: ObjectAccess
        switch address {
        case .file: throw Failure(.unknownKind(text), store: text)
        case _ where isAnonymous: access = .http(.none)
        case .http:
            access = .http(
                try bearer(
                    StoreSettings.tokenFile, credential: "store-token", store: text))
        case .s3(let place): access = try s3Access(place, text)
        }
        let objects = ConditionalObjects(
            client: watch(try httpClient()), access: access, fields: try documentFields())
        switch address {
        case .s3(let place):
            let store = S3Store(place, objects: objects)
            return RemoteStore(store: store, objects: objects, scratch: store.scratch()) {
                store.url($0)
            }
        case .http(let place):
            let store = HTTPStore(place, objects: objects)
            return RemoteStore(store: store, objects: objects) { store.url($0) }
        case .file: throw Failure(.unknownKind(text), store: text)
        }
    }

    /// What devices and caches are told about a document.
    private func documentFields() throws(Failure) -> [HTTPField] {
        let maxAge = try settings().value(StoreSettings.maxAge)?.text ?? "60"
        return [
            HTTPField("Content-Type", "application/jose+json"),
            HTTPField("Cache-Control", "public, max-age=\(maxAge), must-revalidate"),
        ]
    }

    func httpClient() throws(Failure) -> CurlClient {
        let settings = try settings()
        var curl = CurlSettings(agent: "grona-publish/\(GronaProgram.version)")
        curl.authorities = try settings.value(StoreSettings.authorities).map {
            FilePath(bytes: $0.bytes)
        }
        curl.allowsPlainHTTP = try settings.isOn(StoreSettings.allowHTTP)
        let timeout = try settings.value(StoreSettings.httpTimeout)?.text ?? "20s"
        let seconds = (try? DurationSeconds(parsing: timeout))?.seconds ?? 20
        curl.totalMilliseconds = Int(clamping: max(1, min(seconds, 3_600)) * 1_000)
        curl.connectMilliseconds = min(curl.connectMilliseconds, curl.totalMilliseconds)
        return CurlClient(curl)
    }

    // MARK: Credentials

    func bearer(
        _ setting: Setting, credential: String, store: String
    ) throws(Failure) -> HTTPCredential {
        let file = try settings().value(setting).map { FilePath(bytes: $0.bytes) }
        let owners = try Ownership.trustedOwners()
        let token: WipedBytes?
        do throws(CredentialError) {
            token = try TokenSource(owners: owners).token(file: file, credential: credential)
        } catch {
            throw Failure(error, store: store)
        }
        guard let token else { return .none }
        try refuseCredentials(to: store)
        return .bearer(token)
    }

    func s3Access(_ place: S3Place, _ text: String) throws(Failure) -> ObjectAccess {
        try refuseCredentials(to: text)
        let owners = try Ownership.trustedOwners()
        do throws(CredentialError) {
            return .s3(
                try S3CredentialSources(owners: owners).credential(), region: place.region)
        } catch {
            throw Failure(error, store: text)
        }
    }

    /// A store that only a settings file names gets nobody's credentials: that file comes with a
    /// checkout, and could send them anywhere.
    private func refuseCredentials(to store: String) throws(Failure) {
        let settings = try settings()
        var values: [SettingValue] = []
        for setting in [SharedSettings.to, SharedSettings.from, SharedSettings.ledger] {
            if let value = try settings.value(setting) { values.append(value) }
        }
        let named = values.filter { $0.text.utf8.elementsEqual(store.utf8) }
        for value in named {
            guard case .file(let path, let line, let column) = value.origin else { return }
            guard value == named.last else { continue }
            throw Failure(
                Diagnostic(
                    code: "store.credentials",
                    message: "credentials are not shown to a store that only a settings file names",
                    file: path, line: line, column: column,
                    help:
                        "name it with --to, --from or --ledger, or set GRONA_STORE or GRONA_LEDGER",
                    exit: .configuration))
        }
    }

    static func real(_ store: String) -> Failure {
        Failure(
            Diagnostic(
                code: RuleCode.rehearsalReal.rawValue,
                message: "a rehearsal would write into this store",
                file: AddressText.redacted(store),
                help: "take a folder (file:DIR), or a store on this host", exit: .configuration))
    }
}
