import Logging
import Platform
import PoolControl
import PoolModel
import SyncCore
import SyncTransport

/// What the desk of questions needs of the hub.
struct QueryEnvironment: Sendable {
    /// The configuration with its revision.
    var configuration: @Sendable () async throws -> (configuration: PoolConfiguration, revision: UInt64)
    /// What is shown of a device, corrected; nil if nothing ever came.
    var readings: @Sendable (DeviceID) -> DeviceReadings?
    /// The order of the register of alerts, once all that is known of the water has been judged.
    var alertsOrder: @Sendable () async throws -> UInt64
    /// The connection to a server, or nil until it exists.
    var connection: @Sendable (ServerID) async -> BrokerState?
    /// Asks the history; it may take long.
    var history: @Sendable (HistoryRequest) async throws -> HubReply
    /// Changes the settings of alerts.
    var changeAlerts: @Sendable (AlertSettingsPatch) async throws -> HubReply
    /// Sends a reply, or the refusal of one.
    var reply: @Sendable (PeerKey, QueryService.Result) async -> Void
    /// The hub's clock.
    var now: @Sendable () -> Timestamp
}

/// Answers the questions that watches ask by live messages.
///
/// Questions are answered in the order in which they come, ``concurrencyMax`` at a time; of one watch only
/// ``waitingMax`` wait, and the next is declined as busy. What is declined waits for no question and keeps no payload.
/// Whatever a question asks, its work and its reply are bounded.
final class QueryService: Sendable {
    /// What is sent back for a message.
    enum Result: Sendable {
        /// A payload.
        case reply(MessageID, [UInt8])
        /// No payload, for this reason.
        case decline(MessageID, MessageRefusal, text: String)
    }

    /// A question that has its place.
    private struct Letter: Sendable {
        var watch: PeerKey
        var message: MessageID
        var question: WatchQuery
    }

    /// The questions that are worked on at once.
    static let concurrencyMax = 4
    /// The questions of one watch that may wait.
    static let waitingMax = 8

    private let logger: Logger
    private let letters: AsyncStream<Letter>
    private let arriving: AsyncStream<Letter>.Continuation
    private let waiting = Lock<[PeerKey: Int]>([:])
    private let declines = DeclineQueue()

    /// Creates a desk that answers nothing until ``run(_:)``.
    init(logger: Logger) {
        self.logger = logger
        // Of each watch there are at most as many letters as places, and the engine bounds the watches.
        (letters, arriving) = AsyncStream.makeStream()
    }

    /// How many messages of a watch are here, to be answered or to be declined.
    func count(of watch: PeerKey) -> Int { waiting.withLock { $0[watch] ?? 0 } + declines.count(of: watch) }

    /// Takes an event of the transfers with a watch; on the link's thread, and returns at once.
    func take(_ event: TransferEvent, from watch: PeerKey) {
        guard case .exchange(.messageReceived(let message)) = event else { return }
        guard message.wantsReply, let question = QueryPayload.question(message.payload) else {
            let text = "the hub answers questions of watches only"
            return declines.put(.init(message: message.id, refusal: .noHandler, text: text), of: watch)
        }
        guard takePlace(of: watch) else {
            let text = "the hub still works on \(Self.waitingMax) questions of this watch"
            return declines.put(.init(message: message.id, refusal: .busy, text: text), of: watch)
        }
        arriving.yield(Letter(watch: watch, message: message.id, question: question))
    }

    /// Answers until the task is cancelled; once in a desk's life.
    func run(_ ports: QueryEnvironment) async {
        await withDiscardingTaskGroup { group in
            group.addTask { [declines] in
                await declines.run { watch, decline in
                    await ports.reply(watch, .decline(decline.message, decline.refusal, text: decline.text))
                }
            }
            group.addTask { [self] in await answerAll(ports) }
        }
    }

    private func answerAll(_ ports: QueryEnvironment) async {
        await withTaskGroup(of: Void.self) { group in
            var atWork = 0
            for await letter in letters {
                if atWork == Self.concurrencyMax {
                    await group.next()
                    atWork -= 1
                }
                atWork += 1
                group.addTask { [self] in await answer(letter, ports) }
            }
            group.cancelAll()
        }
    }

    private func answer(_ letter: Letter, _ ports: QueryEnvironment) async {
        defer { givePlaceBack(of: letter.watch) }
        let reply: QueryReply
        do {
            reply = try await QueryResponder(ports: ports).reply(to: letter.question)
        } catch {
            reply = .refused("\(error)")
        }
        do {
            await ports.reply(letter.watch, .reply(letter.message, try QueryPayload.payload(reply)))
        } catch {
            logger.info("a question could not be answered", metadata: ["question.reason": "\(error)"])
            let text = "the answer could not be written"
            await ports.reply(letter.watch, .decline(letter.message, .failed, text: text))
        }
    }

    // MARK: - Places

    /// Takes one of a watch's places; false if it has none left.
    private func takePlace(of watch: PeerKey) -> Bool {
        waiting.withLock { waiting in
            let count = waiting[watch, default: 0]
            guard count < Self.waitingMax else { return false }
            waiting[watch] = count + 1
            return true
        }
    }

    private func givePlaceBack(of watch: PeerKey) {
        waiting.withLock { waiting in
            let count = waiting[watch, default: 1] - 1
            waiting[watch] = count > 0 ? count : nil
        }
    }
}

extension HubTransport {
    /// Sends what a question came to; a watch that is gone needs no reply.
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

/// Questions and replies as payloads: property lists with one member, which holds JSON.
enum QueryPayload {
    private static let questionKey: PropertyList.Key = "question"
    private static let replyKey: PropertyList.Key = "reply"

    /// The question of a payload; nil if it is not one that this version knows.
    static func question(_ payload: [UInt8]) -> WatchQuery? {
        // What cannot be read is no question; its sender is told so.
        guard payload.count <= WatchQuery.byteCountMax,
            case .dictionary(let members)? = try? PropertyList(decoding: payload),
            case .string(let json)? = members[questionKey]
        else { return nil }
        return try? CanonicalJSON.decode(WatchQuery.self, from: Array(json.utf8))
    }

    /// The payload of a reply.
    static func payload(_ reply: QueryReply) throws -> [UInt8] {
        let json = String(decoding: try CanonicalJSON.encode(reply), as: UTF8.self)
        return try PropertyList.dictionary([replyKey: .string(json)]).encoded()
    }
}
