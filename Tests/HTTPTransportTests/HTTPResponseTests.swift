import HTTPTransport
import Testing

@Suite struct HTTPResponseTests {
    @Test(arguments: [
        ("\"6b0d12fe-d\"", "6b0d12fe-d", false), ("W/\"7-661\"", "7-661", true),
        ("\"\"", "", false),
    ])
    func `A strong and a weak entity tag`(_ text: String, _ opaque: String, _ isWeak: Bool) throws {
        let tag = try #require(HTTPEntityTag(parsing: text))
        #expect(tag.opaque == opaque)
        #expect(tag.isWeak == isWeak)
        #expect(tag.text == text)
        #expect(!tag.quoted.contains("W/"))
    }

    @Test(arguments: [
        "abc", "\"abc", "w/\"abc\"", "W/abc", "\"a\"b\"", "\"a b\"", "\"é\"", "", "\"",
    ])
    func `No other text is an entity tag`(_ text: String) {
        #expect(HTTPEntityTag(parsing: text) == nil)
    }

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
        ("Tue, 29 Feb 2028 23:59:59 GMT", 1_835_481_599),
    ])
    func `A date`(_ text: String, _ time: Int64) {
        #expect(HTTPDate.parse(text) == time)
    }

    @Test(arguments: [
        "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        "Sun, 06 nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 UTC", "", "784111777",
    ])
    func `No other form is a date`(_ text: String) {
        #expect(HTTPDate.parse(text) == nil)
    }

    @Test func `Fields are found whatever their case`() {
        let response = HTTPResponse(
            status: 503,
            fields: [
                .init("ETAG", "\"x\""), .init("Retry-After", "7"), .init("age", "12"),
                .init("Content-Type", "Text/HTML; charset=utf-8"),
            ])
        #expect(response.entityTag == HTTPEntityTag(opaque: "x"))
        #expect(response.retryAfter(now: 0) == 7)
        #expect(response.age == 12)
        #expect(response.contentType == "text/html")
        #expect(response["etags"] == nil)
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 37), ("-1", nil), ("+1", nil), ("1.5", nil),
            ("soon", nil),
            ("Sat, 05 Nov 1994 08:49:37 GMT", 0), ("99999999999", nil),
        ] as [(String, Int64?)])
    func `Retry-After is a number or a date`(_ text: String, _ seconds: Int64?) {
        let response = HTTPResponse(status: 429, fields: [.init("Retry-After", text)])
        #expect(response.retryAfter(now: 784_111_740) == seconds)
    }

    @Test(arguments: [
        ("If-Match", "\"x\"", true), ("A", "", false), ("A", " x", false), ("A b", "x", false),
        ("A", "x\r\nB: y", false), ("", "x", false), ("A", "é", false),
    ])
    func `A field that can be sent`(_ name: String, _ value: String, _ isValid: Bool) {
        #expect(HTTPField(name, value).isValid == isValid)
    }
}
