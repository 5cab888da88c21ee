import JOSE
import Testing

@Suite struct Base64Tests {
    @Test(
        "the vectors of RFC 4648, 10",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
        ])
    func vectors(plain: String, text: String) {
        #expect(Base64.encodedString(Array(plain.utf8)) == text)
        #expect(Base64.decode(text) == Array(plain.utf8))
    }

    @Test(
        "what is not the one text of a value is refused",
        arguments: [
            ("no padding", "Zg", "Zg=="), ("half of the padding", "Zg=", "Zg=="),
            ("no padding of one", "Zm8", "Zm8="), ("padding of three", "Z===", "Zg=="),
            ("a group of padding", "Zm9v====", "Zm9v"), ("padding alone", "====", "AA=="),
            ("padding inside", "Zg==Zm9v", "Zm9vZg=="), ("two after one", "Zm=v", "Zm9v"),
            ("base64url", "-_8A", "+/8A"), ("white space", "Zm9v\n", "Zm9v"),
            ("stray bits", "Zh==", "Zg=="), ("stray bits of two", "Zm9=", "Zm8="),
        ])
    func refused(what: String, bad: String, twin: String) {
        #expect(Base64.decode(bad) == nil, "\(what)")
        #expect(Base64.decode(twin) != nil, "\(what): twin")
    }
}
