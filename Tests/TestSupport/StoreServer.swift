import CurlTransport
import Foundation
import HTTPTransport

/// `Tests/Servers/store_server.py` on a port of this host; ends with this value.
package final class StoreServer {
    package struct Failure: Error {}

    /// A change of an object, in the order in which they happened.
    package struct Change: Equatable {
        package let path: String
        /// SHA-256 in hexadecimal digits.
        package let digest: String
    }

    package struct Request {
        package let method: String
        package let path: String
        /// 0 where no answer was given.
        package let status: Int
        package let fields: [String: String]
    }

    package let port: Int
    private let process = Process()
    private let input = Pipe()

    package init(_ options: [String] = []) throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Servers/store_server.py").path()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", script] + options
        let output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        var line: [UInt8] = []
        while line.last != 0x0A {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw Failure() }
            line += more
        }
        guard let port = Int(String(decoding: line.dropLast(), as: UTF8.self)) else {
            throw Failure()
        }
        self.port = port
    }

    deinit {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }

    package var http: String { "http://127.0.0.1:\(port)" }
    package var https: String { "https://127.0.0.1:\(port)" }

    private struct Log: Decodable {
        let changes: [[String]]
        let requests: [Entry]
        struct Entry: Decodable {
            let method, path: String
            let status: Int
            let fields: [String: String]
            init(from decoder: any Decoder) throws {
                var list = try decoder.unkeyedContainer()
                method = try list.decode(String.self)
                path = try list.decode(String.self)
                status = try list.decode(Int.self)
                fields = try list.decode([String: String].self)
            }
        }
    }

    private func log() throws -> Log {
        let answer = try ask(.get, "/-/log")
        return try JSONDecoder().decode(Log.self, from: Data(answer.body))
    }

    @discardableResult
    private func ask(
        _ method: HTTPMethod, _ path: String, _ body: [UInt8] = []
    ) throws -> HTTPResponse {
        guard let url = HTTPURL(http + path) else { throw Failure() }
        var request = HTTPRequest(method, url)
        request.body = body
        if method == .put {
            request.fields.append(HTTPField("Content-Type", "application/octet-stream"))
        }
        let settings = CurlSettings(
            agent: "test", allowsPlainHTTP: true, totalMilliseconds: 20_000, bodyLimit: 64 << 20)
        let answer = try CurlClient(settings).send(request)
        guard answer.isSuccess else { throw Failure() }
        return answer
    }

    /// Every change of an object whose path has this ending.
    package func changes(_ suffix: String = "") throws -> [Change] {
        try log().changes.map { Change(path: $0[0], digest: $0[1]) }.filter {
            $0.path.hasSuffix(suffix) && !$0.path.contains("/grona-probe/")
        }
    }

    package func requests(_ method: String = "", _ suffix: String = "") throws -> [Request] {
        try log().requests.filter {
            !$0.path.hasPrefix("/-/") && (method.isEmpty || $0.method == method)
                && $0.path.hasSuffix(suffix)
        }.map { Request(method: $0.method, path: $0.path, status: $0.status, fields: $0.fields) }
    }

    /// Stores without a condition.
    package func put(_ path: String, _ bytes: [UInt8]) throws {
        try ask(.put, "/-/object\(path)", bytes)
    }

    /// What goes wrong from here on: `NAME [METHOD:SUFFIX [TIMES]]`.
    package func fault(_ text: String) throws {
        try ask(.put, "/-/fault", Array(text.utf8))
    }
}
