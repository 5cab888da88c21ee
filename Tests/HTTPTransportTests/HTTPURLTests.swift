import HTTPTransport
import Testing

@Suite struct HTTPURLTests {
    @Test(arguments: [
        ("https://api.example.com/v1/a-b_c~d.e", "https://api.example.com/v1/a-b_c~d.e"),
        ("HTTPS://API.Example.com", "https://api.example.com/"),
        ("https://h:443/x", "https://h/x"), ("http://h:80/x", "http://h/x"),
        ("https://h:8443/x?a=b&c=%2F", "https://h:8443/x?a=b&c=%2F"),
        ("http://[::1]:9000/", "http://[::1]:9000/"), ("https://h?q", "https://h/?q"),
        ("https://h/x?", "https://h/x"), ("https://h/%6d%4F%2d", "https://h/mO-"),
        ("https://h/a%2fb?c=%7e%c3%a9", "https://h/a%2Fb?c=~%C3%A9"),
        ("http://[0:0:0:0:0:0:0:1]/", "http://[::1]/"), ("http://[::]/", "http://[::]/"),
        ("https://[2001:DB8:0:0:1:0:0:1]/", "https://[2001:db8::1:0:0:1]/"),
        ("https://[2001:db8:0:1:1:1:1:1]/", "https://[2001:db8:0:1:1:1:1:1]/"),
        ("https://[1::]/", "https://[1::]/"), ("https://[1:0002::3]/", "https://[1:2::3]/"),
        ("http://255.0.10.1/", "http://255.0.10.1/"), ("http://1.2.3.4.e5/", "http://1.2.3.4.e5/"),
    ])
    func `An address has one written form`(_ text: String, _ form: String) throws {
        #expect(try #require(HTTPURL(text)).description == form)
    }

    @Test(arguments: [
        "ftp://h/", "https:/h", "https://", "https:///x", "https://user@h/", "https://h:/",
        "https://h:0/", "https://h:65536/", "https://h:08/", "https://h/#f", "https://h/a b",
        "https://h/%2", "https://h/%zz", "https://h/a/../b", "https://h/./b", "https://h/é",
        "https://-h/", "https://a..b/", "https://h/a\"b", "https://h/{x}", "https://[::1/", "",
        "https://[::1]x/", "https://h\n/", "http://127.1/", "http://0127.0.0.1/",
        "http://127.0.0.01/", "http://127.0.0.256/", "http://1.2.3.4.5/", "http://0x7f.0.0.0x1/",
        "https://h/%2e%2e/x", "https://h/%2E/x", "https://[::ffff:1.2.3.4]/", "https://[1::2::3]/",
        "https://[1:2:3:4:5:6:7]/", "https://[1:2:3:4:5:6:7:8:9]/", "https://[:1]/",
        "https://[12345::]/", "https://[1:]/", "https://[1:2:3:4:5:6:7::8]/", "https://[]/",
    ])
    func `Nothing else is one`(_ text: String) {
        #expect(HTTPURL(text) == nil)
    }

    @Test(arguments: [
        ("http://localhost/", true), ("http://127.0.0.1:1/", true), ("http://127.9.8.7/", true),
        ("http://[::1]/", true), ("http://128.0.0.1/", false), ("http://localhost.example/", false),
        ("http://127.0.0.1.example/", false), ("http://[0::1]/", true), ("http://10.0.0.1/", false),
    ])
    func `This host is known by its name or number alone`(_ text: String, _ isLoopback: Bool) throws
    {
        #expect(try #require(HTTPURL(text)).isLoopback == isLoopback)
    }

    @Test(
        arguments: [
            ("ftp://h/", .scheme), ("https:/h", .scheme), ("https://u@h/", .user),
            ("https://u:p@h/x", .user), ("https://u:a/b@h/", .user), ("https://h/#f", .fragment),
            ("https://h#f", .fragment), ("https://h:/", .port), ("https://h:0/", .port),
            ("https://h:65536/x", .port), ("https://[::1]:x/", .port), ("https://", .host),
            ("https://a..b/", .host), ("http://127.1:80/", .host), ("https://[::1/", .host),
            ("https://h/a/../b", .dots), ("https://h/%2E/", .dots), ("https://h/a b", .character),
            ("https://h/%2", .character), ("https://h/x?a b", .character), ("https://h/x", nil),
            ("https://h:1/a@b?c=%20", nil),
        ] as [(String, HTTPURL.Problem?)])
    func `What is wrong with an address is known`(_ text: String, _ problem: HTTPURL.Problem?) {
        #expect(HTTPURL.problem(of: text) == problem)
    }

    @Test func `Everything but the unreserved characters is encoded`() {
        #expect(HTTPURL.encoded("aZ09-._~") == "aZ09-._~")
        #expect(HTTPURL.encoded("a/b c+é=\"") == "a%2Fb%20c%2B%C3%A9%3D%22")
    }
}
