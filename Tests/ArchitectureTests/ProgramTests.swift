import Foundation
import Testing

/// What is not linked cannot leak: looked at in the built files themselves.
@Suite("Built programs")
struct ProgramTests {
    /// A built program, as `readelf` and `nm` describe it.
    struct Built: Sendable, CustomTestStringConvertible {
        let name: String
        let isRelease: Bool
        let path: String
        var testDescription: String { "\(name), \(isRelease ? "release" : "debug")" }

        /// The libraries that it needs.
        func libraries() throws -> [String] {
            try dynamic().filter { $0.contains("(NEEDED)") }.compactMap { line in
                line.split(separator: "[").last.map { String($0.dropLast()) }
            }
        }

        func dynamic() throws -> [String] {
            try Tool.output(["readelf", "-W", "-d", path]).split(separator: "\n").map {
                $0.trimmed
            }
        }

        /// The symbols that it takes from libraries, without their versions.
        func imports() throws -> Set<String> {
            let lines = try Tool.output(["nm", "-D", "--undefined-only", path])
            return Set(
                lines.split(separator: "\n").compactMap { line in
                    line.split(separator: " ").last.map { String($0.prefix { $0 != "@" }) }
                })
        }
    }

    /// Those that are there: the debug build beside the tests, the release build of
    /// `scripts/build`.
    static let built: [Built] = ["grona-sign", "grona-publish"].flatMap { name in
        [(false, ".build/debug/\(name)"), (true, ".build/dist/\(name)")].compactMap {
            isRelease, path -> Built? in
            let file = Repository.here.root.appending(path: path).path()
            guard FileManager.default.isExecutableFile(atPath: file) else { return nil }
            return Built(name: name, isRelease: isRelease, path: file)
        }
    }

    static let released = built.filter(\.isRelease)
    static let signers = built.filter { $0.name == "grona-sign" }
    static let publishers = built.filter { $0.name == "grona-publish" }

    /// Network: names, connections, and libraries that have them.
    ///
    /// `socketpair` and `dlopen` are no signs: the Swift runtime has them, for its backtraces.
    static func reachesNetwork(symbols: Set<String>, libraries: [String]) -> [String] {
        let exact: Set = [
            "socket", "connect", "getaddrinfo", "getaddrinfo_a", "getnameinfo", "res_query",
            "res_search", "bind", "listen", "accept", "accept4", "sendto", "sendmsg",
            "getpwnam", "getpwuid", "getpwnam_r", "getpwuid_r", "getgrnam",
        ]
        let prefixes = ["gethostby", "getservby", "curl_", "__res_", "SSL_", "BIO_new_connect"]
        let wrong = symbols.filter { name in
            exact.contains(name) || prefixes.contains { name.hasPrefix($0) }
        }
        let names = ["libcurl", "libssl", "libresolv", "libnss"]
        return wrong.sorted()
            + libraries.filter { library in names.contains { library.hasPrefix($0) } }
    }

    /// Private keys: signing, reading or making them, guarded memory for them, modules.
    static func reachesKeys(symbols: Set<String>, libraries: [String]) -> [String] {
        let exact: Set = [
            "EVP_PKEY_keygen", "EVP_PKEY_generate", "EVP_PKEY_Q_keygen", "EVP_PKEY_get_bn_param",
            "EC_KEY_set_private_key", "EC_KEY_generate_key", "ECDSA_sign", "ECDSA_do_sign",
            "OSSL_DECODER_CTX_new_for_pkey", "OSSL_ENCODER_CTX_new_for_pkey", "PKCS8_decrypt",
            "EVP_PKCS82PKEY", "OSSL_STORE_open", "CRYPTO_secure_malloc_init",
        ]
        let prefixes = [
            "EVP_PKEY_sign", "EVP_DigestSign", "PEM_read_PrivateKey", "PEM_read_bio_PrivateKey",
            "PEM_write_PrivateKey", "PEM_write_bio_PrivateKey", "PEM_write_bio_PKCS8",
            "PEM_read_bio_ECPrivateKey", "d2i_AutoPrivateKey", "d2i_ECPrivateKey", "d2i_PKCS8",
            "i2d_PrivateKey", "i2d_PKCS8", "C_GetFunctionList", "sodium_", "randombytes_",
        ]
        let wrong = symbols.filter { name in
            exact.contains(name) || prefixes.contains { name.hasPrefix($0) }
                || (name.hasPrefix("d2i_") && name.contains("PrivateKey"))
        }
        let names = ["libsodium", "libp11"]
        return wrong.sorted()
            + libraries.filter { library in names.contains { library.hasPrefix($0) } }
    }

    @Test("The debug build is there to be looked at")
    func there() {
        #expect(Self.signers.contains { !$0.isRelease })
        #expect(Self.publishers.contains { !$0.isRelease })
    }

