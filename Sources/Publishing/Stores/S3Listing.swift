import HTTPTransport

/// A page of a list of objects (`ListObjectsV2`).
struct S3Listing {
    private(set) var keys: [String] = []
    /// The folders, with a slash at their ends.
    private(set) var prefixes: [String] = []
    private(set) var isTruncated = false

    /// Nil for anything else than such a list.
    init?(_ bytes: [UInt8]) {
        guard let leaves = XMLLeaves(bytes), leaves.root == "ListBucketResult" else { return nil }
        var truncated: Bool?
        for (path, text) in leaves.all {
            switch path {
            case ["Contents", "Key"]: keys.append(text)
            case ["CommonPrefixes", "Prefix"]: prefixes.append(text)
            case ["IsTruncated"]:
                guard truncated == nil, text == "true" || text == "false" else { return nil }
                truncated = text == "true"
            default: break
            }
        }
        guard let truncated else { return nil }
        isTruncated = truncated
    }
}

/// The code in an object store's answer to what it does not do, such as `NoSuchBucket`.
enum S3ErrorCode {
    /// Nil where the answer is of another form; a code is one word of letters and digits.
    static func read(_ response: HTTPResponse) -> String? {
        guard response.body.count <= 65_536, let leaves = XMLLeaves(response.body),
            leaves.root == "Error",
            let code = leaves.all.first(where: { $0.path == ["Code"] })?.text,
            (1...64).contains(code.utf8.count),
            code.utf8.allSatisfy({
                (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0)
            })
        else { return nil }
        return code
    }
}
