import CurlTransport
import Foundation
import HTTPTransport
import LinuxIO
import TestSupport
import Testing

/// What a client makes of servers that are as they should be, and of others.
@Suite struct CurlClientTests {
    private func client(
        _ change: (inout CurlSettings) -> Void = { _ in }
    ) -> CurlClient {
        var settings = CurlSettings(
            agent: "grona-test", allowsPlainHTTP: true, connectMilliseconds: 2_000,
            totalMilliseconds: 20_000)
        change(&settings)
        return CurlClient(settings)
    }

    private func request(
        _ method: HTTPMethod, _ url: String, _ body: String = "", _ fields: [HTTPField] = []
    ) throws -> HTTPRequest {
        var request = HTTPRequest(method, try #require(HTTPURL(url)))
        request.body = Array(body.utf8)
        request.fields = fields
        if method == .put {
            request.fields.append(HTTPField("Content-Type", "application/jose+json"))
        }
        return request
    }

    private func failure(
        _ client: CurlClient, _ request: HTTPRequest
    ) -> HTTPFailure? {
        do {
            _ = try client.send(request)
            return nil
        } catch {
            return error
        }
    }

    @Test func `What is put under a condition is got, on one connection`() throws {
        let server = try StoreServer()
        let client = client()
        let url = server.http + "/a"
        #expect(try client.send(request(.get, url)).status == 404)
        let create = [HTTPField("If-None-Match", "*"), HTTPField("Cache-Control", "max-age=60")]
        #expect(try client.send(request(.put, url, "one", create)).status == 201)
        #expect(try client.send(request(.put, url, "two", create)).status == 412)
        let got = try client.send(request(.get, url))
        #expect(got.body == Array("one".utf8))
        #expect(got.contentType == "application/jose+json")
        #expect(got["cache-control"] == "max-age=60")
        let tag = try #require(got.entityTag)
        let match = [HTTPField("If-Match", tag.quoted)]
        #expect(try client.send(request(.put, url, "two", match)).status == 204)
        #expect(try client.send(request(.put, url, "", match)).status == 412)
        #expect(try client.send(request(.head, url)).body.isEmpty)
        let puts = try server.requests("PUT")
        #expect(puts.allSatisfy { $0.fields["Expect"] == nil && $0.fields["Cookie"] == nil })
        #expect(puts[0].fields["User-Agent"] == "grona-test")
        #expect(puts[0].fields["Content-Length"] == "3")
    }

    @Test func `A body of no bytes is put`() throws {
        let server = try StoreServer()
        let client = client()
        #expect(try client.send(request(.put, server.http + "/a")).status == 201)
        #expect(try server.requests("PUT")[0].fields["Content-Length"] == "0")
        #expect(try client.send(request(.get, server.http + "/a")).body.isEmpty)
    }

    @Test func `A token is sent, and shown nowhere`() throws {
        let server = try StoreServer(["--token", "s3cret"])
        let client = client()
        var request = try request(.put, server.http + "/a", "x")
        #expect(try client.send(request).status == 401)
        let token = WipedBytes(copying: Array("s3cret".utf8).span)
        request.credential = .bearer(token)
        #expect(try client.send(request).status == 201)
        #expect(!"\(request) \(String(reflecting: request))".contains("s3cret"))
        var shown = ""
        dump(request, to: &shown)
        #expect(!shown.contains("s3cret") && !shown.contains("115"))
    }

    @Test func `A redirect is an answer`() throws {
        let server = try StoreServer(["--fault", "redirect"])
        let answer = try client().send(request(.put, server.http + "/a", "x"))
        #expect(answer.status == 307)
        #expect(answer.isRedirect)
        #expect(try server.requests().count == 1)
    }

    @Test(
        arguments: [
            ("drop-before", .broken, true), ("garbage", .malformed, true),
            ("huge-header", .headerTooLarge(limit: 64 << 10), true),
            ("long-header", .headerTooLarge(limit: 64 << 10), true),
            ("large", .tooLarge(limit: 1 << 20), true), ("bomb", .tooLarge(limit: 1 << 20), true),
            ("truncate", .broken, true), ("drip", .timedOut, true), ("delay", .timedOut, true),
        ] as [(String, HTTPFailure.Reason, Bool)])
    func `An answer that is not whole is a failure`(
        _ fault: String, _ reason: HTTPFailure.Reason, _ mayHaveArrived: Bool
    ) throws {
        let server = try StoreServer(["--fault", fault, "--wait", "4"])
        try server.put("/a", Array(repeating: 0x61, count: 100))
        var request = try request(.get, server.http + "/a")
        request.takesGzip = true
        let found = try #require(failure(client { $0.totalMilliseconds = 1_500 }, request))
        #expect(found == HTTPFailure(reason, mayHaveArrived: mayHaveArrived))
    }

    @Test func `Where nothing listens, nothing was sent`() throws {
        let server = try StoreServer()
        let url = server.http
        withExtendedLifetime(server) {}
        let gone = try StoreServer()
        let port = gone.port
        _ = consume gone
        let found = failure(client(), try request(.put, "http://127.0.0.1:\(port)/a", "x"))
        #expect(found == HTTPFailure(.unreachable, mayHaveArrived: false))
        #expect(try client().send(request(.put, url + "/a", "x")).status == 201)
        let unknown = failure(client(), try request(.get, "https://grona.invalid/"))
        #expect(unknown == HTTPFailure(.unresolved, mayHaveArrived: false))
    }

    @Test func `Plain http is taken to this host alone, and only with leave`() throws {
        let server = try StoreServer()
        func refused(_ toThisHost: Bool) -> HTTPFailure {
            HTTPFailure(.plainHTTP(toThisHost: toThisHost), mayHaveArrived: false)
        }
        let strict = client { $0.allowsPlainHTTP = false }
        #expect(failure(strict, try request(.get, server.http + "/a")) == refused(true))
        #expect(failure(client(), try request(.get, "http://192.0.2.1/a")) == refused(false))
        #expect(failure(client(), try request(.get, server.http + "/a")) == nil)
    }

    @Test func `No proxy of the environment is used`() throws {
        let server = try StoreServer()
        _ = unsafe setenv("http_proxy", "http://127.0.0.1:1", 1)
        _ = unsafe setenv("ALL_PROXY", "http://127.0.0.1:1", 1)
        defer {
            _ = unsafe unsetenv("http_proxy")
            _ = unsafe unsetenv("ALL_PROXY")
        }
        #expect(failure(client(), try request(.get, server.http + "/a")) == nil)
    }

    @Test func `A field that would begin another line is not sent`() throws {
        let fields = [HTTPField("If-Match", "x\r\nIf-None-Match: *")]
        let found = failure(client(), try request(.put, "http://127.0.0.1:1/a", "x", fields))
        #expect(found == HTTPFailure(.invalidField("If-Match"), mayHaveArrived: false))
    }

    // MARK: TLS

    @Test func `A server is believed by its certificate and name alone`() throws {
        let authority = try TestAuthority()
        let good = try StoreServer(["--tls"] + authority.server("IP:127.0.0.1"))
        let trusting = client { $0.authorities = FilePath(authority.certificate) }
        #expect(failure(trusting, try request(.get, good.https + "/a")) == nil)
        let untrusting = failure(client(), try request(.get, good.https + "/a"))
        guard case .certificate(let number)? = untrusting?.reason else {
            Issue.record("\(String(describing: untrusting))")
            return
        }
        #expect([19, 20].contains(number))
        #expect(untrusting?.mayHaveArrived == false)
        let other = try StoreServer(["--tls"] + authority.server("DNS:example.com"))
        #expect(
            failure(trusting, try request(.put, other.https + "/a", "x"))
                == HTTPFailure(.certificateName, mayHaveArrived: false))
        let old = try StoreServer(
            ["--tls"] + authority.server("IP:127.0.0.1", end: "20200102000000Z"))
        #expect(
            failure(trusting, try request(.put, old.https + "/a", "x"))
                == HTTPFailure(.certificate(10), mayHaveArrived: false))
        let plain = try StoreServer()
        #expect(
            failure(trusting, try request(.get, plain.https + "/a"))
                == HTTPFailure(.tls, mayHaveArrived: false))
        let missing = client { $0.authorities = "/no/such/file" }
        #expect(
            failure(missing, try request(.get, good.https + "/a"))
                == HTTPFailure(.authorityFile, mayHaveArrived: false))
    }

    @Test func `TLS 1.1 is too old`() throws {
        let authority = try TestAuthority()
        let server = try StoreServer(
            ["--tls-old", "--tls"] + authority.server("IP:127.0.0.1"))
        let trusting = client { $0.authorities = FilePath(authority.certificate) }
        #expect(
            failure(trusting, try request(.get, server.https + "/a"))
                == HTTPFailure(.tls, mayHaveArrived: false))
    }

    // MARK: Races

    @Test
    func `In a race one writer wins where the store swaps, and several where it checks first`()
        throws
    {
        for (fault, isSwap) in [("", true), ("check-then-write", false)] {
            let server = try StoreServer(["--fault", fault])
            let requests = try (0..<8).map { number in
                try request(
                    .put, server.http + "/race", "body of writer \(number)",
                    [HTTPField("If-None-Match", "*")])
            }
            let answers = client().race(requests, patienceNanoseconds: 1_000_000_000)
            let statuses = answers.map { (try? $0.get())?.status ?? 0 }
            let winners = statuses.filter { (200..<300).contains($0) }.count
            #expect(isSwap ? winners == 1 : winners > 1, "\(fault): \(statuses)")
            #expect(!statuses.contains(0), "\(answers)")
            let bodies = try client().send(request(.get, server.http + "/race")).body
            #expect(bodies.starts(with: "body of writer".utf8))
        }
    }
}
