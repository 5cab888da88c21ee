/// An IPv6 address in its one written form (RFC 5952).
enum IPv6Text {
    /// - Parameter bytes: in lower case, without brackets.
    /// - Returns: nil for no address, and for one with an IPv4 part or a zone.
    static func canonical(_ bytes: ArraySlice<UInt8>) -> String? {
        guard let groups = groups(bytes) else { return nil }
        // The first of the longest runs of zeros that are two or more.
        var longest = 0..<0
        var start = 0
        while start < groups.count {
            let end = groups[start...].firstIndex { $0 != 0 } ?? groups.count
            if end - start >= 2, end - start > longest.count { longest = start..<end }
            start = max(end, start + 1)
        }
        func text(_ part: ArraySlice<UInt16>) -> String {
            part.map { String($0, radix: 16) }.joined(separator: ":")
        }
        guard !longest.isEmpty else { return text(groups[...]) }
        return text(groups[..<longest.lowerBound]) + "::" + text(groups[longest.upperBound...])
    }

    private static func groups(_ bytes: ArraySlice<UInt8>) -> [UInt16]? {
        var halves: [[UInt16]] = [[]]
        var rest = bytes
        var expectsGroup = true
        if rest.starts(with: "::".utf8) {
            halves.append([])
            rest = rest.dropFirst(2)
            expectsGroup = false
        }
        while !rest.isEmpty {
            let digits = rest.prefix { $0 != 0x3A }
            guard (1...4).contains(digits.count),
                let number = UInt16(String(decoding: digits, as: UTF8.self), radix: 16),
                digits.first != 0x2B
            else { return nil }
            halves[halves.count - 1].append(number)
            rest = rest.dropFirst(digits.count)
            expectsGroup = false
            if rest.starts(with: "::".utf8) {
                guard halves.count == 1 else { return nil }
                halves.append([])
                rest = rest.dropFirst(2)
            } else if !rest.isEmpty {
                rest = rest.dropFirst()
                expectsGroup = true
            }
        }
        guard !expectsGroup else { return nil }
        let count = halves.reduce(0) { $0 + $1.count }
        guard halves.count == 2 else { return count == 8 ? halves[0] : nil }
        guard count < 8 else { return nil }
        return halves[0] + [UInt16](repeating: 0, count: 8 - count) + halves[1]
    }
}