    @Test("grona-sign reaches no network", arguments: signers)
    func signer(_ program: Built) throws {
        #expect(
            try Self.reachesNetwork(symbols: program.imports(), libraries: program.libraries())
                == [])
    }

    @Test("grona-publish reaches no private key", arguments: publishers)
    func publisher(_ program: Built) throws {
        #expect(
            try Self.reachesKeys(symbols: program.imports(), libraries: program.libraries()) == [])
    }

    @Test("libcrypto is the system's, so that its security updates arrive", arguments: built)
    func libcrypto(_ program: Built) throws {
        let libraries = try program.libraries()
        #expect(libraries.contains { $0.hasPrefix("libcrypto.so") }, "\(libraries)")
    }

    @Test(
        "The Swift runtime is linked in; nothing but the system's libraries is needed",
        arguments: released)
    func runtime(_ program: Built) throws {
        let known =
            ["libc.so", "libm.so", "libgcc_s.so", "libstdc++.so", "ld-linux", "libcrypto.so"]
            + (program.name == "grona-sign" ? ["libsodium.so"] : ["libcurl.so"])
        let others = try program.libraries().filter { library in
            !known.contains { library.hasPrefix($0) }
        }
        #expect(others == [])
    }

    /// What the loader may do with a program after its start.
    static func loaderProblems(_ dynamic: [String]) -> [String] {
        var problems: [String] = []
        let isBoundNow = dynamic.contains { line in
            line.contains("(BIND_NOW)") || (line.contains("(FLAGS") && line.contains("NOW"))
        }
        if !isBoundNow { problems.append("not bound at start") }
        for name in ["(RPATH)", "(RUNPATH)", "(TEXTREL)"]
        where dynamic.contains(where: { $0.contains(name) }) {
            problems.append(name)
        }
        return problems
    }

    @Test("Bound at start, with no path of ours for libraries", arguments: released)
    func loader(_ program: Built) throws {
        #expect(try Self.loaderProblems(program.dynamic()) == [])
    }

    @Test(
        "Position-independent, with relocations read-only and no executable stack",
        arguments: released)
    func hardening(_ program: Built) throws {
        let header = try Tool.output(["readelf", "-W", "-h", program.path])
        #expect(header.contains("DYN (Position-Independent Executable file)"))
        let segments = try Tool.output(["readelf", "-W", "-l", program.path])
        #expect(segments.contains("GNU_RELRO"))
        let stack = segments.split(separator: "\n").first { $0.contains("GNU_STACK") }
        #expect(stack.map { !$0.contains("RWE") } ?? false)
    }

    @Test("Under 9 MB, stripped", arguments: released)
    func size(_ program: Built) throws {
        let bytes = try FileManager.default.attributesOfItem(atPath: program.path)[.size] as? Int
        #expect(try #require(bytes) < 9_000_000)
        let sections = try Tool.output(["readelf", "-W", "-S", program.path])
        #expect(!sections.contains(".symtab"))
        #expect(!sections.contains(".debug_"))
    }

    @Test("Programs of the system that do these things are found")
    func others() throws {
        let curl = Built(name: "curl", isRelease: true, path: "/usr/bin/curl")
        if FileManager.default.isExecutableFile(atPath: curl.path) {
            let found = try Self.reachesNetwork(
                symbols: curl.imports(), libraries: curl.libraries())
            #expect(found.contains { $0.hasPrefix("libcurl") })
            #expect(found.contains("curl_easy_perform"))
        }
        let openssl = Built(name: "openssl", isRelease: true, path: "/usr/bin/openssl")
        let keys = try Self.reachesKeys(symbols: openssl.imports(), libraries: openssl.libraries())
        #expect(keys.contains("EVP_PKEY_sign"))
        let signer = try #require(Self.signers.first)
        let own = try Self.reachesKeys(symbols: signer.imports(), libraries: signer.libraries())
        #expect(own.contains { $0.hasPrefix("libsodium") } && own.contains("EVP_PKEY_sign"))
    }

    @Test("What must not be there is found")
    func found() {
        for name in ["socket", "connect", "getaddrinfo", "gethostbyname_r", "curl_easy_init"] {
            #expect(Self.reachesNetwork(symbols: [name, "write"], libraries: []) == [name])
        }
        #expect(
            Self.reachesNetwork(symbols: ["write"], libraries: ["libcurl.so.4", "libc.so.6"])
                == ["libcurl.so.4"])
        for name in [
            "EVP_PKEY_sign", "EVP_DigestSignInit_ex", "PEM_read_bio_PrivateKey_ex",
            "d2i_AutoPrivateKey", "d2i_PrivateKey_bio", "OSSL_DECODER_CTX_new_for_pkey",
            "sodium_malloc", "EVP_PKEY_generate",
        ] {
            #expect(Self.reachesKeys(symbols: [name, "EVP_PKEY_verify"], libraries: []) == [name])
        }
        #expect(
            Self.reachesKeys(symbols: [], libraries: ["libsodium.so.23"]) == ["libsodium.so.23"])
        #expect(
            Self.reachesKeys(
                symbols: ["EVP_PKEY_verify", "d2i_PUBKEY", "EVP_DigestVerifyInit_ex"],
                libraries: ["libcrypto.so.3"]) == [])
        #expect(Self.loaderProblems(["0x1 (NEEDED) x"]) == ["not bound at start"])
        #expect(
            Self.loaderProblems(["0x1d (RUNPATH) [$ORIGIN]", "0x1e (FLAGS) BIND_NOW"])
                == ["(RUNPATH)"])
        #expect(Self.loaderProblems(["0x6ffffffb (FLAGS_1) Flags: NOW PIE"]) == [])
    }
}
