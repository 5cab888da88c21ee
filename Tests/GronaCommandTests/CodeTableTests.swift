import CommandLineKit
import Foundation
import GronaCommand
import GronaPublishCommand
import GronaSignCommand
import Testing

/// The page of codes is complete, and what the programs print of it.
@Suite struct CodeTableTests {
    private static let table = CodeTable()

    @Test("every code that stands in the sources has a row of its own")
    func complete() throws {
        let listed = Set(Self.table.rows.flatMap(\.codes))
        let codes = try SourceCodes.all()
        #expect(codes.count > 300)
        #expect(codes.keys.filter { !listed.contains($0) }.sorted() == [])
    }

    @Test("every row has words, no code has two rows, and what a status is told for has a row")
    func rows() {
        for row in Self.table.rows {
            #expect(!row.meaning.isEmpty, "\(row.codes)")
            #expect(!row.meaning.contains("<doc:") && !row.action.contains("`"), "\(row.codes)")
        }
        let codes = Self.table.rows.flatMap(\.codes)
        #expect(Set(codes).count == codes.count)
        #expect(Set(codes).count > 300)
        for code in Self.table.listedCodes where code.last != "." {
            #expect(Self.table.row(code) != nil, "\(code)")
        }
    }

    @Test("the statuses are those that stand beside the codes in the sources")
    func statuses() throws {
        var count = 0
        for (code, statuses) in try SourceCodes.all() {
            for status in statuses {
                count += 1
                #expect(
                    Self.table.statuses(code).contains("\(status.rawValue)"),
                    "\(code): \(status) (\(status.rawValue)) is not in \(Self.table.statuses(code))"
                )
            }
        }
        #expect(count > 50)
    }

    @Test(
        "help CODE prints the row of a code",
        arguments: [GronaSignProgram.program, PublishProgram.program])
    func help(_ program: CommandLineKit.Program) {
        for (code, words) in [
            ("served.rolled-back", ["the store serves less", "What to do:", "76"]),
            ("superseded", ["somebody published", "75"]),
            ("usage.unknown-option", ["there is no such option", "64", "usage.unknown-command"]),
            ("transition.unheard-of", ["differs", "65"]),
            ("key.file-in-production", ["the handbook's page Keys", "--strict"]),
            ("settings.store", ["'--to' or '--from'", "78"]),
        ] {
            let result = Sample.run(["help", code], program: program)
            let output = result.output
            #expect(result.status == .success && result.errors.isEmpty, "\(code)")
            for word in words {
                let text = output.replacing("\n", with: " ").lowercased()
                #expect(text.contains(word.lowercased()), "\(code): \(output)")
            }
            #expect(output.hasPrefix("\(code)\n\n"))
        }
        let wrong = Sample.run(["help", "served.roled-back"], program: program)
        #expect(wrong.output.isEmpty && wrong.status == .usage)
        #expect(wrong.errors.contains("[usage.unknown-code]"))
        #expect(wrong.errors.contains("did you mean 'served.rolled-back'?"))
        for words in [
            ["help", "transition."], ["help", "superseded", "x"], ["man", "served.rolled-back"],
        ] {
            #expect(Sample.run(words, program: program).status == .usage, "\(words)")
        }
    }
}

/// The codes that the sources name, with the statuses that stand beside them.
private enum SourceCodes {
    /// Names of files and hosts have the same form, and these ends.
    private static let others = [".com", ".json", ".lock", ".ndjson"]
    /// What is compared with codes of others, and never printed.
    private static let prefixes: Set = [
        "key.bad-signature", "key.denied", "key.file-mode", "key.pin-",
    ]

    static func all() throws -> [String: Set<CommandLineKit.ExitStatus>] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Sources")
        var codes: [String: Set<CommandLineKit.ExitStatus>] = [:]
        let files = try #require(
            FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil))
        for case let file as URL in files where file.pathExtension == "swift" {
            let text = try String(contentsOf: file, encoding: .utf8)
                .split(separator: "\n", omittingEmptySubsequences: false)
                .filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(separator: "\n")
            for match in text.matches(
                of: /(usage\(\s*)?"((?:[a-z0-9-]+\.)?[a-z][a-z0-9-]*)"/)
            {
                var code = String(match.2)
                if match.1 != nil {
                    code = code.contains(".") ? code : "usage.\(code)"
                } else if code.wholeMatch(of: /[a-z0-9-]+\.[a-z0-9-]+/) == nil {
                    continue
                }
                guard !others.contains(where: code.hasSuffix), !prefixes.contains(code)
                else { continue }
                codes[code, default: []].formUnion(statuses(of: match.range, in: text))
            }
        }
        return codes
    }

    /// Those of `Diagnostic(code: "…", …, exit: .…)` alone, where nothing stands in between that
    /// begins another.
    private static func statuses(
        of range: Range<String.Index>, in text: String
    ) -> [CommandLineKit.ExitStatus] {
        guard text[..<range.lowerBound].suffix(60).contains(/Diagnostic\(\s*code: $/),
            let exit = text[range.upperBound...].prefix(700).firstMatch(
                of: /Diagnostic\(|case |exit: (\.[a-zA-Z]+)/),
            let name = exit.1?.dropFirst()
        else { return [] }
        return CommandLineKit.ExitStatus.allCases.filter { "\($0)" == name }
    }
}
