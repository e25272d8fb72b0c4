extension Exchange {
    /// What an exchange gets at its start; it never changes.
    public struct Configuration: Hashable, Sendable {
        /// The most bytes of an item's payload; 0…262,144, 65,536 by default.
        public var itemByteCountMax = 65_536
        /// The most items that may be outstanding at once; 1,024 by default.
        public var outstandingCountMax = 1024
        /// The most bytes of their payloads; 4 MiB by default.
        public var outstandingByteCountMax = 4_194_304
        /// The most items that arrived and are not consumed yet; 1,024 by default.
        public var inboxCountMax = 1024
        /// The most bytes of their payloads; 4 MiB by default.
        public var inboxByteCountMax = 4_194_304
        /// The number of complication items per day that go with priority; 50 by default, 0 for none.
        public var urgentPerDay = 50
        /// The most bytes of a message's or a reply's payload; 0…524,288, 65,536 by default.
        ///
        /// An application that wraps messages of up to 262,144 bytes in its own envelope needs a higher limit.
        public var messageByteCountMax = 65_536
        /// The most messages that wait for their result, and the most received messages that wait for this
        /// application; 256 by default.
        public var messageCountMax = 256
        /// The time limit of a message that sets none; 1 ms…1 h, 10 s by default.
        public var messageTimeout = Duration.seconds(10)

        /// Creates the default configuration.
        public init() {}
    }

    /// The application's identifier of a request; each request gets exactly one answer, unless the process ends
    /// first.
    public typealias RequestID = SyncCore.RequestID

    /// User info that an application wants transferred.
    public struct Transfer: Hashable, Sendable {
        /// The bytes to send; the engine does not interpret them.
        public var payload: [UInt8]
        /// Whether it is complication user info, which goes with priority while the budget lasts.
        public var isUrgent: Bool
        /// The item's id; nil lets the engine choose one.
        ///
        /// A receiver accepts each of the last 4096 ids only once, regardless of its origin.
        public var id: RandomID?

        /// Creates a transfer.
        public init(payload: [UInt8], isUrgent: Bool = false, id: RandomID? = nil) {
            self.payload = payload
            self.isUrgent = isUrgent
            self.id = id
        }
    }

    /// What happens to an exchange.
    public enum Input: Hashable, Sendable {
        /// A session opened; `peer` is the position that the peer sent in its greeting.
        ///
        /// The greeting must be the peer's newest. A hub knows that only after a frame of the session has arrived:
        /// until then the HELLO may be an old one that the network delayed.
        case sessionOpened(UInt64, peer: ItemPositions)
        /// The session ended; no frame of it arrives any more.
        ///
        /// This input comes before this side greets again.
        case sessionClosed
        /// A frame arrived: ITEM, ITEM_ACK, MESSAGE, REPLY or MESSAGE_ERROR.
        case received(Frame)
        /// The application wants user info transferred.
        case transfer(RequestID, Transfer)
        /// The application wants to cancel an item that was never sent.
        case cancel(RequestID, RandomID)
        /// The application has consumed an item that arrived: it is not reported again.
        case consumed(RandomID)
        /// The application sends a live message.
        case message(RequestID, Message)
        /// The application replies to a message.
        ///
        /// An empty payload confirms a message that asks for no reply.
        case reply(RequestID, MessageID, [UInt8])
        /// The application does not reply to a message, and gives the reason in at most 256 characters.
        case decline(RequestID, MessageID, MessageRefusal, text: String)
        /// A record from ``Output/persist(_:)`` is durable.
        case persisted(Record)
        /// A record from ``Output/persist(_:)`` could not be made durable; nothing of it was stored.
        case persistFailed(Record, reason: String)
        /// The process is about to stop: store now what was waiting for a later record.
        case ending
        /// A deadline has passed, or may have.
        case timeReached
    }

    /// What the driver has to do for an exchange, in this order.
    public enum Output: Hashable, Sendable {
        /// Send a frame.
        ///
        /// The transport may drop it when it has no room; the engine sends what is missing again later.
        case send(Frame)
        /// Make a record durable, all or nothing, then report it.
        ///
        /// Only one record is stored at a time.
        case persist(Record)
        /// Answer the application.
        case answer(RequestID, Answer)
        /// Notify the application.
        case event(Event)
        /// End the session: the peer contradicts the position of its greeting.
        ///
        /// The next session aligns both sides again.
        case endSession
    }

    /// The result of a request.
    public enum Answer: Hashable, Sendable {
        /// The item is durable and will arrive; `isUrgent` says whether it goes with priority.
        case accepted(RandomID, isUrgent: Bool)
        /// The item will not arrive: it was never sent.
        case cancelled(RandomID)
        /// The transfer or the cancellation was refused; nothing has changed.
        case declined(ItemError)
        /// The other application's reply.
        case replied([UInt8])
        /// The other application has handled a message that asked for no reply.
        case delivered
        /// The reply or the refusal was sent.
        case replySent
        /// A message or a reply failed.
        case failed(MessageError)
    }

    /// What an application may want to know or to log.
    public enum Event: Hashable, Sendable {
        /// An item arrived.
        ///
        /// It is reported again after each restart until it is consumed.
        case itemReceived(ReceivedItem)
        /// The other device holds an item durably; it is no longer outstanding.
        case itemDelivered(RandomID)
        /// The other device was restored from a backup and has lost the items with these numbers; this side no longer
        /// has them either.
        ///
        /// The event is reported again if the process ends before the new numbering is durable.
        case itemsLost(ItemTrack, ClosedRange<UInt64>)
        /// A message arrived and waits for ``Input/reply(_:_:_:)`` or ``Input/decline(_:_:_:text:)``.
        case messageReceived(ReceivedMessage)
        /// A frame was dropped.
        case dropped(Drop)
        /// A record could not be stored.
        ///
        /// What is not part of an application's request is tried again.
        case notStored(String)
    }

    /// Why a frame was dropped.
    public enum Drop: Hashable, Sendable {
        /// Its body is malformed.
        case fault(FrameError)
        /// It belongs to another session.
        case foreignSession(FrameKind)
        /// It does not belong to an exchange.
        case foreignKind(FrameKind)
        /// It is a duplicate, or a later message arrived before it.
        case old(FrameKind)
        /// An earlier item is missing.
        case itemAhead
        /// There is no room for an item; the peer sends it again.
        case inboxFull
        /// There is no room for a message; its sender was notified.
        case tooManyMessages
        /// No message waits for this reply: it is late, or the message never existed.
        case lateReply
        /// It acknowledges items that were never sent.
        case contradiction
    }

    /// Counts of frames since the start.
    public struct Counts: Hashable, Sendable {
        /// Items that arrived more than once.
        public var repeatedItems: UInt64 = 0
        /// Items with a new number whose ids were already known.
        public var recognisedItems: UInt64 = 0
        /// Messages that were duplicates, or that arrived after a later message.
        public var oldMessages: UInt64 = 0
        /// Replies for which no message was waiting.
        public var lateReplies: UInt64 = 0
    }
}
