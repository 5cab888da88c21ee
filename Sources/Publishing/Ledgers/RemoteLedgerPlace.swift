package import HTTPTransport

/// Where a shared ledger lies in a store.
package enum RemoteLedgerPlace: Hashable, Sendable {
    /// `https://…/{name}`.
    case http(URLTemplate)
    case s3(S3Place)

    package init(_ text: String) throws(StoreError) {
        if text.utf8.starts(with: S3Place.scheme.utf8) {
            self = .s3(try S3Place(text))
        } else {
            guard let template = URLTemplate(text, names: ["name"]) else {
                throw .address(
                    text, URLTemplate.problem(of: text).map { .url($0) } ?? .ledgerTemplate)
            }
            self = .http(template)
        }
    }

    package var name: String {
        switch self {
        case .http(let template): template.description
        case .s3(let place): place.name
        }
    }

    package var isOnThisHost: Bool {
        switch self {
        case .http(let template): template.url([("name", "a")])?.isLoopback ?? false
        case .s3(let place): place.endpoint.isLoopback
        }
    }

    /// Whether its objects stand among those of a store.
    package func isPart(of store: StoreAddress) -> Bool {
        switch (self, store) {
        case (.s3(let ledger), .s3(let store)):
            guard ledger.bucket == store.bucket, ledger.service == store.service else {
                return false
            }
            return store.prefix.isEmpty || ledger.prefix == store.prefix
                || ledger.prefix.utf8.starts(with: "\(store.prefix)/".utf8)
        case (.http(let ledger), .http(let store)):
            return [store.config, store.claims, store.bundles].contains { template in
                template?.url([("workspace", "a"), ("version", "a"), ("bundle", "a")])
                    == ledger.url([("name", "a")])
            }
        default: return false
        }
    }

    func url(_ path: String) -> HTTPURL? {
        switch self {
        case .http(let template): template.url([("name", path)])
        case .s3(let place): place.url(path)
        }
    }

    /// The object of a record, counted from 1.
    package func record(_ number: Int) -> HTTPURL? { url("ledger/\(Self.sixteen(number)).json") }

    /// What lists the records above a number, where the store has lists.
    package func records(after number: Int) -> HTTPURL? {
        guard case .s3(let place) = self else { return nil }
        return place.url(asking: [
            ("list-type", "2"), ("max-keys", "2"), ("prefix", place.key("ledger/")),
            ("start-after", place.key("ledger/\(Self.sixteen(number)).json")),
        ])
    }

    /// The number of a record that a list names; nil for what is no record.
    package static func number(ofRecord key: String) -> Int? {
        let name = key.utf8.suffix(21)
        let digits = name.prefix(16)
        guard name.suffix(5).elementsEqual(".json".utf8), digits.count == 16,
            digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int(String(decoding: digits, as: UTF8.self))
    }

    package func envelope(_ hex: String) -> HTTPURL? { url("envelopes/\(hex).json") }

    /// Where a probe may create.
    package func scratch(_ word: String) -> HTTPURL? { url("probe/\(word).json") }

    private static func sixteen(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 16 - digits.utf8.count)) + digits
    }
}
