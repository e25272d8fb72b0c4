internal import Platform
public import PoolModel
internal import SyncCore
internal import SyncTransport

/// Why the hub did not answer a question.
@nonexhaustive
public enum QueryError: Error, Equatable, Sendable {
    /// The watch was never paired.
    case notPaired
    /// There is no link to the hub.
    case notReachable
    /// No answer came in time, or the link was lost meanwhile.
    case noAnswer
    /// The hub declined, for this reason.
    case refused(String)
    /// The answer cannot be read by this version.
    case unreadable(String)
}

extension QueryError: CustomStringConvertible {
    /// The error, and what to do about it.
    public var description: String {
        switch self {
        case .notPaired: "this watch is not paired with a hub yet: run `poolsensors watch pair`"
        case .notReachable: "there is no link to the hub: try again when there is"
        case .noAnswer: "the hub did not answer in time: try again"
        case .refused(let reason): reason
        case .unreadable(let reason): "the hub gave an answer that this version cannot read (\(reason))"
        }
    }
}

extension PoolWatch {
    /// Asks the hub a question immediately; nothing is queued.
    ///
    /// - Parameters:
    ///   - question: The question.
    ///   - patience: The time limit for the reply; 1 ms…1 h.
    /// - Returns: The reply, never `QueryReply.refused`.
    /// - Throws: ``QueryError``.
    public func ask(_ question: WatchQuery, patience: Duration = .seconds(10)) async throws -> QueryReply {
        guard let driver else { throw QueryError.notPaired }
        let message = Message(payload: try Self.payload(question), wantsReply: true, timeout: patience)
        let answer: TransferAnswer
        do {
            answer = try await driver.transfer { .exchange(.message($0, message)) }
        } catch LinkError.ended {
            throw QueryError.notReachable
        }
        switch answer {
        case .exchange(.replied(let payload)):
            let reply = try Self.reply(payload)
            if case .refused(let reason) = reply { throw QueryError.refused(reason) }
            answers.keep(reply)
            return reply
        case .exchange(.failed(let fault)): throw QueryError(fault)
        case .exchange(.accepted), .exchange(.cancelled), .exchange(.declined), .exchange(.delivered),
            .exchange(.replySent), .files:
            throw QueryError.unreadable("an answer to something else")
        }
    }

    /// The quantities without alerts, according to the last answer of the hub since the watch started; nil without
    /// one.
    public var muted: [Quantity]? { answers.muted }

    private static func payload(_ question: WatchQuery) throws -> [UInt8] {
        let json = String(decoding: try CanonicalJSON.encode(question), as: UTF8.self)
        return try PropertyList.dictionary(["question": .string(json)]).encoded()
    }

    private static func reply(_ payload: [UInt8]) throws -> QueryReply {
        do {
            guard case .dictionary(let members) = try PropertyList(decoding: payload),
                case .string(let json)? = members["reply"]
            else { throw QueryError.unreadable("it has no member \"reply\"") }
            return try CanonicalJSON.decode(QueryReply.self, from: Array(json.utf8))
        } catch let error as QueryError {
            throw error
        } catch {
            throw QueryError.unreadable("\(error)")
        }
    }
}

extension QueryError {
    /// The error for a person that results from a fault of the messages.
    init(_ fault: MessageFault) {
        switch fault {
        case .notReachable: self = .notReachable
        case .replyTimedOut, .sessionReset, .deliveryFailed, .unknownMessage: self = .noAnswer
        case .replyFailed(let reason): self = .refused(reason)
        case .payloadTooLarge, .tooManyMessages: self = .refused("too much was asked at once: try again in a while")
        }
    }
}

/// The last answers of the hub that are shown for longer than a single request.
final class AnswerCache: Sendable {
    private let pages = Lock<[Quantity]?>(nil)

    /// The quantities without alerts; nil if the hub has not listed them.
    var muted: [Quantity]? { pages.withLock(\.self) }

    /// Stores a reply.
    func keep(_ reply: QueryReply) {
        switch reply {
        case .newest(let newest): pages.withLock { $0 = newest.muted }
        case .alerting(let muted): pages.withLock { $0 = muted }
        case .course, .refused: break
        }
    }
}
