import Foundation
import GronaFormats
import Testing

@Suite("Rule codes")
struct RuleCodeTests {
    @Test("no code stands for two rules, and each is spelled like the others")
    func unique() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/GronaFormats/Codes").standardized
        var codes: [String] = []
        for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            codes += text.matches(of: /RuleCode\("([^"]+)"\)/).map { String($0.1) }
        }
        #expect(codes.count > 80)
        #expect(Set(codes).count == codes.count)
        for code in codes {
            #expect(code.wholeMatch(of: /[a-z]+(\.[a-z]+(-[a-z]+)*)?/) != nil, "\(code)")
        }
    }
}
