package import HTTPTransport
import Libcrypto
import LinuxIO
package import PublishProtocol
import Synchronization

/// Objects behind URLs, read and written under conditions.
///
/// What stores do in fact (measured with Ceph, Apache httpd, nginx and moto) is met here: tags that
/// are weak for a second, tags that are taken back only without their quotation marks, 500 for a
/// lost race, answers that never come.
package final class ConditionalObjects: Sendable {
    /// How long a weak tag may take to become strong: Apache httpd needs a little over one second.
    static let strongTagPatience: UInt64 = 2_500_000_000
    static let strongTagPulse: UInt64 = 250_000_000

    let client: any HTTPClient
    let access: ObjectAccess
    /// Sent with every write.
    let fields: [HTTPField]
    private let schedule: RetrySchedule
    private let sleep: @Sendable (UInt64) -> Void
    private let known: Mutex<Known>

    /// What this run has learned.
    private struct Known {
        /// Whether the store wants tags without quotation marks.
        var wantsBareTags: Bool
        /// The contents that were read under weak tags.
        var weak: [String: SHA256Digest] = [:]
        /// Compares by itself and writes without a condition: for a store that ignores conditions
        /// and has this publisher alone.
        var comparesItself: Bool
        var lastReply: StoreReply?
        var isInHurry = false
    }

    /// - Parameters:
    ///   - fields: what is sent with every write.
    ///   - sleep: waits; a test may not.
    package init(
        client: any HTTPClient, access: ObjectAccess, fields: [HTTPField],
        wantsBareTags: Bool = false, comparesItself: Bool = false,
        schedule: RetrySchedule = RetrySchedule(),
        sleep: @escaping @Sendable (UInt64) -> Void = { SystemClock.sleep(nanoseconds: $0) }
    ) {
        self.client = client
        self.access = access
        self.fields = fields
        self.schedule = schedule
        self.sleep = sleep
        known = Mutex(Known(wantsBareTags: wantsBareTags, comparesItself: comparesItself))
    }

    /// Whether no credentials are shown.
    package var isAnonymous: Bool {
        if case .http(.none) = access { true } else { false }
    }

    /// Takes over what was learned in an earlier run.
    package func learn(wantsBareTags: Bool, comparesItself: Bool) {
        known.withLock {
            $0.wantsBareTags = wantsBareTags
            $0.comparesItself = comparesItself
        }
    }

    /// Whether a request that got no good answer is not sent again.
    package func hurry(_ isInHurry: Bool) {
        known.withLock { $0.isInHurry = isInHurry }
    }

    /// How the last write was answered.
    package var lastReply: StoreReply? { known.withLock(\.lastReply) }

    package var wantsBareTags: Bool { known.withLock(\.wantsBareTags) }

    // MARK: Reading

    /// What is there, unless it bears the tag. A store that has tags of its own kind is not asked.
    func read(_ url: HTTPURL, unless tag: EntityTag) throws(StoreError) -> ConditionalRead {
        var request = access.request(.get, url)
        guard !wantsBareTags, HTTPEntityTag(parsing: "\"\(tag.text)\"") != nil else {
            return .found(try read(url).map(StoredObject.init(_:)))
        }
        request.fields.append(HTTPField("If-None-Match", "\"\(tag.text)\""))
        let response = try answer(to: request)
        if response?.status == 304 { return .unchanged }
        return .found(try object(url, response).map(StoredObject.init(_:)))
    }

    /// Nil where nothing is.
    package func read(_ url: HTTPURL) throws(StoreError) -> RemoteObject? {
        try object(url, try answer(to: access.request(.get, url)))
    }

    private func object(
        _ url: HTTPURL, _ response: HTTPResponse?
    ) throws(StoreError) -> RemoteObject? {
        guard let response else {
            // Too large to be taken; its tag is still wanted, since it can be replaced.
            let head = try answer(to: access.request(.head, url))
            guard let head, head.isSuccess else { return nil }
            return RemoteObject(bytes: nil, tag: head.entityTag, response: head)
        }
        guard let response = try found(response) else { return nil }
        let tag = response.entityTag
        if let tag {
            let digest = tag.isWeak ? SHA256.digest(response.body) : nil
            known.withLock { $0.weak[tag.opaque] = digest }
        }
        return RemoteObject(bytes: response.body, tag: tag, response: response)
    }

    /// The answer to a question that may be asked again; nil where it is too large.
    func answer(to request: HTTPRequest) throws(StoreError) -> HTTPResponse? {
        var schedule = schedule
        var timeOuts = 0
        while true {
            let response: HTTPResponse
            do throws(HTTPFailure) {
                response = try client.send(request)
            } catch {
                if case .tooLarge = error.reason { return nil }
                if error.reason == .timedOut { timeOuts += 1 }
                guard error.isPassing, timeOuts < 2, wait(&schedule, nil) else {
                    throw .noAnswer(error, during: .reading)
                }
                continue
            }
            guard response.status == 429 || response.status >= 500 else { return response }
            guard wait(&schedule, response) else { throw .busy(status: response.status) }
        }
    }

    /// What an answer to a read shows; nil where nothing is.
    private func found(_ response: HTTPResponse) throws(StoreError) -> HTTPResponse? {
        switch response.status {
        case 200:
            if let type = response.contentType, type == "text/html" || type.hasSuffix("xhtml+xml") {
                throw .notADocument(type)
            }
            return response
        case 404, 410:
            let code = S3ErrorCode.read(response)
            guard code == "NoSuchBucket" else { return nil }
            throw .rejected(status: response.status, code: code, during: .reading)
        default: throw Self.refusal(response, during: .reading)
        }
    }

    static func refusal(
        _ response: HTTPResponse, during access: StoreError.Access
    ) -> StoreError {
        let code = S3ErrorCode.read(response)
        return switch response.status {
        case 401, 403: .denied(status: response.status, code: code, during: access)
        case _ where response.isRedirect: .redirected(status: response.status)
        default: .rejected(status: response.status, code: code, during: access)
        }
    }

    /// False when it is time to give up.
    private func wait(_ schedule: inout RetrySchedule, _ response: HTTPResponse?) -> Bool {
        guard !known.withLock(\.isInHurry),
            let nanoseconds = schedule.next(
                retryAfter: response?.retryAfter(now: SystemClock.unixTime()),
                random: UInt64.random(in: 0...UInt64.max))
        else { return false }
        sleep(nanoseconds)
        return true
    }

    // MARK: Writing

    /// Writes where nothing is. A yes is looked at, since some servers say it to everyone.
    package func create(
        _ url: HTTPURL, _ bytes: [UInt8]
    ) throws(StoreError) -> WriteAnswer {
        let condition: WriteCondition
        if known.withLock(\.comparesItself) {
            if try read(url) != nil { return .lost }
            condition = .none
        } else {
            condition = .absent
        }
        let answer = try write(url, bytes, condition)
        guard answer == .done else { return answer }
        let found: RemoteObject?
        do { found = try read(url) } catch { return .notKnown }
        guard let found else { return .notKnown }
        return found.bytes == bytes ? .done : .lost
    }

    /// Writes in place of what bears the tag.
    package func replace(
        _ url: HTTPURL, _ bytes: [UInt8], ifMatching tag: EntityTag
    ) throws(StoreError) -> WriteAnswer {
        guard !tag.text.isEmpty else { throw .noTag }
        if known.withLock(\.comparesItself) {
            guard try read(url)?.tag?.opaque == tag.text else { return .lost }
            return try write(url, bytes, .none)
        }
        if let digest = known.withLock({ $0.weak[tag.text] }) {
            guard try becomesStrong(url, tag, digest) else { return .lost }
        }
        if wantsBareTags { return try write(url, bytes, .bare(tag.text)) }
        let answer = try write(url, bytes, .quoted(tag.text))
        guard answer == .lost, try read(url)?.tag == HTTPEntityTag(opaque: tag.text) else {
            return answer
        }
        // Still the one that was expected: this store may not read quotation marks. The condition
        // is the same without them, so nothing is given up.
        let second = try write(url, bytes, .bare(tag.text))
        if second == .done { known.withLock { $0.wantsBareTags = true } }
        return second
    }

    /// Waits until a weak tag is strong; false when something else is there.
    private func becomesStrong(
        _ url: HTTPURL, _ tag: EntityTag, _ digest: SHA256Digest
    ) throws(StoreError) -> Bool {
        var waited: UInt64 = 0
        while true {
            guard let found = try read(url), let bytes = found.bytes,
                found.tag?.opaque == tag.text, SHA256.digest(bytes) == digest
            else { return false }
            if found.tag?.isWeak == false { return true }
            guard waited < Self.strongTagPatience else { throw .weakTag }
            sleep(Self.strongTagPulse)
            waited += Self.strongTagPulse
        }
    }

    private func write(
        _ url: HTTPURL, _ bytes: [UInt8], _ condition: WriteCondition
    ) throws(StoreError) -> WriteAnswer {
        let request = writing(url, bytes, condition)
        var schedule = schedule
        // Whether an earlier one of these requests may have been carried out.
        var isUncertain = false
        while true {
            let response: HTTPResponse
            #if DEBUG
                StepPoint.reached("before PUT")
            #endif
            do throws(HTTPFailure) {
                response = try client.send(request)
                known.withLock { $0.lastReply = .status(response.status) }
                #if DEBUG
                    StepPoint.reached("after PUT")
                #endif
            } catch {
                known.withLock { $0.lastReply = .noAnswer(error) }
                if error.mayHaveArrived {
                    pause()
                    return .notKnown
                }
                guard error.isPassing, wait(&schedule, nil) else {
                    if isUncertain { return .notKnown }
                    throw .noAnswer(error, during: .writing)
                }
                continue
            }
            switch response.status {
            case 200..<300: return .done
            case 412: return isUncertain ? .notKnown : .lost
            case 404 where condition.isMatch && S3ErrorCode.read(response) != "NoSuchBucket":
                return isUncertain ? .notKnown : .lost
            case 429, 503:
                isUncertain = isUncertain || response.status == 503
                guard wait(&schedule, response) else {
                    if isUncertain { return .notKnown }
                    throw .busy(status: response.status)
                }
            case 408, 409, 500, 502, 504..<600:
                pause()
                return .notKnown
            default:
                if isUncertain { return .notKnown }
                throw Self.refusal(response, during: .writing)
            }
        }
    }

    /// Lets what is under way settle before somebody reads back.
    private func pause() {
        var schedule = schedule
        _ = wait(&schedule, nil)
    }

    func writing(
        _ url: HTTPURL, _ bytes: [UInt8], _ condition: WriteCondition
    ) -> HTTPRequest {
        var request = access.request(.put, url, bytes)
        request.fields += fields
        if let field = condition.field { request.fields.append(field) }
        return request
    }
}

extension HTTPFailure {
    /// Whether it may be gone when the request is sent again.
    fileprivate var isPassing: Bool {
        switch reason {
        case .unresolved, .unreachable, .timedOut, .broken, .malformed: true
        case .certificateName, .certificate, .tls, .authorityFile, .tooLarge, .headerTooLarge,
            .encoding, .plainHTTP, .invalidField, .library:
            false
        }
    }
}
