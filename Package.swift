// swift-tools-version: 6.2

import PackageDescription

/// Every target is built with these; none may opt out.
let settings: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// Targets that speak with people, read settings or wait for others: built for size, not for speed.
let small: Set = [
    "CommandLineKit", "GronaCommand", "GronaSignCommand", "GronaPublishCommand", "ProjectFiles",
    "SigningKeys", "ExecKeys", "CampaignCompiler", "HTTPTransport", "CurlTransport", "Publishing",
    "GronaFormats", "GronaVerification", "Ledger", "LocalSockets", "LinuxIO", "DeviceModel",
]
let forSize: [SwiftSetting] = [.unsafeFlags(["-Osize"], .when(configuration: .release))]

/// Files that become a part of the programs: what the code of a message means, for `help CODE`.
let embedded = ["GronaCommand": ["Handbook.docc/Codes.md"]]

/// A target of ours, in the layer of the list in which it stands.
func layer(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    let isSmall = small.contains(name)
    return .target(
        name: name, dependencies: dependencies,
        resources: embedded[name, default: []].map { .embedInCode($0) },
        swiftSettings: settings + (isSmall ? forSize : []))
}

func program(_ name: String, _ command: Target.Dependency) -> Target {
    .executableTarget(
        name: name, dependencies: [command, "GronaCommand"], swiftSettings: settings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .testTarget(name: name, dependencies: dependencies, swiftSettings: settings)
}

let package = Package(
    name: "grona",
    products: [
        .executable(name: "grona-sign", targets: ["grona-sign"]),
        .executable(name: "grona-publish", targets: ["grona-publish"]),
        .library(name: "GronaVerification", targets: ["GronaVerification"]),
    ],
    targets: [
        // Layer 0: C fences.
        .systemLibrary(
            name: "CLibcrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(
            name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
        // The header of libp11-kit-dev alone: modules are opened at run time, nothing is linked.
        .systemLibrary(name: "CPKCS11", providers: [.apt(["libp11-kit-dev"])]),
        .systemLibrary(
            name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .target(name: "CLinux"),

        // Layer 1: ground.
        layer("StrictJSON"),
        layer("LinuxIO", ["CLinux"]),
        layer("SecretMemory", ["CSodium"]),
        layer("Libcrypto", ["CLibcrypto"]),

        // Layer 2: standards, kit, logs.
        layer("JOSE", ["StrictJSON"]),
        layer("CommandLineKit", ["StrictJSON", "LinuxIO"]),
        layer("Ledger", ["StrictJSON", "LinuxIO", "Libcrypto"]),
        layer("HTTPTransport", ["LinuxIO"]),
        layer("LocalSockets", ["LinuxIO"]),

        // Layer 3: the algorithm, the domain, an adapter.
        layer("ES256", ["JOSE", "StrictJSON", "Libcrypto"]),
        layer("GronaFormats", ["JOSE", "StrictJSON"]),
        layer("CurlTransport", ["HTTPTransport", "LinuxIO", "CCurl"]),

        // Layer 4: ports and pure state machines.
        layer("LibcryptoSigning", ["CLibcrypto", "Libcrypto", "SecretMemory", "ES256"]),
        layer(
            "SigningKeys",
            ["ES256", "GronaFormats", "JOSE", "SecretMemory", "Libcrypto", "LinuxIO"]),
        layer("CampaignCompiler", ["GronaFormats", "StrictJSON"]),
        layer("DeviceModel", ["GronaFormats", "JOSE", "StrictJSON"]),
        layer("Transitions", ["GronaFormats", "StrictJSON"]),
        layer("PublishProtocol", ["GronaFormats", "DeviceModel", "Transitions", "StrictJSON"]),

        // Layer 5: use cases, back ends, stores.
        layer(
            "FileKeys",
            [
                "SigningKeys", "LibcryptoSigning", "GronaFormats", "LinuxIO", "SecretMemory",
                "ES256", "Libcrypto",
            ]),
        layer(
            "PKCS11Keys",
            [
                "CPKCS11", "SigningKeys", "GronaFormats", "LinuxIO", "SecretMemory", "ES256",
                "Libcrypto", "StrictJSON",
            ]),
        layer(
            "ExecKeys",
            ["SigningKeys", "GronaFormats", "LinuxIO", "ES256", "JOSE", "Libcrypto", "StrictJSON"]),
        layer(
            "GronaVerification",
            ["DeviceModel", "GronaFormats", "ES256", "JOSE", "StrictJSON", "Libcrypto"]),
        layer(
            "ProjectFiles",
            ["CampaignCompiler", "GronaFormats", "ES256", "StrictJSON", "LinuxIO", "Libcrypto"]),
        layer(
            "Signing",
            [
                "CampaignCompiler", "Transitions", "DeviceModel", "GronaFormats", "SigningKeys",
                "GronaVerification", "ProjectFiles", "Ledger", "JOSE", "ES256", "StrictJSON",
                "LinuxIO", "Libcrypto",
            ]),
        layer(
            "Publishing",
            [
                "PublishProtocol", "Transitions", "DeviceModel", "GronaFormats",
                "GronaVerification", "ProjectFiles", "Ledger", "JOSE", "ES256", "StrictJSON",
                "LinuxIO", "Libcrypto", "HTTPTransport", "LocalSockets",
            ]),

        // A model of the world around the publish protocol, and the search through it.
        layer("Exploration", ["PublishProtocol"]),

        // Layer 6: commands, wording, exit codes.
        layer(
            "GronaCommand",
            [
                "CommandLineKit", "ProjectFiles", "GronaVerification", "DeviceModel",
                "Transitions", "GronaFormats", "ES256", "JOSE", "Ledger", "StrictJSON", "LinuxIO",
                "Libcrypto", "CampaignCompiler",
            ]),
        layer(
            "GronaSignCommand",
            [
                "GronaCommand", "CommandLineKit", "Signing", "FileKeys", "PKCS11Keys", "ExecKeys",
                "SigningKeys", "CampaignCompiler", "Transitions", "DeviceModel",
                "GronaVerification",
                "ProjectFiles", "GronaFormats", "ES256", "JOSE", "Ledger", "StrictJSON",
                "LinuxIO", "SecretMemory", "Libcrypto", "LibcryptoSigning",
            ]),
        layer(
            "GronaPublishCommand",
            [
                "GronaCommand", "CommandLineKit", "Publishing", "PublishProtocol", "Transitions",
                "DeviceModel", "GronaVerification", "ProjectFiles", "GronaFormats", "ES256",
                "JOSE", "Ledger", "StrictJSON", "LinuxIO", "Libcrypto", "HTTPTransport",
                "CurlTransport",
            ]),

        // Layer 7: executables, a few lines each.
        program("grona-sign", "GronaSignCommand"),
        program("grona-publish", "GronaPublishCommand"),

        // Measurements and outside judges; not installed.
        .executableTarget(
            name: "grona-bench",
            dependencies: [
                "StrictJSON", "LinuxIO", "PKCS11Keys", "SigningKeys", "GronaFormats", "ES256",
                "Libcrypto",
            ], swiftSettings: settings),
        .executableTarget(
            name: "grona-explore", dependencies: ["Exploration", "CommandLineKit", "LinuxIO"],
            swiftSettings: settings),

        // Tests.
        .target(
            name: "TestSupport",
            dependencies: [
                "StrictJSON", "LinuxIO", "JOSE", "ES256", "Libcrypto", "LibcryptoSigning",
                "GronaFormats", "SecretMemory", "HTTPTransport", "CurlTransport",
            ],
            path: "Tests/TestSupport", swiftSettings: settings),
        .executableTarget(
            name: "TestHelper",
            dependencies: [
                "LinuxIO", "Ledger", "StrictJSON", "ES256", "JOSE", "Libcrypto",
                "LibcryptoSigning", "SecretMemory",
            ],
            path: "Tests/TestHelper", swiftSettings: settings),
        tests("StrictJSONTests", ["StrictJSON", "TestSupport"]),
        tests("LinuxIOTests", ["LinuxIO", "TestHelper", "TestSupport"]),
        tests("SecretMemoryTests", ["SecretMemory", "TestSupport"]),
        tests(
            "LibcryptoTests",
            ["Libcrypto", "LibcryptoSigning", "SecretMemory", "ES256", "JOSE", "TestSupport"]),
        tests("JOSETests", ["JOSE", "StrictJSON", "TestSupport"]),
        tests("CommandLineKitTests", ["CommandLineKit", "LinuxIO", "StrictJSON", "TestSupport"]),
        tests(
            "LedgerTests",
            ["Ledger", "StrictJSON", "LinuxIO", "Libcrypto", "TestHelper", "TestSupport"]),
        tests("ES256Tests", ["ES256", "JOSE", "StrictJSON", "Libcrypto", "TestSupport"]),
        tests("GronaFormatsTests", ["GronaFormats", "JOSE", "StrictJSON", "TestSupport"]),
        tests("LocalSocketsTests", ["LocalSockets", "LinuxIO", "TestHelper", "TestSupport"]),
        tests("HTTPTransportTests", ["HTTPTransport", "LinuxIO", "TestSupport"]),
        tests("CurlTransportTests", ["CurlTransport", "HTTPTransport", "LinuxIO", "TestSupport"]),
        tests(
            "FileKeysTests",
            [
                "FileKeys", "SigningKeys", "LibcryptoSigning", "SecretMemory", "ES256",
                "GronaFormats", "LinuxIO", "Libcrypto", "TestSupport",
            ]),
        tests(
            "PKCS11KeysTests",
            [
                "PKCS11Keys", "CPKCS11", "SigningKeys", "SecretMemory", "ES256", "GronaFormats",
                "LinuxIO", "Libcrypto", "StrictJSON", "TestSupport",
            ]),
        tests(
            "ExecKeysTests",
            [
                "ExecKeys", "SigningKeys", "ES256", "GronaFormats", "JOSE", "LinuxIO", "Libcrypto",
                "LibcryptoSigning", "SecretMemory", "StrictJSON", "TestHelper", "TestSupport",
            ]),
        tests(
            "CampaignCompilerTests",
            ["CampaignCompiler", "GronaFormats", "StrictJSON", "TestSupport"]),
        tests(
            "DeviceModelTests",
            ["DeviceModel", "GronaFormats", "JOSE", "StrictJSON", "TestSupport"]),
        tests("TransitionsTests", ["Transitions", "GronaFormats", "StrictJSON", "TestSupport"]),
        tests(
            "GronaVerificationTests",
            [
                "GronaVerification", "DeviceModel", "GronaFormats", "ES256", "JOSE", "StrictJSON",
                "TestSupport",
            ]),
        tests(
            "ProjectFilesTests",
            [
                "ProjectFiles", "CampaignCompiler", "GronaFormats", "StrictJSON", "LinuxIO",
                "ES256", "TestSupport",
            ]),
        tests(
            "SigningTests",
            [
                "Signing", "CampaignCompiler", "Transitions", "DeviceModel", "GronaFormats",
                "SigningKeys", "GronaVerification", "ProjectFiles", "Ledger", "JOSE", "ES256",
                "StrictJSON", "LinuxIO", "Libcrypto", "FileKeys", "LibcryptoSigning",
                "SecretMemory", "TestSupport",
            ]),
        tests(
            "PublishProtocolTests",
            [
                "PublishProtocol", "Exploration", "DeviceModel", "Transitions", "GronaFormats",
                "StrictJSON", "TestSupport",
            ]),
        tests(
            "PublishingTests",
            [
                "Publishing", "PublishProtocol", "Transitions", "DeviceModel", "GronaFormats",
                "GronaVerification", "ProjectFiles", "Ledger", "JOSE", "ES256", "StrictJSON",
                "LinuxIO", "Libcrypto", "HTTPTransport", "CurlTransport", "TestSupport",
            ]),
        tests(
            "GronaCommandTests",
            [
                "GronaCommand", "GronaSignCommand", "GronaPublishCommand", "CommandLineKit",
                "GronaVerification", "DeviceModel", "Transitions", "GronaFormats", "Ledger",
                "JOSE", "Libcrypto", "LinuxIO", "PublishProtocol", "SigningKeys", "StrictJSON",
                "TestSupport",
            ]),
        tests(
            "ArchitectureTests",
            ["grona-sign", "grona-publish", "StrictJSON", "LinuxIO", "TestSupport"]),
        tests(
            "EndToEndTests",
            [
                "grona-sign", "grona-publish", "StrictJSON", "LinuxIO", "JOSE", "ES256",
                "Libcrypto", "GronaFormats", "LibcryptoSigning", "SecretMemory", "TestHelper",
                "TestSupport",
            ]),
    ],
    swiftLanguageModes: [.v6]
)
