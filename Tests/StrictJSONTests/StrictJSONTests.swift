import StrictJSON
import Testing

func canonical(_ text: String) -> String {
    do throws(JSONError) {
        let document = try JSONDocument.parse(Array(text.utf8))
        return String(decoding: document.root.canonical(), as: UTF8.self)
    } catch {
        return "\(error.code) \(error.position.line):\(error.position.column) \(error.pointer)"
    }
}

@Suite("First look")
struct FirstLook {
    @Test(arguments: [
        (
            #"{"b": [1, 2.50, -0, 1e3, "a\u00e9\n"], "a": {}, "c": null}"#,
            #"{"a":{},"b":[1,2.5,0,1000,"aé\n"],"c":null}"#
        ),
        (#"{"a":{"b":[1,{"c":tru}]}}"#, "json.syntax 1:19 /a/b/1/c"),
        (#"{"a":1,"b":2,"\u0061":3}"#, "json.duplicate-name 1:14 /a"),
        ("[1,2,]", "json.syntax 1:5 "),
        ("[1,\r\n 1e400]", "json.number 2:2 /1"),
        ("9007199254740992", "json.number 1:1 "),
        ("9007199254740991", "9007199254740991"),
        ("1e20", "json.number 1:1 "),
        ("5e-324", "5e-324"),
        ("2e-324", "json.number 1:1 "),
        ("", "json.truncated 1:1 "),
        ("{}x", "json.trailing-data 1:3 "),
        (#"{"a":"x"#, "json.truncated 1:8 /a"),
    ])
    func table(_ text: String, _ expected: String) {
        #expect(canonical(text) == expected)
    }
}
