import HTTPTransport
import PublishProtocol
import Publishing
import Synchronization
import Testing

/// What a write comes to, whatever the server answers.
@Suite struct ConditionalObjectsTests {
    private let server = MemoryServer()
    private let url: HTTPURL
    private let one = Array("one".utf8)
    private let two = Array("two".utf8)

    init() throws { url = try #require(HTTPURL("https://store.example/a")) }

    private func stored() -> [UInt8]? { server.state.withLock { $0.objects["/a"] } }

    private var puts: Int {
        server.state.withLock { $0.requests.filter { $0.method == .put }.count }
    }

    private func tag(_ bytes: [UInt8]) -> EntityTag { EntityTag(MemoryServer.tag(bytes)) }

    @Test func `One creates, and one replaces what it has read`() throws {
        let objects = server.objects()
        #expect(try objects.read(url) == nil)
        #expect(try objects.create(url, one) == .done)
        #expect(try objects.create(url, two) == .lost)
        #expect(try objects.replace(url, two, ifMatching: tag(two)) == .lost)
        #expect(try objects.replace(url, two, ifMatching: tag(one)) == .done)
        #expect(try objects.read(url)?.bytes == two)
        let fields = server.state.withLock { $0.requests.filter { $0.method == .put }[0].fields }
        #expect(fields.contains(HTTPField("Content-Type", "application/jose+json")))
    }

    @Test func `A yes that is not so is found out`() throws {
        server.state.withLock {
            $0.before = { $0.method == .put ? .success(.init(status: 200)) : nil }
        }
        #expect(try server.objects().create(url, one) == .notKnown)
        server.state.withLock { $0.objects["/a"] = Array("other".utf8) }
        #expect(try server.objects().create(url, one) == .lost)
    }

    @Test(arguments: [408, 409, 500, 502, 504, 507])
    func `What is not known is said so, and sent once`(_ status: Int) throws {
        server.state.withLock {
            $0.before = { $0.method == .put ? .success(.init(status: status)) : nil }
        }
        #expect(try server.objects().create(url, one) == .notKnown)
        #expect(puts == 1)
        #expect(server.waits.withLock(\.count) == 1)
    }

    @Test(arguments: [true, false])
    func `A request that may have arrived is not sent again, another one is`(
        _ mayHaveArrived: Bool
    ) throws {
        let failure = HTTPFailure(.broken, mayHaveArrived: mayHaveArrived)
        server.state.withLock { $0.before = { $0.method == .put ? .failure(failure) : nil } }
        if mayHaveArrived {
            #expect(try server.objects().create(url, one) == .notKnown)
            #expect(puts == 1)
        } else {
            #expect(throws: StoreError.noAnswer(failure, during: .writing)) {
                try server.objects().create(url, one)
            }
            #expect(puts == 4)
        }
    }

