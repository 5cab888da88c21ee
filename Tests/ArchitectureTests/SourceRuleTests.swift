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
            problems += patterns.filter { $0.isFound(in: line) }.map { "\(index + 1): \($0.name)" }
        }
        // Owners of C objects say by themselves what may cross threads; nobody else does.
        if !owners.contains(target), code.lines.contains(where: { $0.contains("@unchecked") }) {
            problems.append("@unchecked")
        }
        return problems
    }

    /// Targets that own C objects.
    static let owners: Set = [
        "Libcrypto", "LibcryptoSigning", "SecretMemory", "PKCS11Keys", "LinuxIO", "CurlTransport",
    ]

    private static let patterns = [
        Pattern("try!", needle: "!") { /\btry!/ }, Pattern("as!", needle: "!") { /\bas!/ },
        Pattern("force unwrap", needle: "!") { /[A-Za-z0-9_)\]}>"]!(?![=~])/ },
        Pattern("fatalError", needle: "fatalError") { /\bfatalError\s*\(/ },
        Pattern("precondition", needle: "precondition") { /\bprecondition(?:Failure)?\s*\(/ },
        Pattern("assert", needle: "assert") { /\bassert(?:ionFailure)?\s*\(/ },
        Pattern("unowned(unsafe)", needle: "unowned") { /unowned\s*\(\s*unsafe/ },
    ]

    @Test("No Foundation, no C library outside its targets, nothing that traps")
    func sources() throws {
        let sources = try Repository.sources.get()
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
            "/* a /* b */ */ try! c", "struct A: @unchecked Sendable {}",
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

    /// Words without which nobody makes a socket, or finds another host.
    private static let socketWords = [
        "AF_", "PF_", "SOCK_", "sockaddr", "getaddrinfo", "gethostby",
    ]

    /// The lines that have one of them; of the family of this host alone where it is allowed.
    static func reachesNetwork(_ code: SwiftCode, locally: Bool = false) -> [Int] {
        code.lines.enumerated().filter { _, line in
            var text = String(line)
            if locally {
                for word in ["AF_UNIX", "SOCK_", "sockaddr_un", "sockaddr.self"] {
                    text.replace(word, with: "")
                }
            }
            return socketWords.contains { text.contains($0) }
        }.map { $0.offset + 1 }
    }

    @Test("Sockets are made in one target, for this host alone")
    func socketCalls() throws {
        var found = 0
        for file in try Repository.sources.get() {
            let isLocal = file.target == "LocalSockets"
            let lines = Self.reachesNetwork(file.code, locally: isLocal)
            #expect(lines.isEmpty, "\(file.path): \(lines)")
            if isLocal { found += Self.reachesNetwork(file.code).count }
        }
        #expect(found > 0)
    }

    @Test(
        "A socket is found, and what only sounds like one is not",
        arguments: [
            ("socket(AF_UNIX, SOCK_STREAM, 0)", true, false),
            ("socket(AF_INET6, SOCK_STREAM, 0)", true, true),
            ("var a = sockaddr_in()", true, true), ("var a = sockaddr_un()", true, false),
            ("getaddrinfo(a, b, c, d)", true, true), ("connect(path) // AF_INET", false, false),
        ])
    func socketWords(_ code: String, _ anywhere: Bool, _ locally: Bool) {
        #expect(!Self.reachesNetwork(SwiftCode(code)).isEmpty == anywhere)
        #expect(!Self.reachesNetwork(SwiftCode(code), locally: true).isEmpty == locally)
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
        let files = try Repository.sources.get().filter { file in
            file.target == target && file.code.lines.contains { $0.contains(/\bunsafe\b/) }
        }
        #expect(files.count <= 1, "\(files.map(\.path))")
    }

    /// Targets without a word of unsafe code: what decides never touches memory by itself.
    static let safe: Set = [
        "StrictJSON", "JOSE", "GronaFormats", "CampaignCompiler", "DeviceModel", "Transitions",
        "PublishProtocol", "GronaVerification", "ProjectFiles", "GronaCommand", "GronaSignCommand",
        "GronaPublishCommand", "ES256", "Signing", "Publishing", "ExecKeys",
    ]

    @Test("What decides is safe code")
    func safeTargets() throws {
        for file in try Repository.sources.get() where Self.safe.contains(file.target) {
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
