import LinuxIO
import SigningKeys
import Testing

@Suite struct PKCS11URITests {
    @Test("The worked example is read")
    func example() throws {
        let uri = try PKCS11URI(
            "token=grona;object=k?module-path=/usr/lib/m.so&pin-source=file:/etc/grona/pin")
        #expect(uri.module == "/usr/lib/m.so")
        #expect(uri.pinSource == .file("/etc/grona/pin"))
        #expect(uri.selected(.token) == "grona")
        #expect(uri.selected(.object) == "k")
    }
}
