extension String {
    /// The text with another text in place of each occurrence of a scalar.
    ///
    /// The standard library's own would link its engine for regular expressions, a megabyte.
    func replacing(_ scalar: Unicode.Scalar, by other: String) -> String {
        var result = ""
        for next in unicodeScalars {
            if next == scalar {
                result += other
            } else {
                result.unicodeScalars.append(next)
            }
        }
        return result
    }
}
