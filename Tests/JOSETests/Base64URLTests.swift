import JOSE
import Testing

@Suite struct Base64URLTests {
    @Test(
        "the vectors of RFC 4648, 10, without padding",
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"),
            ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy"),
        ])
    func vectors(plain: String, text: String) {
        #expect(Base64URL.encodedString(Array(plain.utf8)) == text)
        #expect(Base64URL.decode(text) == Array(plain.utf8))
    }

    @Test("the octets of RFC 7515, appendix C, have both characters of their own")
    func appendixC() {
        let octets: [UInt8] = [3, 236, 255, 224, 193]
        #expect(Base64URL.encodedString(octets) == "A-z_4ME")
        #expect(Base64URL.decode("A-z_4ME") == octets)
        #expect(Base64URL.decode("A+z/4ME") == nil)
    }

    @Test("every length and every byte comes back")
    func roundTrip() {
        for count in 0..<260 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 167 &+ count) }
            #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
            #expect(Base64.decode(Base64.encode(bytes)) == bytes)
        }
    }

    @Test(
        "what is not the one text of a value is refused",
        arguments: [
            ("padding", "Zg==", "Zg"), ("padding of one", "Zm8=", "Zm8"),
            ("one character more than groups", "Zm9vY", "Zm9vYg"),
            ("a plus", "+_8A", "-_8A"), ("a slash", "-/8A", "-_8A"),
            ("a space", "Zm 9v", "Zm9v"), ("a newline at the end", "Zm9v\n", "Zm9v"),
            ("a newline inside", "Zm\n9v", "Zm9v"), ("a letter of no alphabet", "Zm9é", "Zm9v"),
            ("a dot", "Zm9.", "Zm9v"), ("a zero byte", "Zm9\u{0}", "Zm9v"),
            ("4 stray bits, lowest set", "Zh", "Zg"), ("4 stray bits, highest set", "Zo", "Zg"),
            ("2 stray bits, lowest set", "Zm9", "Zm8"),
            ("2 stray bits, highest set", "Zm-", "Zm8"),
        ])
    func refused(what: String, bad: String, twin: String) {
        #expect(Base64URL.decode(bad) == nil, "\(what)")
        #expect(Base64URL.decode(twin) != nil, "\(what): twin")
    }

    @Test("of the 64 last characters, those without stray bits decode and no others")
    func strayBits() {
        let alphabet = Array(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        for (value, character) in alphabet.enumerated() {
            #expect((Base64URL.decode([65, character]) != nil) == (value % 16 == 0))
            #expect((Base64URL.decode([65, 65, character]) != nil) == (value % 4 == 0))
            #expect(Base64URL.decode([65, 65, 65, character]) != nil)
        }
    }

    @Test("no byte outside the alphabet passes at any place of a group")
    func everyByte() {
        let alphabet = Set(
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        for place in 0..<4 {
            for byte in UInt8.min...UInt8.max {
                var text = Array("AAAAAAAA".utf8)
                text[place] = byte
                #expect((Base64URL.decode(text) != nil) == alphabet.contains(byte))
            }
        }
    }
}
