/// Lists of strings for calls that take `char *const []`.
enum CStrings {
    /// Calls `body` with pointers to the strings, which end with a zero byte each, and a null
    /// pointer after the last.
    @unsafe static func withPointers<Result>(
        _ strings: [[CChar]], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var bytes = strings.flatMap { $0 }
        return unsafe bytes.withUnsafeMutableBufferPointer { all in
            var offset = 0
            var pointers: [UnsafeMutablePointer<CChar>?] = unsafe []
            for string in strings {
                unsafe pointers.append(all.baseAddress.map { unsafe $0 + offset })
                offset += string.count
            }
            unsafe pointers.append(nil)
            return unsafe pointers.withUnsafeBufferPointer { list in
                guard let start = list.baseAddress else { return unsafe body([nil]) }
                return unsafe body(start)
            }
        }
    }
}
