/// A command line of a setting, split without a shell.
package enum CommandWords {
    package enum Failure: Error, Sendable, Equatable {
        /// A single quote is never closed; `offset` is the byte where it opens.
        case unclosedQuote(offset: Int)
    }

    /// Splits at blanks (space, tab, newline); between single quotes everything stands for itself.
    ///
    /// Nothing else has a meaning: no double quote, backslash, variable or pattern. `''` is an
    /// empty word.
    package static func split(_ text: FilePath) throws(Failure) -> [FilePath] {
        let blanks = [UInt8](" \t\n".utf8)
        var words: [FilePath] = []
        var word: [UInt8]?
        var quote: Int?
        for (offset, byte) in text.bytes.enumerated() {
            switch byte {
            case UInt8(ascii: "'"):
                quote = quote == nil ? offset : nil
                word = word ?? []
            case _ where quote == nil && blanks.contains(byte):
                if let ended = word { words.append(FilePath(bytes: ended)) }
                word = nil
            default:
                word = (word ?? []) + [byte]
            }
        }
        if let quote { throw .unclosedQuote(offset: quote) }
        if let ended = word { words.append(FilePath(bytes: ended)) }
        return words
    }
}
