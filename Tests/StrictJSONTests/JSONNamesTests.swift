import Glibc
import StrictJSON
import Testing

@Suite("Member names are unique after unescaping")
struct JSONNamesTests {
    @Test(
        "Equal names are refused at the second, however they are spelled",
        arguments: [
            (#"{"a":1,"a":2}"#, "json.duplicate-name 1:8 /a"),
            (#"{"":1,"":2}"#, "json.duplicate-name 1:7 /"),
            (#"{"a":1,"\u0061":2}"#, "json.duplicate-name 1:8 /a"),
            (#"{"\u0061":1,"a":2}"#, "json.duplicate-name 1:13 /a"),
            (#"{"b":0,"😀":1,"\ud83d\ude00":2}"#, "json.duplicate-name 1:14 /😀"),
            (#"{"x":{"b":1,"a":2,"b":3}}"#, "json.duplicate-name 1:19 /x/b"),
            (#"{"a/b":1,"a\/b":2}"#, "json.duplicate-name 1:10 /a~1b"),
            (
                #"{"abcdefgh1":1,"abcdefgh2":2,"abcdefgh1":3}"#,
                "json.duplicate-name 1:30 /abcdefgh1"
            ),
            (#"{"c":1,"b":2,"b":3,"c":4}"#, "json.duplicate-name 1:14 /b"),
            (#"{"\n":1,"c":1,"b":2,"b":3,"c":4}"#, "json.duplicate-name 1:21 /b"),
            (#"[{"a":1},{"a":1,"a":1}]"#, "json.duplicate-name 1:17 /1/a"),
        ])
    func duplicates(_ text: String, _ expected: String) {
        #expect(reading(text) == expected)
    }

    @Test(
        "Names that only look alike are different",
        arguments: [
            #"{"A":1,"a":1}"#, #"{"":1,"\u0000":1,"\u0000\u0000":1}"#,
            "{\"\u{e9}\":1,\"e\u{301}\":1}",
            "{\"\u{c5}\":1,\"\u{212b}\":1}", #"{"a":{"a":{"a":1}}}"#, #"{"b":1,"a":{"b":1}}"#,
            #"{"abcdefgh":1,"abcdefghi":1,"abcdefg":1}"#, #"{"\\u0061":1,"a":1}"#,
            #"{"xbcdefghijkl":1,"abcdefghijkl":1,"abcdefghijkm":1,"abcdefghjjkl":1}"#,
        ])
    func different(_ text: String) {
        #expect(refusal(text) == nil)
    }

    @Test(
        "A duplicate is found wherever the two stand, in small and in large objects",
        arguments: [2, 3, 5, 23, 24, 25, 26, 27, 60, 300])
    func everyPair(_ count: Int) {
        var random = SeededRandom(state: UInt64(count))
        let forms: [(Int) -> String] = [
            { "member\($0)" }, { "\($0)" }, { "long name with number \($0) and end" },
            { String(repeating: "ü", count: $0 % 7) + "\($0)" },
        ]
        for form in forms {
            for isSorted in [false, true] {
                var names = (0..<count).map(form)
                if isSorted { names.sort() } else { names.shuffle(using: &random) }
                func text(_ names: [String]) -> String {
                    "{" + names.map { "\"\($0)\":0" }.joined(separator: ",") + "}"
                }
                #expect(refusal(text(names)) == nil)
                for _ in 0..<20 {
                    let first = Int.random(in: 0..<count, using: &random)
                    let second = Int.random(in: 0...count, using: &random)
                    var doubled = names
                    doubled.insert(names[first], at: second)
                    #expect(refusal(text(doubled)) == "json.duplicate-name")
                }
            }
        }
    }

    /// The shortest time of three that this thread computes for reading an object with such names.
    private func time(_ names: [String]) -> Double {
        func now() -> Double {
            var time = timespec()
            unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        let text = Array(("{" + names.map { "\"\($0)\":0" }.joined(separator: ",") + "}").utf8)
        return (0..<3).map { _ in
            let start = now()
            #expect(refusal(text) == nil)
            return now() - start
        }.min() ?? 0
    }

    @Test(
        "Four times as many members take about four times as long",
        arguments: [
            "", "abcdefgh", #"\u0061"#, "a common beginning of all the names in the object ",
        ])
    func growth(_ beginning: String) {
        func names(_ count: Int) -> [String] {
            (0..<count).map { beginning + String($0 &* 7_919 % 1_000_003) }
        }
        let (small, large) = (time(names(5_000)), time(names(20_000)))
        // A quadratic check takes sixteen times as long.
        #expect(large < small * 9)
    }

    @Test("An object with 100,000 members is read and written in order")
    func hundredThousand() throws {
        let names = (0..<100_000).map { String($0 &* 7_919 % 1_000_003) }
        let text = "{" + names.map { "\"\($0)\":0" }.joined(separator: ",") + "}"
        let element = try root(text)
        #expect(element.count == 100_000)
        let sorted = names.sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) }
        let expected = "{" + sorted.map { "\"\($0)\":0" }.joined(separator: ",") + "}"
        #expect(element.canonical() == Array(expected.utf8))
    }
}
