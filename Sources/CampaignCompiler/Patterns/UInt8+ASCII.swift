internal import GronaFormats

extension UInt8 {
    var isASCIIDigit: Bool { ASCII.isDigit(self) }

    var isASCIILetter: Bool { ASCII.isLetter(self) }

    var isASCIILetterOrDigit: Bool { isASCIIDigit || isASCIILetter }
}
