import AsyncHTTPClient
package import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
package import RidesApp
import Text

/// Why the server did not do what the phone asked.
@nonexhaustive
package enum ServerProblem: Error, Hashable, Sendable {
    /// It answered with this status and this sentence.
    case refused(status: Int, detail: String)
    /// It cannot be reached, or its database: the same may be asked again.
    case away(String)

    /// Whether asking again is of no use: the token is not known, or its person does not exist.
    var isFinal: Bool { if case .refused(let status, _) = self { [401, 404].contains(status) } else { false } }
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
    /// How long an answer may take.
    private static let patience = TimeAmount.seconds(8)
    /// The longest answer, and the longest line of a stream, in bytes.
    private static let byteCountMax = 4_194_304

    /// What all clients of the process share; its connections end with the process.
    private static let http: HTTPClient = {
        var configuration = HTTPClient.Configuration(
            // The token goes to the configured address only.
            redirectConfiguration: .disallow,
            // A stream shows a sign of life every 15 s.
            timeout: .init(connect: patience, read: .seconds(40)))
        // A server that is away is told at once; who asks decides when to try again.
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
    }()

    private let server: URL
    private let token: String

    /// Names a server, such as `http://127.0.0.1:8080`, and the token for it.
    package init(server: URL, token: String) {
        self.server = server
        self.token = token
    }

    private func request(_ method: String, _ path: String, _ body: [UInt8]?) -> HTTPClientRequest {
        let url = URL(string: "/api/v1\(path)", relativeTo: server) ?? server
        var request = HTTPClientRequest(url: url.absoluteString)
        request.method = HTTPMethod(rawValue: method)
        request.headers.add(name: "Authorization", value: "Bearer \(token)")
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(body)
        }
        return request
    }

    /// Asks, and returns the body of the answer.
    ///
    /// - Throws: ``ServerProblem``.
    @discardableResult
    package func send(_ method: String, _ path: String, _ body: [UInt8]? = nil) async throws -> [UInt8] {
        let (status, bytes): (Int, [UInt8])
        do {
            let response = try await Self.http.execute(request(method, path, body), timeout: Self.patience)
            status = Int(response.status.code)
            bytes = Array(try await response.body.collect(upTo: Self.byteCountMax).readableBytesView)
        } catch {
            throw ServerProblem(away: error)
        }
        if (200...299).contains(status) { return bytes }
        throw ServerProblem(status: status, bytes)
    }

    /// Asks for a value.
    ///
    /// - Throws: ``ServerProblem``, and what is wrong with the answer.
    package func get<Value: Decodable>(_ path: String) async throws -> Value {
        try CanonicalJSON.decode(Value.self, from: try await send("GET", path))
    }

    /// Follows the stream of what the person is shown, until it breaks.
    ///
    /// - Parameter onView: Called with each view, in order.
    /// - Throws: ``ServerProblem``, and what is wrong with a view.
    package func follow(_ onView: @escaping @Sendable (RidesView) -> Void) async throws {
        let response: HTTPClientResponse
        do {
            response = try await Self.http.execute(request("GET", "/flux", nil), deadline: .distantFuture)
        } catch {
            throw ServerProblem(away: error)
        }
        guard response.status == .ok else {
            let bytes = Array(
                (try? await response.body.collect(upTo: Self.byteCountMax))?.readableBytesView ?? .init(.init()))
            throw ServerProblem(status: Int(response.status.code), bytes)
        }
        var parts = response.body.makeAsyncIterator()
        var rest: [UInt8] = []
        while true {
            do {
                guard let part = try await parts.next() else { throw ServerProblem.away("its stream ended") }
                rest += part.readableBytesView
            } catch {
                throw ServerProblem(away: error)
            }
            while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                let line = rest[..<end]
                rest.removeSubrange(...end)
                guard line.starts(with: "data: {\"".utf8) else { continue }
                onView(try CanonicalJSON.decode(RidesView.self, from: Array(line.dropFirst("data: ".utf8.count))))
            }
            guard rest.count <= Self.byteCountMax else { throw ServerProblem.away("it sent a line without an end") }
        }
    }
}

extension ServerProblem {
    private struct Detail: Decodable { var detail: String }

    /// What an answer says that is no success.
    fileprivate init(status: Int, _ bytes: [UInt8]) {
        let detail = (try? CanonicalJSON.decode(Detail.self, from: bytes))?.detail ?? "the server answered \(status)"
        self = status >= 500 || status == 429 ? .away(detail) : .refused(status: status, detail: detail)
    }

    /// What kept a request from its answer.
    fileprivate init(away error: any Error) {
        switch error {
        case let problem as ServerProblem: self = problem
        case let error as HTTPClientError: self = .away(error.shortDescription)
        case let error as NIOConnectionError:
            let reason = error.connectionErrors.first.map { "\($0.error)" } ?? "no address of \(error.host) is known"
            self = .away(reason)
        default: self = .away("\(error)")
        }
    }
}
