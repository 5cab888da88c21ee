import HTTPTransport
import Testing

@Suite struct HTTPURLTests {
    @Test(arguments: [
        ("https://api.example.com/v1/a-b_c~d.e", "https://api.example.com/v1/a-b_c~d.e"),
        ("HTTPS://API.Example.com", "https://api.example.com/"),
        ("https://h:443/x", "https://h/x"), ("http://h:80/x", "http://h/x"),
        ("https://h:8443/x?a=b&c=%2F", "https://h:8443/x?a=b&c=%2F"),
        ("http://[::1]:9000/", "http://[::1]:9000/"), ("https://h?q", "https://h/?q"),
    ])
    func `An address has one written form`(_ text: String, _ form: String) throws {
        #expect(try #require(HTTPURL(text)).description == form)
    }

    @Test(arguments: [
        "ftp://h/", "https:/h", "https://", "https:///x", "https://user@h/", "https://h:/",
        "https://h:0/", "https://h:65536/", "https://h:08/", "https://h/#f", "https://h/a b",
        "https://h/%2", "https://h/%zz", "https://h/a/../b", "https://h/./b", "https://h/é",
        "https://-h/", "https://a..b/", "https://h/a\"b", "https://h/{x}", "https://[::1/", "",
        "https://[::1]x/", "https://h\n/",
    ])
    func `Nothing else is one`(_ text: String) {
        #expect(HTTPURL(text) == nil)
    }

    @Test(arguments: [
        ("http://localhost/", true), ("http://127.0.0.1:1/", true), ("http://127.9.8.7/", true),
        ("http://[::1]/", true), ("http://128.0.0.1/", false), ("http://localhost.example/", false),
        ("http://127.0.0.1.example/", false), ("http://127.1/", false),
        ("http://0127.0.0.1/", false),
        ("http://127.0.0.01/", false), ("http://10.0.0.1/", false),
    ])
    func `This host is known by its name or number alone`(_ text: String, _ isLoopback: Bool) throws
    {
        #expect(try #require(HTTPURL(text)).isLoopback == isLoopback)
    }

    @Test func `Everything but the unreserved characters is encoded`() {
        #expect(HTTPURL.encoded("aZ09-._~") == "aZ09-._~")
        #expect(HTTPURL.encoded("a/b c+é=\"") == "a%2Fb%20c%2B%C3%A9%3D%22")
    }
}
