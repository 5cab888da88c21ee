import Testing

@Suite("Rules of the sources")
struct SourceRuleTests {
    /// Targets that may call the C library by themselves.
    static let callers: Set = ["LinuxIO", "LocalSockets", "CommandLineKit"]

    static func problems(_ code: SwiftCode, in target: String) -> [String] {
        var problems: [String] = []
        for name in code.imports {
            if name.hasPrefix("Foundation") || name == "Dispatch" { problems.append(name) }
            if name == "Glibc", !callers.contains(target) { problems.append("Glibc in \(target)") }
            if ["Darwin", "Musl", "WinSDK"].contains(name) { problems.append(name) }
        }
        for (index, line) in code.lines.enumerated() {
            for (name, pattern) in patterns where line.contains(pattern) {
                problems.append("\(index + 1): \(name)")
            }
        }
        return problems
    }

    nonisolated(unsafe) private static let patterns: [(String, Regex<Substring>)] = [
        ("try!", /\btry!/), ("as!", /\bas!/),
        ("force unwrap", /[A-Za-z0-9_)\]}>"]!(?![=~])/),
        ("fatalError", /\bfatalError\s*\(/),
        ("precondition", /\bprecondition(Failure)?\s*\(/),
        ("assert", /\bassert(ionFailure)?\s*\(/),
        ("unowned(unsafe)", /unowned\s*\(\s*unsafe/),
        ("unchecked Sendable", /@unchecked\s+Sendable/),
    ]

    @Test("No Foundation, no C library outside its targets, nothing that traps")
    func sources() throws {
        let sources = try Repository.here.sources()
        #expect(sources.count > 100)
        for file in sources {
            let problems = Self.problems(file.code, in: file.target)
            #expect(problems.isEmpty, "\(file.path): \(problems)")
        }
    }

    @Test(
        "What is forbidden is found",
        arguments: [
            "import Foundation", "import FoundationEssentials", "package import Dispatch",
            "import Glibc", "@preconcurrency import struct Foundation.Data", "let x = try! f()",
            "x as! Int", "a!.b", "f()!", "a[0]!", "var x: Int! = nil", "\"\\(a!)\"",
            "fatalError()", "precondition(a)", "preconditionFailure()", "assert(x)",
            "/* a /* b */ */ try! c", "class A: @unchecked Sendable {}",
        ])
    func found(_ code: String) {
        #expect(!Self.problems(SwiftCode(code), in: "Signing").isEmpty)
    }

    @Test(
        "What only looks like it is not",
        arguments: [
            "import Glib", "// try! this", "/* as! */ let a = 1", "\"try! a!\"", "#\"a!\"#",
            "\"\"\"\n  as! \"quoted\" f()!\n\"\"\"", "a != b", "a !== b", "!a", "if !a { }",
            "x = (!y)", "\"\\\"try!\"", "let important = 1", "assertive(x)",
        ])
    func notFound(_ code: String) {
        #expect(Self.problems(SwiftCode(code), in: "Signing").isEmpty)
    }

    @Test("Imports are read with every prefix")
    func imports() {
        let code = SwiftCode(
            "import A\npackage import B\n@testable internal import C\nimport struct D.E\n// import F"
        )
        #expect(code.imports == ["A", "B", "C", "D"])
    }

    @Test("Unsafe code has an address", arguments: ["CommandLineKit"])
    func unsafeCode(_ target: String) throws {
        let files = try Repository.here.sources().filter { file in
            file.target == target && file.code.lines.contains { $0.contains(/\bunsafe\b/) }
        }
        #expect(files.count <= 2, "\(files.map(\.path))")
    }

    /// Targets without a word of unsafe code: what decides never touches memory by itself.
    static let safe: Set = [
        "StrictJSON", "JOSE", "GronaFormats", "CampaignCompiler", "DeviceModel", "Transitions",
        "PublishProtocol", "GronaVerification", "ProjectFiles", "GronaCommand", "GronaSignCommand",
        "GronaPublishCommand", "ES256", "Signing", "Publishing",
    ]

    @Test("What decides is safe code")
    func safeTargets() throws {
        for file in try Repository.here.sources() where Self.safe.contains(file.target) {
            let lines = file.code.lines.enumerated().filter { $0.element.contains(/\bunsafe\b/) }
            #expect(lines.isEmpty, "\(file.path): \(lines.map { $0.offset + 1 })")
        }
    }

    /// A pure centre: no clock, no file, no socket.
    static let pure: Set = [
        "JOSE", "GronaFormats", "CampaignCompiler", "DeviceModel", "Transitions",
        "PublishProtocol", "StrictJSON",
    ]

    @Test("The centre is pure: it reaches neither the system nor C")
    func pureTargets() throws {
        let layers = try #require(LayerTests.layers)
        for target in Self.pure {
            let reached = layers.closure(of: target)
            #expect(
                reached.isDisjoint(with: ["LinuxIO", "CLinux", "CLibcrypto", "CSodium"]),
                "\(target): \(reached)")
        }
    }
}
