package import HTTPTransport

/// An address of a store, read.
package enum StoreAddress: Hashable, Sendable {
    /// `file:PATH`, as it was given.
    case file(String)
    /// `https://…/{workspace}/…`.
    case http(HTTPPlace)
    /// `s3://BUCKET/PREFIX?endpoint=…&region=…`.
    case s3(S3Place)

    /// What is wrong with an address.
    package enum Problem: Hashable, Sendable {
        /// No `{workspace}`, or no https address.
        case template
        /// No `{workspace}` and `{version}` in `--claims-url`.
        case claimsTemplate
        /// No `{workspace}` and `{bundle}` in `--bundles-url`.
        case bundlesTemplate
        /// Claims or bundles on another server than the config: it would be shown the token.
        case otherServer
        /// No `{name}` in the address of a ledger.
        case ledgerTemplate
        /// What is wrong with it as an address of HTTP.
        case url(HTTPURL.Problem)
        case bucket
        case prefix
        case endpoint
        case region
        case style
        /// A parameter that there is not, or that stands twice.
        case parameter(String)
        /// A virtual-host name cannot be made of this bucket and endpoint.
        case virtualHost
    }

    /// - Parameters:
    ///   - claims: the template of `--claims-url`, for an https store.
    ///   - bundles: that of `--bundles-url`.
    package init(
        _ text: String, claims: String? = nil, bundles: String? = nil
    ) throws(StoreError) {
        if text.utf8.starts(with: FileStore.scheme.utf8) {
            self = .file(text)
        } else if text.utf8.starts(with: S3Place.scheme.utf8) {
            self = .s3(try S3Place(text))
        } else if Self.isHTTP(text) {
            self = .http(try HTTPPlace(text, claims: claims, bundles: bundles))
        } else {
            throw .unknownKind(text)
        }
    }

    package static func isHTTP(_ text: String) -> Bool {
        ["https://", "http://"].contains { text.lowercased().utf8.starts(with: $0.utf8) }
    }

    /// The store in its one written form; nil for a folder, whose form depends on links.
    package var name: String? {
        switch self {
        case .file: nil
        case .http(let place): place.name
        case .s3(let place): place.name
        }
    }

    /// Whether everything that is asked stays on this host.
    package var isOnThisHost: Bool {
        switch self {
        case .file: true
        case .http(let place): place.isOnThisHost
        case .s3(let place): place.endpoint.isLoopback
        }
    }
}

/// Where an https store keeps what.
package struct HTTPPlace: Hashable, Sendable {
    package let config: URLTemplate
    /// Nil where the endpoint keeps no claims: then they stand in the ledger alone.
    package let claims: URLTemplate?
    package let bundles: URLTemplate?

    package init(
        _ config: String, claims: String? = nil, bundles: String? = nil
    ) throws(StoreError) {
        guard let template = URLTemplate(config, names: ["workspace"]) else {
            throw .address(config, URLTemplate.problem(of: config).map { .url($0) } ?? .template)
        }
        self.config = template
        self.claims = try Self.template(
            claims, ["workspace", "version"], .claimsTemplate)
        self.bundles = try Self.template(
            bundles, ["workspace", "bundle"], .bundlesTemplate)
        for other in [self.claims, self.bundles] {
            guard let other, other.origin != template.origin else { continue }
            throw .address(other.description, .otherServer)
        }
    }

    private static func template(
        _ text: String?, _ names: [String], _ problem: StoreAddress.Problem
    ) throws(StoreError) -> URLTemplate? {
        guard let text else { return nil }
        guard let template = URLTemplate(text, names: names) else {
            throw .address(text, URLTemplate.problem(of: text).map { .url($0) } ?? problem)
        }
        return template
    }

    package var name: String { config.description }

    var isOnThisHost: Bool { config.url([("workspace", "a")])?.isLoopback ?? false }
}
