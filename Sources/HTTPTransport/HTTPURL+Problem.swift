extension HTTPURL {
    /// Why a text is no address of the form that is taken.
    package enum Problem: Hashable, Sendable {
        /// Neither `https://` nor `http://`.
        case scheme
        /// A user or a password before the host.
        case user
        case fragment
        case port
        case host
        /// A step `.` or `..` in the path.
        case dots
        /// An empty step in a path with names.
        case slashes
        /// A character that has to be encoded, or a percent sign without two digits.
        case character
    }

    /// The first thing that is wrong; nil where nothing is.
    package static func problem(of text: String) -> Problem? {
        guard HTTPURL(text) == nil else { return nil }
        let bytes = Array(text.utf8)
        let head = bytes.prefix(8).map { $0 < 0x5B && $0 > 0x40 ? $0 | 0x20 : $0 }
        let isSecure = head.starts(with: "https://".utf8)
        guard isSecure || head.starts(with: "http://".utf8) else { return .scheme }
        let rest = bytes.dropFirst(isSecure ? 8 : 7)
        let end = rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
        let authority = rest[..<end]
        if authority.contains(0x40) { return .user }
        let origin = text.utf8.prefix(isSecure ? 8 : 7)
        guard HTTPURL(String(decoding: origin + authority, as: UTF8.self)) != nil else {
            var name = authority.prefix { $0 != 0x3A }
            if authority.first == 0x5B, let close = authority.firstIndex(of: 0x5D) {
                name = authority[...close]
            }
            let host = HTTPURL(String(decoding: origin + name, as: UTF8.self))
            // A password may hold a slash, which ends an authority.
            if host != nil, rest.contains(0x40) { return .user }
            return host == nil ? .host : .port
        }
        if rest.contains(0x23) { return .fragment }
        let path = rest[end...].prefix { $0 != 0x3F }
        let plain = String(decoding: origin + authority + path, as: UTF8.self)
        guard HTTPURL(plain) == nil else { return .character }
        let steps = path.split(separator: 0x2F).map { step in
            String(decoding: step, as: UTF8.self).lowercased()
        }
        let dots = [".", "..", "%2e", "%2e%2e", ".%2e", "%2e."]
        return steps.contains { dots.contains($0) } ? .dots : .character
    }
}
