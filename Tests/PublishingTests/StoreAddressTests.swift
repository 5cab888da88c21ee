import HTTPTransport
import Publishing
import Testing

@Suite struct StoreAddressTests {
    @Test(arguments: [
        (
            "s3://bucket",
            "s3://bucket?endpoint=https://s3.us-east-1.amazonaws.com&region=us-east-1&style=virtual"
        ),
        (
            "s3://b-1.x/a/b?endpoint=HTTPS://S3.example.com:9000&region=eu-west-1",
            "s3://b-1.x/a/b?endpoint=https://s3.example.com:9000&region=eu-west-1&style=path"
        ),
        (
            "s3://bucket/a/?style=virtual&endpoint=https://s3.example.com/",
            "s3://bucket/a?endpoint=https://s3.example.com&region=us-east-1&style=virtual"
        ),
        (
            "https://api.example.com/v1/{workspace}/config",
            "https://api.example.com/v1/{workspace}/config"
        ),
    ])
    func `A store has one written form`(_ text: String, _ name: String) throws {
        #expect(try StoreAddress(text).name == name)
    }

    @Test(
        arguments: [
            ("s3://Bucket", .bucket), ("s3://ab", .bucket), ("s3://-ab", .bucket),
            ("s3://", .bucket),
            ("s3://a..b", .bucket), ("s3://bucket/a//b", .prefix), ("s3://bucket/a/../b", .prefix),
            ("s3://bucket/a b", .prefix), ("s3://bucket/a%20b", .prefix),
            ("s3://bucket/é", .prefix),
            ("s3://bucket/a+b", .prefix), ("s3://bucket?endpoint=ftp://x", .endpoint),
            ("s3://bucket?endpoint=https://x/y", .endpoint),
            ("s3://bucket?endpoint=https://user@x", .endpoint), ("s3://bucket?region=EU", .region),
            ("s3://bucket?region=", .region), ("s3://bucket?style=dns", .style),
            ("s3://bucket?access_key=x", .parameter("access_key")),
            ("s3://bucket?region=a&region=b", .parameter("region")),
            ("s3://bucket?region", .parameter("region")), ("s3://my.bucket", .virtualHost),
            ("s3://bucket?endpoint=https://127.0.0.1:1&style=virtual", .virtualHost),
            ("https://h/config", .template), ("https://{workspace}/config", .template),
            ("https://h/{workspace}/{workspace}", .template),
            ("https://h/{workspace}/{x}", .template),
            ("https://h/{workspace", .template), ("https://h/{workspace}/}", .template),
            ("https://u:p@h/{workspace}", .template),
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
