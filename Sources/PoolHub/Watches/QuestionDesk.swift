import Logging
import PoolModel
import SyncCore
import SyncLink
import Synchronization

/// What the desk of questions needs of the hub.
struct QuestionPorts: Sendable {
    /// The configuration with its revision.
    var configuration: @Sendable () async throws -> (configuration: PoolConfiguration, revision: UInt64)
    /// What is shown of a device, corrected; nil if nothing ever came.
    var readings: @Sendable (DeviceID) -> DeviceReadings?
    /// The connection to a server, nil if there is none yet.
    var connection: @Sendable (ServerID) -> BrokerState?
    /// Asks the history; it may take long.
    var history: @Sendable (HistoryRequest) async throws -> HubAnswer
    /// Changes the settings of alerts.
    var changeAlerts: @Sendable (AlertSettingsDraft) async throws -> HubAnswer
    /// Sends a reply, or the refusal of one.
    var reply: @Sendable (PeerKey, QuestionDesk.Result) async -> Void
    /// The hub's clock.
    var now: @Sendable () -> Timestamp
}

/// Answers the questions that watches ask by live messages.
///
/// Questions are answered in the order in which they come, ``concurrencyMax`` at a time; of one watch only
/// ``waitingMax`` wait, and the next is declined as busy. Whatever a question asks, its work and its reply are bounded.
final class QuestionDesk: Sendable {
    /// What is sent back for a message.
    enum Result: Sendable {
        /// A payload.
        case reply(MessageID, [UInt8])
        /// No payload, for this reason.
        case decline(MessageID, MessageRefusal, text: String)
    }

    private struct Letter: Sendable {
        var watch: PeerKey
        var message: ReceivedMessage
        /// Whether so many questions of the watch wait already that this one is declined.
        var isTooMuch: Bool
    }

    /// The questions that are worked on at once.
    static let concurrencyMax = 4
    /// The questions of one watch that may wait.
    static let waitingMax = 8

    private let logger: Logger
    private let letters: AsyncStream<Letter>
    private let arriving: AsyncStream<Letter>.Continuation
    private let waiting = Mutex<[PeerKey: Int]>([:])

    /// Creates a desk that answers nothing until ``run()``.
    init(logger: Logger) {
        self.logger = logger
        // The engine bounds the watches, and how many messages of each wait.
        (letters, arriving) = AsyncStream.makeStream()
    }

    /// Takes an event of the transfers with a watch; on the link's thread, and returns at once.
    func take(_ event: TransferEvent, from watch: PeerKey) {
        guard case .exchange(.messageReceived(let message)) = event else { return }
        let isTooMuch = waiting.withLock { waiting in
            let count = waiting[watch, default: 0]
            guard count < Self.waitingMax else { return true }
            waiting[watch] = count + 1
            return false
        }
        arriving.yield(Letter(watch: watch, message: message, isTooMuch: isTooMuch))
    }

    /// Answers until the task is cancelled; once in a desk's life.
    func run(_ ports: QuestionPorts) async {
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

    private func answer(_ letter: Letter, _ ports: QuestionPorts) async {
        let message = letter.message
        guard !letter.isTooMuch else {
            let text = "the hub still works on \(Self.waitingMax) questions of this watch"
            return await ports.reply(letter.watch, .decline(message.id, .busy, text: text))
        }
        defer {
            waiting.withLock { waiting in
                let count = waiting[letter.watch, default: 1] - 1
                waiting[letter.watch] = count > 0 ? count : nil
            }
        }
        guard message.wantsReply, let question = QuestionPayload.question(message.payload) else {
            let text = "the hub answers questions of watches only"
            return await ports.reply(letter.watch, .decline(message.id, .noHandler, text: text))
        }
        let reply: HubReply
        do {
            reply = try await Answerer(ports: ports).reply(to: question)
        } catch {
            reply = .refused("\(error)")
        }
        do {
            await ports.reply(letter.watch, .reply(message.id, try QuestionPayload.payload(reply)))
        } catch {
            logger.info("a question could not be answered", metadata: ["question.reason": "\(error)"])
            await ports.reply(letter.watch, .decline(message.id, .failed, text: "the answer could not be written"))
        }
    }
}

extension HubDriver {
    /// Sends what a question came to; a watch that is gone needs no reply.
    func send(_ result: QuestionDesk.Result, to watch: PeerKey) async {
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
enum QuestionPayload {
    private static let questionKey: PropertyList.Key = "question"
    private static let replyKey: PropertyList.Key = "reply"

    /// The question of a payload; nil if it is none that this version knows.
    static func question(_ payload: [UInt8]) -> WatchQuestion? {
        // What cannot be read is no question; its sender is told so.
        guard payload.count <= WatchQuestion.byteCountMax,
            case .dictionary(let members)? = try? PropertyList(decoding: payload),
            case .string(let json)? = members[questionKey]
        else { return nil }
        return try? CanonicalJSON.decode(WatchQuestion.self, from: Array(json.utf8))
    }

    /// The payload of a reply.
    static func payload(_ reply: HubReply) throws -> [UInt8] {
        let json = String(decoding: try CanonicalJSON.encode(reply), as: UTF8.self)
        return try PropertyList.dictionary([replyKey: .string(json)]).encoded()
    }
}
