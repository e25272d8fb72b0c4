/// Sends live messages in order, each at most once, and gives each exactly one result.
///
/// A message that asks for no reply is confirmed by an empty one; without that, its failure could not be reported.
struct MessageSender: Hashable, Sendable {
    private struct Pending: Hashable, Sendable {
        var request: Exchange.RequestID
        var wantsReply: Bool
        var deadline: Instant
    }

    private let countMax: Int
    private var pending = SortedMap<UInt64, Pending>()
    private var lastNumber: UInt64 = 0

    /// A result that is due.
    typealias Outcome = (request: Exchange.RequestID, answer: Exchange.Answer)

    /// Creates a sender with at most `countMax` messages in progress.
    init(countMax: Int) {
        self.countMax = countMax
    }

    /// Whether another message may be sent.
    var hasRoom: Bool { pending.count < countMax }

    /// When the next message times out.
    var deadline: Instant? { pending.isEmpty ? nil : pending.pairs.lazy.map(\.value.deadline).min() }

    /// A session opened: its messages count from 1.
    mutating func sessionOpened() {
        lastNumber = 0
    }

    /// Records a message that is sent now; returns its number.
    mutating func sent(by request: Exchange.RequestID, wantsReply: Bool, deadline: Instant) -> UInt64 {
        lastNumber += 1
        pending[lastNumber] = Pending(request: request, wantsReply: wantsReply, deadline: deadline)
        return lastNumber
    }

    /// An answer arrived; nil if its message already has a result, or never existed.
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

    /// Fails the messages whose time limit has passed, in order.
    mutating func deadlineReached(now: Instant) -> [Outcome] {
        guard let deadline, deadline <= now else { return [] }
        let late = pending.pairs.filter { $0.value.deadline <= now }
        pending.removeAll { $1.deadline <= now }
        return late.map { _, message in
            let fault: MessageError =
                message.wantsReply ? .replyTimedOut : .deliveryFailed("the message was not confirmed in time")
            return (message.request, .failed(fault))
        }
    }

    /// The session ended: fails all messages.
    mutating func sessionClosed() -> [Outcome] {
        defer { pending = SortedMap() }
        return pending.values.map { ($0.request, .failed(.sessionReset)) }
    }
}
