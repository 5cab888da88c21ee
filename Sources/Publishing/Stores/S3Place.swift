package import HTTPTransport

/// A part of a bucket of an S3-compatible object store.
///
/// Bucket, prefix and region hold characters that need no encoding anywhere: what a signature is
/// made of is then the same text for everyone.
package struct S3Place: Hashable, Sendable {
    static let scheme = "s3://"

    package let bucket: String
    /// Without slashes at its ends; empty for the whole bucket.
    package let prefix: String
    package let endpoint: HTTPURL
    package let region: String
    package let style: Style

    /// Where the bucket stands in an address.
    package enum Style: String, Sendable {
        case path
        case virtual
    }

    /// `s3://bucket/prefix?endpoint=https://…&region=…&style=path|virtual`; without an endpoint AWS,
    /// whose style is `virtual`, else `path`; without a region `us-east-1`.
    package init(_ text: String) throws(StoreError) {
        let rest = text.utf8.dropFirst(Self.scheme.utf8.count)
        let mark = rest.firstIndex(of: 0x3F) ?? rest.endIndex
        let place = rest[..<mark]
        let slash = place.firstIndex(of: 0x2F) ?? place.endIndex
        bucket = String(decoding: place[..<slash], as: UTF8.self)
        guard Self.isBucket(bucket) else {
            throw .address(text, bucket.utf8.contains(0x40) ? .url(.user) : .bucket)
        }
        prefix = try Self.prefix(place[slash...], text)
        let values = try Self.parameters(rest[mark...].dropFirst(), text)
        region = values["region"] ?? "us-east-1"
        guard Self.isRegion(region) else { throw .address(text, .region) }
        let given = values["endpoint"]
        if let given, let problem = HTTPURL.problem(of: given) {
            throw .address(text, problem == .scheme ? .endpoint : .url(problem))
        }
        guard let endpoint = HTTPURL(given ?? "https://s3.\(region).amazonaws.com"),
            endpoint.path == "/", endpoint.query == nil
        else { throw .address(text, .endpoint) }
        self.endpoint = endpoint
        if let word = values["style"] {
            guard let style = Style(rawValue: word) else { throw .address(text, .style) }
            self.style = style
        } else {
            style = given == nil ? .virtual : .path
        }
        guard url("a") != nil else { throw .address(text, .virtualHost) }
    }

    /// Which objects are meant, however they are asked for: region and style say nothing of that,
    /// and all of AWS's endpoints lead to the one bucket of a name.
    package var name: String {
        "s3://\(bucket)" + (prefix.isEmpty ? "" : "/\(prefix)") + "?endpoint=\(service)"
    }

    var service: String {
        for domain in ["amazonaws.com", "amazonaws.com.cn"]
        where endpoint.isSecure && endpoint.port == nil && endpoint.host.hasSuffix("." + domain) {
            return "https://s3." + domain
        }
        return endpoint.origin
    }

    /// The key of an object below the prefix.
    package func key(_ path: String) -> String { prefix.isEmpty ? path : "\(prefix)/\(path)" }

    /// The address of an object.
    package func url(_ path: String) -> HTTPURL? { address(path: key(path), query: nil) }

    /// The address of the bucket with a question whose names are in order and whose values are
    /// encoded here.
    package func url(asking query: [(name: String, value: String)]) -> HTTPURL? {
        let sorted = query.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
        return address(
            path: "",
            query: sorted.map { "\($0.name)=\(HTTPURL.encoded($0.value))" }.joined(separator: "&"))
    }

    private func address(path: String, query: String?) -> HTTPURL? {
        switch style {
        case .path:
            return HTTPURL(
                isSecure: endpoint.isSecure, host: endpoint.host, port: endpoint.port,
                path: "/\(bucket)/\(path)", query: query)
        case .virtual:
            // A certificate's `*` stands for one step of a name (RFC 6125 6.4.3).
            let isName = endpoint.host.utf8.contains { (0x61...0x7A).contains($0) }
            guard isName, !endpoint.host.utf8.starts(with: "[".utf8), !bucket.utf8.contains(0x2E)
            else { return nil }
            return HTTPURL(
                isSecure: endpoint.isSecure, host: "\(bucket).\(endpoint.host)",
                port: endpoint.port, path: "/\(path)", query: query)
        }
    }

    // MARK: Reading

    private static func prefix(
        _ bytes: Substring.UTF8View, _ text: String
    ) throws(StoreError) -> String {
        var bytes = bytes
        if bytes.first == 0x2F { bytes = bytes.dropFirst() }
        if bytes.last == 0x2F { bytes = bytes.dropLast() }
        guard !bytes.isEmpty else { return "" }
        let steps = bytes.split(separator: 0x2F, omittingEmptySubsequences: false)
        if steps.contains(where: \.isEmpty) { throw .address(text, .url(.slashes)) }
        if steps.contains(where: { $0.elementsEqual(".".utf8) || $0.elementsEqual("..".utf8) }) {
            throw .address(text, .url(.dots))
        }
        guard steps.allSatisfy({ $0.allSatisfy(HTTPURL.isUnreserved) }), bytes.count <= 512
        else { throw .address(text, .prefix) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func parameters(
        _ query: Substring.UTF8View, _ text: String
    ) throws(StoreError) -> [String: String] {
        var values: [String: String] = [:]
        guard !query.isEmpty else { return values }
        for part in query.split(separator: 0x26, omittingEmptySubsequences: false) {
            let sign = part.firstIndex(of: 0x3D) ?? part.endIndex
            let name = String(decoding: part[..<sign], as: UTF8.self)
            guard ["endpoint", "region", "style"].contains(name), values[name] == nil,
                sign < part.endIndex
            else { throw .address(text, .parameter(name)) }
            values[name] = String(decoding: part[sign...].dropFirst(), as: UTF8.self)
        }
        return values
    }

    /// 3 to 63 lower-case letters, digits, dots and hyphens; begins and ends with a letter or digit.
    private static func isBucket(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard (3...63).contains(bytes.count), let first = bytes.first, let last = bytes.last else {
            return false
        }
        return isPlain(first) && isPlain(last)
            && bytes.allSatisfy { isPlain($0) || $0 == 0x2D || $0 == 0x2E }
            && !zip(bytes, bytes.dropFirst()).contains { $0 == 0x2E && $1 == 0x2E }
    }

    private static func isRegion(_ text: String) -> Bool {
        (1...32).contains(text.utf8.count) && text.utf8.allSatisfy { isPlain($0) || $0 == 0x2D }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
    }
}