    @Test func `429 is nothing done, 503 is not known`() throws {
        for (status, retryAfter) in [(429, "2"), (503, "2")] {
            server.state.withLock {
                $0.before = {
                    $0.method == .put
                        ? .success(
                            .init(
                                status: status, fields: [HTTPField("Retry-After", retryAfter)]))
                        : nil
                }
            }
            server.waits.withLock { $0 = [] }
            if status == 429 {
                #expect(throws: StoreError.busy(status: 429)) {
                    try server.objects().create(url, one)
                }
            } else {
                #expect(try server.objects().create(url, one) == .notKnown)
            }
            #expect(server.waits.withLock { $0 } == [2, 2, 2].map { $0 * 1_000_000_000 })
        }
    }

    @Test func `After 503, a condition that does not hold may be one's own success`() throws {
        server.state.withLock { $0.objects["/a"] = one }
        server.state.withLock {
            $0.after = { request, response in
                // The first answer is lost though it was carried out.
                request.method == .put && response.status == 200
                    ? .success(.init(status: 503)) : nil
            }
        }
        #expect(try server.objects().replace(url, two, ifMatching: tag(one)) == .notKnown)
        #expect(stored() == two)
    }

    @Test(
        arguments: [
            (401, .denied(status: 401, code: nil, during: .writing)),
            (403, .denied(status: 403, code: nil, during: .writing)),
            (301, .redirected(status: 301)), (307, .redirected(status: 307)),
            (400, .rejected(status: 400, code: nil, during: .writing)),
            (404, .rejected(status: 404, code: nil, during: .writing)),
            (405, .rejected(status: 405, code: nil, during: .writing)),
            (413, .rejected(status: 413, code: nil, during: .writing)),
        ] as [(Int, StoreError)])
    func `A refusal is one`(_ status: Int, _ error: StoreError) {
        server.state.withLock {
            $0.before = { $0.method == .put ? .success(.init(status: status)) : nil }
        }
        #expect(throws: error) { try server.objects().create(url, one) }
    }

    @Test func `404 to a replacement means that nothing is there`() throws {
        server.state.withLock { $0.before = { _ in .success(.init(status: 404)) } }
        #expect(try server.objects().replace(url, two, ifMatching: tag(one)) == .lost)
    }

    // MARK: Tags

    @Test func `A tag is sent without its quotation marks where it is still the one that is there`()
        throws
    {
        server.state.withLock {
            $0.objects["/a"] = one
            $0.wantsBareTags = true
        }
        let objects = server.objects()
        #expect(try objects.replace(url, two, ifMatching: tag(one)) == .done)
        #expect(objects.wantsBareTags)
        #expect(puts == 2)
        #expect(try objects.replace(url, one, ifMatching: tag(two)) == .done)
        #expect(puts == 3)
        // Somebody else was there: once is enough.
        let other = server.objects()
        #expect(try other.replace(url, two, ifMatching: tag(two)) == .lost)
        #expect(puts == 4)
        #expect(!other.wantsBareTags)
    }

    @Test func `A weak tag is waited for until it is strong, and never sent`() throws {
        server.state.withLock {
            $0.objects["/a"] = one
            $0.weakReads = 4
        }
        let objects = server.objects()
        let read = try #require(try objects.read(url)?.tag)
        #expect(read.isWeak)
        #expect(try objects.replace(url, two, ifMatching: EntityTag(read.opaque)) == .done)
        #expect(server.waits.withLock { $0 } == [250, 250, 250].map { $0 * 1_000_000 })
        let sent = server.state.withLock { $0.requests.flatMap(\.fields) }
        #expect(!sent.contains { $0.name == "If-Match" && $0.value.hasPrefix("W/") })
    }

    @Test
    func `A tag that stays weak is an error, one that comes to stand for other bytes is lost`()
        throws
    {
        server.state.withLock {
            $0.objects["/a"] = one
            $0.weakReads = 1_000
        }
        let objects = server.objects()
        _ = try objects.read(url)
        #expect(throws: StoreError.weakTag) {
            try objects.replace(url, two, ifMatching: tag(one))
        }
        #expect(server.waits.withLock { $0.reduce(0, +) } == 2_500_000_000)
        server.state.withLock { $0.objects["/a"] = two }
        #expect(try objects.replace(url, one, ifMatching: tag(one)) == .lost)
        #expect(puts == 0)
    }

    @Test func `What has no tag cannot be replaced`() {
        #expect(throws: StoreError.noTag) {
            try server.objects().replace(url, one, ifMatching: EntityTag(""))
        }
    }

    @Test func `A single publisher compares by itself`() throws {
        let objects = server.objects(comparesItself: true)
        #expect(try objects.create(url, one) == .done)
        #expect(try objects.create(url, two) == .lost)
        #expect(try objects.replace(url, two, ifMatching: tag(two)) == .lost)
        #expect(try objects.replace(url, two, ifMatching: tag(one)) == .done)
        let conditions = server.state.withLock {
            $0.requests.flatMap(\.fields).filter { $0.name.hasPrefix("If-") }
        }
        #expect(conditions.isEmpty)
    }

    // MARK: Reading

    @Test(arguments: [429, 500, 503])
    func `A read is asked again, then given up`(_ status: Int) throws {
        server.state.withLock { $0.before = { _ in .success(.init(status: status)) } }
        #expect(throws: StoreError.busy(status: status)) { try server.objects().read(url) }
        #expect(server.state.withLock(\.requests.count) == 4)
    }

    @Test func `A page is no document`() {
        server.state.withLock {
            $0.before = { _ in
                .success(.init(status: 200, fields: [.init("Content-Type", "text/html; a=b")]))
            }
        }
        #expect(throws: StoreError.notADocument("text/html")) { try server.objects().read(url) }
    }

    @Test func `A bucket that is not there is no empty one`() {
        let body = Array("<Error><Code>NoSuchBucket</Code></Error>".utf8)
        server.state.withLock { $0.before = { _ in .success(.init(status: 404, body: body)) } }
        #expect(throws: StoreError.rejected(status: 404, code: "NoSuchBucket", during: .reading)) {
            try server.objects().read(url)
        }
    }

    @Test func `Something too large is there, with its tag`() throws {
        server.state.withLock {
            $0.objects["/a"] = one
            $0.before = {
                $0.method == .get
                    ? .failure(.init(.tooLarge(limit: 1), mayHaveArrived: true)) : nil
            }
        }
        let found = try #require(try server.objects().read(url))
        #expect(found.bytes == nil)
        #expect(found.tag?.opaque == MemoryServer.tag(one))
    }
}
