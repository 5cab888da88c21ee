import Foundation

/// A certificate authority and certificates of servers, made for one test.
package struct TestAuthority {
    private let folder: TemporaryFolder

    package init() throws {
        folder = try TemporaryFolder()
        try Tool.output([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
            "-nodes", "-days", "2", "-subj", "/CN=Grona test authority", "-addext",
            "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign",
            "-keyout", path("ca.key"), "-out", path("ca.pem"),
        ])
    }

    /// The authority's certificate as PEM.
    package var certificate: String { path("ca.pem") }

    private func path(_ name: String) -> String { folder.path(name) }

    /// A certificate and its key, for `--tls`.
    ///
    /// - Parameters:
    ///   - names: such as `DNS:localhost` or `IP:127.0.0.1`.
    ///   - end: of its life, such as `20200102000000Z`; nil for two days from now.
    package func server(_ names: String, end: String? = nil) throws -> [String] {
        let name = "server-\(UUID().uuidString)"
        try Tool.output([
            "openssl", "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
            "-nodes", "-subj", "/CN=Grona test server", "-keyout", path("\(name).key"), "-out",
            path("\(name).csr"),
        ])
        try Data("subjectAltName=\(names)\n".utf8).write(to: URL(filePath: path("\(name).ext")))
        if let end {
            try Data().write(to: URL(filePath: path("index.txt")))
            try Data(
                """
                [ca]
                default_ca=d
                [d]
                database=\(path("index.txt"))
                new_certs_dir=\(folder.path)
                rand_serial=yes
                default_md=sha256
                policy=p
                [p]
                commonName=supplied
                """.utf8
            ).write(to: URL(filePath: path("ca.cnf")))
            try Tool.output([
                "openssl", "ca", "-batch", "-notext", "-config", path("ca.cnf"), "-cert",
                path("ca.pem"), "-keyfile", path("ca.key"), "-startdate", "20200101000000Z",
                "-enddate", end, "-extfile", path("\(name).ext"), "-in", path("\(name).csr"),
                "-out", path("\(name).pem"),
            ])
        } else {
            try Tool.output([
                "openssl", "x509", "-req", "-in", path("\(name).csr"), "-CA", path("ca.pem"),
                "-CAkey", path("ca.key"), "-CAcreateserial", "-days", "2", "-extfile",
                path("\(name).ext"), "-out", path("\(name).pem"),
            ])
        }
        return [path("\(name).pem"), path("\(name).key")]
    }
}
