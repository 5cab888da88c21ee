import LinuxIO
import SigningKeys
import Testing

@Suite("URIs of keys on tokens")
struct PKCS11URITests {
    private static let module = "?module-path=/m.so"

    @Test("The worked example is read")
    func example() throws {
        let text =
            "token=grona;object=acme-market-2026-10?module-path=/usr/lib/softhsm/libsofthsm2.so"
            + "&pin-source=file:/etc/grona/pin"
        let uri = try PKCS11URI(text)
        #expect(uri.module == "/usr/lib/softhsm/libsofthsm2.so")
        #expect(uri.pinSource == .file("/etc/grona/pin"))
        #expect(uri.selected(.token) == "grona")
        #expect(uri.selected(.object) == "acme-market-2026-10")
        #expect(uri.selectors.count == 2)
        #expect(uri.initString == nil)
        #expect(try SignerURI("pkcs11:" + text) == .pkcs11(uri))
        #expect(try SignerURI("pkcs11:" + text).text == "pkcs11:" + text)
    }

    @Test(
        "Values are decoded after splitting",
        arguments: [
            ("token=a%3Bb%26c", PKCS11URI.Selector.token, Array("a;b&c".utf8)),
            ("object=%c3%A9", .object, Array("é".utf8)),
            ("object=a+b&c=d", .object, Array("a+b&c=d".utf8)),
            ("id=%00%FF%01", .id, [0, 0xFF, 1]), ("id=0a10", .id, Array("0a10".utf8)),
            ("serial=", .serial, []), ("object=%25", .object, Array("%".utf8)),
            (
                "token=\(String(repeating: "x", count: 32))", .token,
                [UInt8](repeating: 0x78, count: 32)
            ),
            ("slot-id=18446744073709551614", .slotID, Array("18446744073709551614".utf8)),
            ("library-version=3.4", .libraryVersion, Array("3.4".utf8)),
            ("library-version=255", .libraryVersion, Array("255".utf8)),
            ("manufacturer=a:[]@!$'()*,~_-.", .manufacturer, Array("a:[]@!$'()*,~_-.".utf8)),
        ] as [(String, PKCS11URI.Selector, [UInt8])])
    func values(text: String, selector: PKCS11URI.Selector, value: [UInt8]) throws {
        #expect(try PKCS11URI(text + Self.module).selectors == [selector: value])
    }

