import Testing

@Suite("Layers")
struct LayerTests {
    static let layers = (try? Repository.here.text("Package.swift")).map(PackageLayers.init)

    private func layers() throws -> PackageLayers { try #require(Self.layers) }

    @Test("The manifest is read: every target is in a layer, and no other is")
    func manifest() throws {
        let layers = try layers()
        let folders = Set(
            try Repository.here.files().filter { $0.hasPrefix("Sources/") }
                .map { String($0.split(separator: "/")[1]) })
        #expect(Set(layers.targets.keys) == folders)
        #expect(layers.targets["CLinux"]?.layer == 0)
        #expect(layers.targets["LinuxIO"]?.layer == 1)
        #expect(layers.targets["grona-sign"]?.layer == 7)
        #expect(layers.targets["LinuxIO"]?.dependencies == ["CLinux"])
        #expect(layers.targets["grona-sign"]?.dependencies.contains("GronaCommand") == true)
    }

    @Test("No dependency points up")
    func dependencies() throws {
        #expect(try layers().upward == [])
    }

    @Test("No import points up, and each is declared")
    func imports() throws {
        let layers = try layers()
        var count = 0
        for file in try Repository.sources.get() {
            let imports = file.code.imports
            count += imports.count
            let problems = layers.problems(of: imports, in: file.target)
            #expect(problems.isEmpty, "\(file.path): \(problems)")
        }
        #expect(count > 50)
    }

    @Test("An arrow that points up, or is not declared, is found")
    func broken() {
        let layers = PackageLayers(
            manifest: """
                // Layer 0: fences.
                .target(name: "C"),
                // Layer 1: ground.
                layer("Ground", ["C", "Roof"]),
                layer("Floor"),
                // Layer 2: top.
                layer(
                    "Roof",
                    ["Ground",
                    ]),
                // Tests.
                tests("RoofTests", ["Roof"]),
                """)
        #expect(layers.targets.count == 4)
        #expect(layers.upward == ["Ground -> Roof"])
        #expect(layers.problems(of: ["Roof"], in: "Floor") == ["Floor (1) imports Roof"])
        #expect(layers.problems(of: ["C"], in: "Floor") == ["Floor does not declare C"])
        #expect(layers.problems(of: ["C", "Glibc"], in: "Ground") == [])
        #expect(layers.problems(of: [], in: "Cellar") == ["Cellar is in no layer"])
    }

    @Test("The signing side and the network side never meet")
    func sides() throws {
        let layers = try layers()
        let signing = layers.closure(of: "grona-sign")
        let publishing = layers.closure(of: "grona-publish")
        #expect(signing.isSuperset(of: ["Signing", "LibcryptoSigning", "SecretMemory"]))
        #expect(publishing.isSuperset(of: ["Publishing", "PublishProtocol"]))
        let keys: Set = [
            "LibcryptoSigning", "SigningKeys", "FileKeys", "PKCS11Keys", "ExecKeys", "Signing",
            "SecretMemory", "CSodium", "CPKCS11", "GronaSignCommand",
        ]
        let network: Set = [
            "Publishing", "PublishProtocol", "HTTPTransport", "CurlTransport", "CCurl",
            "GronaPublishCommand",
        ]
        #expect(publishing.isDisjoint(with: keys), "\(publishing.intersection(keys))")
        #expect(signing.isDisjoint(with: network), "\(signing.intersection(network))")
    }
}
