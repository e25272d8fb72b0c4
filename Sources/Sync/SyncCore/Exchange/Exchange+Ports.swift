extension Exchange {
    /// What an exchange is told at its start and never changes.
    public struct Configuration: Hashable, Sendable {
        /// The bytes of an item's payload at most; 0…262,144, 65,536 by default (rule R147).
        public var itemByteCountMax = 65_536
        /// The items that may be outstanding at once; 1,024 by default.
        public var outstandingCountMax = 1024
        /// The bytes of their payloads; 4 MiB by default.
        public var outstandingByteCountMax = 4_194_304
        /// The items that arrived and wait to be consumed at most; 1,024 by default.
        public var inboxCountMax = 1024
        /// The bytes of their payloads; 4 MiB by default.
        public var inboxByteCountMax = 4_194_304
        /// The complication items a day that go with priority; 50 by default (rule R112), 0 where none do (rule R113).
        public var urgentPerDay = 50
        /// The bytes of a message's or a reply's payload at most; 0…524,288, 65,536 by default (rule R147).
        ///
        /// An application that sends its own kinds of messages needs room for an envelope around 262,144 bytes.
        public var messageByteCountMax = 65_536
        /// The messages that wait for their outcome at most, and likewise those that wait for this application; 256 by
        /// default.
        public var messageCountMax = 256
        /// The time that a message waits for its outcome if it says nothing else; 1 ms…1 h, 10 s by default.
        public var messageTimeout = Duration.seconds(10)

        /// Creates the default configuration.
        public init() {}
    }

    /// The application's name for a request; each gets exactly one answer, unless the process ends first.
    public typealias RequestID = SyncCore.RequestID

    /// User info that an application wants transferred.
    public struct Transfer: Hashable, Sendable {
        /// What it sends; the engine does not look into it.
        public var payload: [UInt8]
        /// Whether it is complication user info, which goes with priority while the budget lasts.
        public var isUrgent: Bool
        /// The item's id, nil to get one.
        ///
        /// A receiver takes each of the last 4096 ids once, no matter who chose them.
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
        /// A session opened, and the peer told in its greeting how far it had received.
        ///
        /// The greeting must be the peer's newest. A hub knows that only once a frame of the session has arrived: until
        /// then the HELLO may be an old one that the network kept.
        case sessionOpened(UInt64, peer: ItemPositions)
        /// The session ended; nothing of it arrives any more. It comes before this side greets again.
        case sessionClosed
        /// A frame arrived: ITEM, ITEM_ACK, MESSAGE, REPLY or MESSAGE_ERROR.
        case received(Frame)
        /// The application wants user info transferred.
        case transfer(RequestID, Transfer)
        /// The application wants an item held back that was never sent.
        case cancel(RequestID, RandomID)
        /// The application has consumed an item that arrived: it need not come again.
        case consumed(RandomID)
        /// The application sends a live message.
        case message(RequestID, Message)
        /// The application replies to a message, or confirms one that asks for no reply by an empty payload.
        case reply(RequestID, MessageID, [UInt8])
        /// The application does not reply to a message, and says why in at most 256 characters.
        case decline(RequestID, MessageID, MessageRefusal, text: String)
        /// A record that was put out is durable.
        case persisted(Record)
        /// A record that was put out could not be made durable; nothing of it remains.
        case persistFailed(Record, reason: String)
        /// This life is about to end: what may wait for a record is to be stored now.
        case ending
        /// A deadline has come, or may have.
        case timeReached
    }

    /// What an exchange wants done, in this order.
    public enum Output: Hashable, Sendable {
        /// Send a frame; if the transport has no room it may be dropped, time repairs it.
        case send(Frame)
        /// Make a record durable, all or nothing, then say so. There is one at a time.
        case persist(Record)
        /// Answer the application.
        case answer(RequestID, Answer)
        /// Tell the application what happened.
        case event(Event)
        /// End the session: the peer contradicts what it told at its start. The next one settles that.
        case endSession
    }

    /// What became of a request.
    public enum Answer: Hashable, Sendable {
        /// The item is durable and will arrive; `isUrgent` tells whether it goes with priority.
        case accepted(RandomID, isUrgent: Bool)
        /// The item will not arrive: it was never sent.
        case cancelled(RandomID)
        /// The transfer or its cancelling was declined, and nothing has changed.
        case declined(ItemFault)
        /// The other application's reply.
        case replied([UInt8])
        /// The other application has handled a message that asked for no reply.
        case delivered
        /// The reply, or the refusal of one, was sent.
        case replySent
        /// A message or a reply failed.
        case failed(MessageFault)
    }

    /// What an application may want to know or to log.
    public enum Event: Hashable, Sendable {
        /// An item arrived. After a restart it comes again, until it is consumed.
        case itemReceived(ReceivedItem)
        /// The other device holds an item durably, and it is no longer outstanding.
        case itemDelivered(RandomID)
        /// The other device was restored and has lost the items of these numbers, which are gone here.
        ///
        /// The report comes again if the process ends before the new numbering is durable.
        case itemsLost(ItemTrack, ClosedRange<UInt64>)
        /// A message arrived and waits for ``Input/reply(_:_:_:)`` or ``Input/decline(_:_:_:text:)``.
        case messageReceived(ReceivedMessage)
        /// A frame was dropped.
        case dropped(Drop)
        /// A record could not be stored; what no application asked for is tried again.
        case notStored(String)
    }

    /// Why a frame was dropped.
    public enum Drop: Hashable, Sendable {
        /// Its body is of a wrong form.
        case fault(FrameFault)
        /// It belongs to another session.
        case foreignSession(FrameKind)
        /// It has nothing to do with an exchange.
        case foreignKind(FrameKind)
        /// It was seen before, or overtaken.
        case old(FrameKind)
        /// An item before it is missing.
        case itemAhead
        /// There is no room for an item; it will be sent again.
        case inboxFull
        /// There is no room for a message; its sender was told.
        case tooManyMessages
        /// Nobody waits for this reply: it is late, or the message never was.
        case lateReply
        /// An acknowledgement of what was not sent.
        case contradiction
    }

    /// What became of frames since the start.
    public struct Counts: Hashable, Sendable {
        /// Items that arrived again.
        public var repeatedItems: UInt64 = 0
        /// Items that were recognised by their ids under another number.
        public var recognisedItems: UInt64 = 0
        /// Messages that arrived again or were overtaken.
        public var oldMessages: UInt64 = 0
        /// Replies that nobody waited for.
        public var lateReplies: UInt64 = 0
    }
}