    @Test("type=private may stand there and selects nothing by itself")
    func type() throws {
        #expect(try PKCS11URI("type=private;object=a" + Self.module).selectors.count == 1)
        #expect(throws: PKCS11URIError.nothingSelected) {
            _ = try PKCS11URI("type=private" + Self.module)
        }
        for other in ["public", "cert", "Private", ""] {
            #expect(throws: PKCS11URIError.otherType) {
                _ = try PKCS11URI("object=a;type=\(other)" + Self.module)
            }
        }
    }

    @Test(
        "Paths that are refused",
        arguments: [
            ("", PKCS11URIError.nothingSelected), (";token=x", .malformedAttribute),
            ("token=x;", .malformedAttribute), ("token", .malformedAttribute),
            ("=x", .malformedAttribute), ("to ken=x", .malformedAttribute),
            ("Token=x", .unknownAttribute("Token")),
            ("x-vendor=1;token=a", .unknownAttribute("x-vendor")),
            ("module-path=m", .unknownAttribute("module-path")),
            ("token=a;token=b", .repeatedAttribute("token")),
            ("token=a/b", .badCharacter("token")), ("token=a#b", .badCharacter("token")),
            ("token=a b", .badCharacter("token")), ("token=é", .badCharacter("token")),
            ("token=a\"b", .badCharacter("token")), ("token=%", .badPercent("token")),
            ("token=%4", .badPercent("token")), ("token=%4g", .badPercent("token")),
            ("token=%FF", .notUTF8("token")), ("object=a%00", .zeroByte("object")),
            ("token=\(String(repeating: "x", count: 33))", .tooLong("token", limit: 32)),
            ("serial=\(String(repeating: "x", count: 17))", .tooLong("serial", limit: 16)),
            ("model=\(String(repeating: "x", count: 17))", .tooLong("model", limit: 16)),
            ("slot-id=-1", .badNumber("slot-id")), ("slot-id=", .badNumber("slot-id")),
            ("slot-id=18446744073709551616", .badNumber("slot-id")),
            ("library-version=1.2.3", .badNumber("library-version")),
            ("library-version=256", .badNumber("library-version")),
            ("library-version=1.", .badNumber("library-version")),
        ])
    func paths(text: String, error: PKCS11URIError) {
        #expect(throws: error) { _ = try PKCS11URI(text + Self.module) }
        #expect(throws: (any Error).self) { _ = try SignerURI("pkcs11:" + text + Self.module) }
    }

    @Test(
        "Queries that are refused",
        arguments: [
            ("", PKCS11URIError.noModule), ("?", .malformedAttribute),
            ("?module-path=", .relativeModule), ("?module-path=m.so", .relativeModule),
            ("?module-path=./m.so", .relativeModule), ("?module-name=softhsm2", .moduleName),
            ("?module-name=a&module-path=/m.so", .moduleName),
            ("?module-path=/m.so&module-path=/n.so", .repeatedAttribute("module-path")),
            ("?module-path=/m.so&", .malformedAttribute),
            ("?module-path=/m%00.so", .zeroByte("module-path")),
            ("?module-path=/m.so&x-other=1", .unknownAttribute("x-other")),
            ("?module-path=/m.so&token=b", .unknownAttribute("token")),
            ("?module-path=/m.so;token=b", .badCharacter("module-path")),
        ])
    func queries(text: String, error: PKCS11URIError) {
        #expect(throws: error) { _ = try PKCS11URI("token=a" + text) }
    }

    @Test(
        "PIN sources",
        arguments: [
            ("file:/etc/pin", PINSource.file("/etc/pin")), ("file:///etc/pin", .file("/etc/pin")),
            ("file:/a%20b", .file("/a b")), ("credential:pin", .credential("pin")),
        ])
    func sources(text: String, source: PINSource) throws {
        #expect(try PKCS11URI("token=a\(Self.module)&pin-source=\(text)").pinSource == source)
    }

    @Test(
        "No PIN sources",
        arguments: [
            "", "/etc/pin", "file:", "file:pin", "file:/", "file://host/pin", "file:////etc/pin",
            "|cat", "exec:/bin/cat", "credential:", "credential:a/b", "credential:..",
            "File:/etc/pin",
            "https://host/pin", "env:PIN",
        ])
    func noSources(text: String) {
        #expect(throws: PKCS11URIError.pinSource) {
            _ = try PKCS11URI("token=a\(Self.module)&pin-source=\(text)")
        }
    }

    @Test("The init string is carried")
    func initString() throws {
        let uri = try PKCS11URI(
            "token=NSS%20Certificate%20DB;id=%01?module-path=/usr/lib/libsoftokn3.so"
                + "&x-grona-init=configdir='sql:/db'%20secmod='secmod.db'")
        #expect(uri.initString == Array("configdir='sql:/db' secmod='secmod.db'".utf8))
        #expect(uri.pinSource == nil)
    }

    // MARK: What may be shown

    private static let secret = "s3cr3t"

    @Test(
        "A PIN in a URI is refused before anything else is said, and never shown",
        arguments: [
            "token=a?pin-value=s3cr3t&module-path=/m.so", "?pin-value=s3cr3t",
            "token=a;pin-value=s3cr3t?module-path=/m.so", "PIN-VALUE=s3cr3t",
            "token=a?pin-value=12;s3cr3t&module-path=/m.so",
            "token=a?pin-value=12&s3cr3t=5&module-path=/m.so", "%70in-value=s3cr3t",
            "token=%?pin-value=s3cr3t?s3cr3t",
        ])
    func pinValue(text: String) {
        #expect(throws: PKCS11URIError.pinValue) { _ = try PKCS11URI(text) }
        for scheme in ["pkcs11:", "PKCS11:", " pkcs11:"] {
            let shown = SignerURI.shown(scheme + text)
            #expect(!shown.contains(Self.secret), "\(shown)")
            #expect(shown.contains("***"))
            do {
                _ = try SignerURI(scheme + text)
                Issue.record("taken")
            } catch {
                #expect(!"\(error)".contains(Self.secret))
            }
        }
    }

    @Test(
        "Only what speaks of a PIN is left out",
        arguments: [
            (
                "pkcs11:token=grona;object=k?module-path=/m.so&pin-source=file:/etc/pin",
                "pkcs11:token=grona;object=k?module-path=/m.so&pin-source=***"
            ),
            (
                "pkcs11:token=a?pin-source=file:/x&module-path=/m.so",
                "pkcs11:token=a?pin-source=***&module-path=/m.so"
            ),
            ("pkcs11:token=a?module-path=/m.so", "pkcs11:token=a?module-path=/m.so"),
            ("file:pin-value=1.pem", "file:pin-value=1.pem"), ("no colon", "no colon"),
        ])
    func shown(text: String, shown: String) {
        #expect(SignerURI.shown(text) == shown)
    }
}
