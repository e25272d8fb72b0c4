/// Sends live messages in order, each at most once, and gives each exactly one outcome (rule R53).
///
/// A message without a reply is confirmed by an empty one. Only so can its failure be told, as rule R56 wants it.
struct MessageSender: Hashable, Sendable {
    private struct Pending: Hashable, Sendable {
        var request: Exchange.RequestID
        var wantsReply: Bool
        var deadline: Instant
    }

    private let countMax: Int
    private let flaws: DesignFlaws
    private var pending = SortedMap<UInt64, Pending>()
    private var lastNumber: UInt64 = 0

    /// An outcome that is due.
    typealias Outcome = (request: Exchange.RequestID, answer: Exchange.Answer)

    /// Creates a sender that lets so many messages wait.
    init(countMax: Int, flaws: DesignFlaws) {
        self.countMax = countMax
        self.flaws = flaws
    }

    /// Whether another message may be sent.
    var hasRoom: Bool { pending.count < countMax }

    /// When the next message fails.
    var deadline: Instant? { pending.isEmpty ? nil : pending.pairs.lazy.map(\.value.deadline).min() }

    /// A session opened: its messages count from 1.
    mutating func sessionOpened() {
        if !flaws.contains(.messagesOutliveSessions) { lastNumber = 0 }
    }

    /// A message is sent; gives its number.
    mutating func sent(by request: Exchange.RequestID, wantsReply: Bool, deadline: Instant) -> UInt64 {
        lastNumber += 1
        pending[lastNumber] = Pending(request: request, wantsReply: wantsReply, deadline: deadline)
        return lastNumber
    }

    /// An answer arrived; nil if its message has an outcome already, or never was.
    mutating func received(_ answer: MessageAnswerFrame, number: UInt64) -> Outcome? {
        guard let message = pending[number] else { return nil }
        pending[number] = nil
        switch answer {
        case .reply(let payload):
            return (message.request, message.wantsReply ? .replied(payload) : .delivered)
        case .declined(.failed, let text) where message.wantsReply:
            return (message.request, .failed(.replyFailed(text)))
        case .declined(_, let text):
            return (message.request, .failed(.deliveryFailed(text)))
        }
    }

    /// Fails the messages whose time is over, in their order.
    mutating func deadlineReached(now: Instant) -> [Outcome] {
        guard let deadline, deadline <= now else { return [] }
        let late = pending.pairs.filter { $0.value.deadline <= now }
        if !flaws.contains(.messagesTakeLateReplies) {
            pending.removeAll { $1.deadline <= now }
        } else {
            for (number, _) in late { pending[number]?.deadline = Instant(nanoseconds: .max) }
        }
        return late.map { _, message in
            let fault: MessageFault =
                message.wantsReply ? .replyTimedOut : .deliveryFailed("the message was not confirmed in time")
            return (message.request, .failed(fault))
        }
    }

    /// Fails all messages: the session ended.
    mutating func sessionClosed() -> [Outcome] {
        guard !flaws.contains(.messagesOutliveSessions) else { return [] }
        defer { pending = SortedMap() }
        return pending.values.map { ($0.request, .failed(.sessionReset)) }
    }
}
