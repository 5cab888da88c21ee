import HTTPTransport
import Publishing
import Testing

@Suite struct StoreAddressTests {
    @Test(arguments: [
        (
            "s3://bucket",
            "s3://bucket?endpoint=https://s3.amazonaws.com"
        ),
        (
            "s3://b-1.x/a/b?endpoint=HTTPS://S3.example.com:9000&region=eu-west-1",
            "s3://b-1.x/a/b?endpoint=https://s3.example.com:9000"
        ),
        (
            "s3://bucket/a/?style=virtual&endpoint=https://s3.example.com/",
            "s3://bucket/a?endpoint=https://s3.example.com"
        ),
        (
            "https://api.example.com/v1/{workspace}/config",
            "https://api.example.com/v1/{workspace}/config"
        ),
    ])
    func `A store has one written form`(_ text: String, _ name: String) throws {
        #expect(try StoreAddress(text).name == name)
    }

    @Test(arguments: [
        [
            "https://api.example.com/m/{workspace}/config",
            "HTTPS://API.example.COM:443/m/{workspace}/config?",
            "https://api.example.com/%6d/{workspace}/confi%67",
        ],
        [
            "https://h/{workspace}?v=%2Fa", "https://h/{workspace}?v=%2f%61",
        ],
        [
            "s3://bucket", "s3://bucket?region=eu-west-1", "s3://bucket?style=path",
            "s3://bucket/?endpoint=https://s3.dualstack.us-west-2.amazonaws.com",
        ],
        [
            "s3://bucket/p?endpoint=https://s3.example.com",
            "s3://bucket/p/?endpoint=HTTPS://s3.EXAMPLE.com:443/&region=x&style=virtual",
        ],
    ])
    func `Each spelling of a store is one store`(_ spellings: [String]) throws {
        let names = Set(try spellings.map { try StoreAddress($0).name })
        #expect(names.count == 1, "\(names)")
    }

    @Test func `Stores that differ stay apart`() throws {
        let names = Set(
            try [
                "https://h/{workspace}", "https://h/{workspace}/", "https://h:8443/{workspace}",
                "https://h/{workspace}?a=b", "https://h/x/{workspace}", "https://h/X/{workspace}",
                "http://h/{workspace}", "https://h/a%2Fb/{workspace}", "https://h/a/b/{workspace}",
                "s3://bucket", "s3://bucket/a", "s3://bucket?endpoint=https://s3.example.com",
                "s3://bucket?endpoint=https://s3.cn-north-1.amazonaws.com.cn",
                "s3://bucket?endpoint=https://amazonaws.com.example",
            ].map { try StoreAddress($0).name })
        #expect(names.count == 14)
    }

    @Test func `A ledger among the objects of the store is told`() throws {
        func isPart(_ ledger: String, _ store: String) throws -> Bool {
            try RemoteLedgerPlace(ledger).isPart(of: try StoreAddress(store))
        }
        let place = "?endpoint=https://s3.example.com"
        #expect(try isPart("s3://shop/prod\(place)", "s3://shop/prod\(place)&region=x"))
        #expect(try isPart("s3://shop/prod/ledger\(place)", "s3://shop/prod\(place)"))
        #expect(try isPart("s3://shop/ledger\(place)", "s3://shop\(place)"))
        #expect(try !isPart("s3://shop/prod-ledger\(place)", "s3://shop/prod\(place)"))
        #expect(try !isPart("s3://ledger/prod\(place)", "s3://shop/prod\(place)"))
        #expect(try !isPart("s3://shop/prod", "s3://shop/prod\(place)"))
        #expect(try isPart("https://h/x/{name}", "https://H/x/{workspace}"))
        #expect(try !isPart("https://h/y/{name}", "https://h/x/{workspace}"))
    }

    @Test(
        arguments: [
            ("s3://Bucket", .bucket), ("s3://ab", .bucket), ("s3://-ab", .bucket),
            ("s3://", .bucket),
            ("s3://a..b", .bucket), ("s3://bucket/a//b", .url(.slashes)),
            ("s3://bucket/a/../b", .url(.dots)),
            ("s3://bucket/a b", .prefix), ("s3://bucket/a%20b", .prefix),
            ("s3://bucket/é", .prefix),
            ("s3://bucket/a+b", .prefix), ("s3://bucket?endpoint=ftp://x", .endpoint),
            ("s3://bucket?endpoint=https://x/y", .endpoint),
            ("s3://bucket?endpoint=https://user@x", .url(.user)),
            ("s3://bucket?region=EU", .region),
            ("s3://bucket?region=", .region), ("s3://bucket?style=dns", .style),
            ("s3://bucket?access_key=x", .parameter("access_key")),
            ("s3://bucket?region=a&region=b", .parameter("region")),
            ("s3://bucket?region", .parameter("region")), ("s3://my.bucket", .virtualHost),
            ("s3://bucket?endpoint=https://127.0.0.1:1&style=virtual", .virtualHost),
            ("https://h/config", .template), ("https://{workspace}/config", .template),
            ("https://h/{workspace}/{workspace}", .template),
            ("https://h/{workspace}/{x}", .template),
            ("https://h/{workspace", .template), ("https://h/{workspace}/}", .template),
            ("https://u:p@h/{workspace}", .url(.user)), ("https://h//{workspace}", .url(.slashes)),
            ("https://h/%6{workspace}", .url(.character)), ("https://h/~~workspace~~", .template),
            ("https://h/~~workspace~~/{workspace}", .template),
            ("https://h/%2e%2e/{workspace}", .url(.dots)),
        ] as [(String, StoreAddress.Problem)])
    func `What is wrong with an address is said`(
        _ text: String, _ problem: StoreAddress.Problem
    ) {
        #expect(throws: StoreError.address(text, problem)) { try StoreAddress(text) }
    }

    @Test(arguments: ["", "ftp://h/{workspace}", "S3://bucket", "/srv/grona", "s3:bucket"])
    func `Another kind of address is none of ours`(_ text: String) {
        #expect(throws: StoreError.unknownKind(text)) { try StoreAddress(text) }
    }

    @Test func `Objects stand where the style says`() throws {
        let path = try S3Place("s3://bucket/p?endpoint=http://localhost:1")
        #expect(path.url("a/b")?.description == "http://localhost:1/bucket/p/a/b")
        let virtual = try S3Place("s3://bucket?region=eu-west-1")
        #expect(
            virtual.url("a")?.description == "https://bucket.s3.eu-west-1.amazonaws.com/a")
        #expect(
            path.url(asking: [("prefix", "p/a+"), ("list-type", "2")])?.description
                == "http://localhost:1/bucket/?list-type=2&prefix=p%2Fa%2B")
    }

    @Test func `Claims and bundles have templates of their own`() throws {
        let config = "https://h/{workspace}/config"
        _ = try HTTPPlace(
            config, claims: "https://h/{workspace}/{version}",
            bundles: "https://h/{workspace}/{bundle}")
        let elsewhere = "https://other/{workspace}/{version}"
        #expect(throws: StoreError.address(elsewhere, .otherServer)) {
            try HTTPPlace(config, claims: elsewhere)
        }
        #expect(throws: StoreError.address("https://h/{version}", .claimsTemplate)) {
            try HTTPPlace(config, claims: "https://h/{version}")
        }
        #expect(throws: StoreError.address("https://h/{workspace}", .bundlesTemplate)) {
            try HTTPPlace(config, bundles: "https://h/{workspace}")
        }
    }
}
