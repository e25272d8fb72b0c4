import Logging
import Platform
import PoolControl
import PoolModel
import SyncCore
import SyncTransport

/// The parts of the hub that answer queries.
protocol QueryEnvironment: HubAsking {
    /// The time, by the hub's clock.
    var now: Timestamp { get }
    /// The configuration with its revision.
    func configuration() async throws -> (configuration: PoolConfiguration, revision: UInt64)
    /// The shown values of a device, corrected; nil if none ever arrived.
    func readings(of device: DeviceID) -> DeviceReadings?
    /// The order of the register of alerts, after all values so far have been evaluated.
    func alertsOrder() async throws -> UInt64
    /// The order of the register of a pool; nil if none was sent.
    func order(of pool: PoolID) async -> UInt64?
    /// The state of the connection to a server; nil if there is none.
    func connection(to server: ServerID) async -> BrokerState?
    /// Sends the answer to a message.
    func send(_ result: QueryService.Result, to watch: PeerKey) async
}

/// Answers the queries that watches send as live messages.
///
/// Queries are answered in the order of arrival, ``concurrencyMax`` at a time. At most ``waitingMax`` queries of a watch
/// wait; further ones are declined as busy. Declined messages do not wait for queries, and their payloads are not kept.
/// The work and the reply of each query are bounded.
final class QueryService: Sendable {
    /// The answer to a message.
    enum Result: Sendable {
        /// A payload.
        case reply(MessageID, [UInt8])
        /// No payload, with the reason.
        case decline(MessageID, MessageRefusal, text: String)
    }

    /// A query that waits or is being answered.
    private struct Request: Sendable {
        var message: MessageID
        var query: WatchQuery
    }

    /// The maximum number of queries that are answered at the same time, one of each watch.
    static let concurrencyMax = 4
    /// The maximum number of queries of a watch that wait or are being answered.
    static let waitingMax = 8

    private let logger: Logger
    private let requests = WatchTurns<Request>()
    private let counts = Lock<[PeerKey: Int]>([:])
    private let declines = DeclineQueue()

    /// Creates a service that answers nothing until ``run(_:)``.
    init(logger: Logger) {
        self.logger = logger
    }

    /// The number of messages of a watch that were not answered or declined yet.
    func count(of watch: PeerKey) -> Int { counts.withLock { $0[watch] ?? 0 } + declines.count(of: watch) }

    /// Handles an event of the transfers with a watch; called on the link's thread, returns at once.
    func take(_ event: TransferEvent, from watch: PeerKey) {
        guard case .exchange(.messageReceived(let message)) = event else { return }
        guard message.wantsReply, let query = QueryPayload.query(message.payload) else {
            let text = "the hub answers questions of watches only"
            return declines.put(.init(message: message.id, refusal: .noHandler, text: text), of: watch)
        }
        guard countRequest(of: watch) else {
            let text = "the hub still works on \(Self.waitingMax) questions of this watch"
            return declines.put(.init(message: message.id, refusal: .busy, text: text), of: watch)
        }
        requests.put(Request(message: message.id, query: query), of: watch)
    }

    /// Answers queries until the task is cancelled; may be called once.
    func run(_ environment: some QueryEnvironment) async {
        await withDiscardingTaskGroup { group in
            group.addTask { [declines] in
                await declines.run { watch, decline in
                    await environment.send(.decline(decline.message, decline.refusal, text: decline.text), to: watch)
                }
            }
            group.addTask { [self] in
                await requests.run(atOnce: Self.concurrencyMax) { [self] watch, request in
                    await answer(request, of: watch, environment)
                    return .done(pause: nil)
                }
            }
        }
    }

    private func answer(_ request: Request, of watch: PeerKey, _ environment: some QueryEnvironment) async {
        defer { uncountRequest(of: watch) }
        let reply: QueryReply
        do {
            reply = try await QueryResponder(environment: environment).reply(to: request.query)
        } catch {
            reply = .refused("\(error)")
        }
        do {
            await environment.send(.reply(request.message, try QueryPayload.payload(reply)), to: watch)
        } catch {
            logger.info("a question could not be answered", metadata: ["question.reason": "\(error)"])
            let text = "the answer could not be written"
            await environment.send(.decline(request.message, .failed, text: text), to: watch)
        }
    }

    /// Counts a query of a watch; false if the watch has too many.
    private func countRequest(of watch: PeerKey) -> Bool {
        counts.withLock { counts in
            let count = counts[watch, default: 0]
            guard count < Self.waitingMax else { return false }
            counts[watch] = count + 1
            return true
        }
    }

    private func uncountRequest(of watch: PeerKey) {
        counts.withLock { counts in
            let count = counts[watch, default: 1] - 1
            counts[watch] = count > 0 ? count : nil
        }
    }
}

extension HubTransport {
    /// Sends an answer; a watch that is no longer paired needs none.
    func send(_ result: QueryService.Result, to watch: PeerKey) async {
        _ = try? await transfer(
            { request in
                switch result {
                case .reply(let message, let payload): .exchange(.reply(request, message, payload))
                case .decline(let message, let refusal, let text):
                    .exchange(.decline(request, message, refusal, text: text))
                }
            }, with: watch)
    }
}

/// Queries and replies as payloads: property lists with one member that contains JSON.
enum QueryPayload {
    private static let queryKey: PropertyList.Key = "question"
    private static let replyKey: PropertyList.Key = "reply"

    /// The query in a payload; nil if it is not one that this version supports.
    static func query(_ payload: [UInt8]) -> WatchQuery? {
        // An unreadable payload is declined.
        guard payload.count <= WatchQuery.byteCountMax,
            case .dictionary(let members)? = try? PropertyList(decoding: payload),
            case .string(let json)? = members[queryKey]
        else { return nil }
        return try? CanonicalJSON.decode(WatchQuery.self, from: Array(json.utf8))
    }

    /// The payload of a reply.
    static func payload(_ reply: QueryReply) throws -> [UInt8] {
        let json = String(decoding: try CanonicalJSON.encode(reply), as: UTF8.self)
        return try PropertyList.dictionary([replyKey: .string(json)]).encoded()
    }
}
