package import Foundation
import Platform
package import RidesApp
import Text

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Why the server did not do what the phone asked.
@nonexhaustive
package enum ServerProblem: Error, Hashable, Sendable {
    /// It answered with this status and this sentence.
    case refused(status: Int, detail: String)
    /// It cannot be reached, or its database: the same may be asked again.
    case away(String)
}

extension ServerProblem: CustomStringConvertible {
    /// The problem in a sentence.
    package var description: String {
        switch self {
        case .refused(_, let detail): detail
        case .away(let reason): "the server cannot be reached: \(reason)"
        }
    }
}

/// Asks a server of rides by HTTP, with a token.
package final class ServerClient: Sendable {
    /// How long an answer may take, in seconds.
    private static let patienceSeconds = 8.0

    private let server: URL
    private let token: String
    private let session = URLSession(configuration: .ephemeral)

    /// Names a server, such as `http://127.0.0.1:8080`, and the token for it.
    package init(server: URL, token: String) {
        self.server = server
        self.token = token
    }

    deinit { session.invalidateAndCancel() }

    private func request(_ method: String, _ path: String, _ body: [UInt8]?) -> URLRequest {
        let url = URL(string: "/api/v1\(path)", relativeTo: server) ?? server
        var request = URLRequest(
            url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: Self.patienceSeconds)
        request.httpMethod = method
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        if let body {
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
            request.httpBody = Data(body)
        }
        return request
    }

    /// Asks, and returns the body of the answer.
    ///
    /// - Throws: ``ServerProblem``.
    @discardableResult
    package func send(_ method: String, _ path: String, _ body: [UInt8]? = nil) async throws -> [UInt8] {
        let request = request(method, path, body)
        let (status, bytes): (Int, [UInt8]) = try await withCheckedThrowingContinuation { continuation in
            session.dataTask(with: request) { data, response, error in
                guard let response = response as? HTTPURLResponse else {
                    let reason = error.map { ($0 as NSError).localizedDescription } ?? "no answer"
                    return continuation.resume(throwing: ServerProblem.away(reason))
                }
                continuation.resume(returning: (response.statusCode, Array(data ?? Data())))
            }.resume()
        }
        if (200...299).contains(status) { return bytes }
        let detail = (try? CanonicalJSON.decode(Detail.self, from: bytes))?.detail ?? "the server answered \(status)"
        throw status >= 500 || status == 429 ? ServerProblem.away(detail) : .refused(status: status, detail: detail)
    }

    private struct Detail: Decodable { var detail: String }

    /// Asks for a value.
    ///
    /// - Throws: ``ServerProblem``, and what is wrong with the answer.
    package func get<Value: Decodable>(_ path: String) async throws -> Value {
        try CanonicalJSON.decode(Value.self, from: try await send("GET", path))
    }

    /// Follows the stream of what the person is shown, until it breaks.
    ///
    /// - Parameter onView: Called with each view, in order.
    /// - Throws: ``ServerProblem``.
    package func follow(_ onView: @escaping @Sendable (RidesView) -> Void) async throws {
        let (lines, source) = AsyncStream<String>.makeStream()
        let reader = StreamReader(source)
        let configuration = URLSessionConfiguration.ephemeral
        // A stream shows a sign of life every 15 s.
        configuration.timeoutIntervalForRequest = 40
        let session = URLSession(configuration: configuration, delegate: reader, delegateQueue: nil)
        defer { session.invalidateAndCancel() }
        var request = request("GET", "/flux", nil)
        request.timeoutInterval = 40
        session.dataTask(with: request).resume()
        for await line in lines where line.hasPrefix("data: {\"") {
            onView(try CanonicalJSON.decode(RidesView.self, from: Array(line.dropFirst("data: ".count).utf8)))
        }
        throw ServerProblem.away("its stream ended")
    }
}

/// Splits the bytes of a stream into lines.
private final class StreamReader: NSObject, URLSessionDataDelegate, Sendable {
    /// The longest line.
    private static let byteCountMax = 262_144

    private let lines: AsyncStream<String>.Continuation
    private let rest = Lock<[UInt8]>([])

    init(_ lines: AsyncStream<String>.Continuation) { self.lines = lines }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let complete = rest.withLock { rest -> [String] in
            rest += data
            var complete: [String] = []
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                complete.append(String(decoding: rest[..<end], as: UTF8.self))
                rest.removeSubrange(...end)
            }
            if rest.count > Self.byteCountMax { dataTask.cancel() }
            return complete
        }
        for line in complete { lines.yield(line) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        lines.finish()
    }
}
