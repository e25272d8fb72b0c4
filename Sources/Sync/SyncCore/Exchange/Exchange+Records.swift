extension Exchange {
    /// Everything that an exchange remembers: what a store loads at a start, and the sum of its records.
    public struct State: Hashable, Sendable {
        /// The items to send.
        public var outboxes: PerTrack<ItemOutbox>
        /// The items that arrived.
        public var inbox: ItemInbox
        /// How much of the complication budget is used.
        public var budget: UrgentBudget

        /// Creates the state of a store; by default that of a device without any exchange so far.
        public init(
            outboxes: PerTrack<ItemOutbox> = PerTrack(urgent: ItemOutbox(), ordinary: ItemOutbox()),
            inbox: ItemInbox = ItemInbox(), budget: UrgentBudget = UrgentBudget()
        ) {
            self.outboxes = outboxes
            self.inbox = inbox
            self.budget = budget
        }

        /// Applies a record that is durable.
        public mutating func apply(_ record: Record) {
            for change in record.changes { apply(change) }
        }

        /// Applies one change of a record.
        public mutating func apply(_ change: Change) {
            switch change {
            case .added(let item, let track): outboxes[track].add(item)
            case .released(let track, let number): outboxes[track].release(through: number)
            case .acknowledged(let track, let number): outboxes[track].acknowledge(through: number)
            case .cancelled(let track, let id): outboxes[track].cancel(id)
            case .renumbered(let track, let stream, let origin): outboxes[track].renumber(stream, from: origin)
            case .spent(let budget): self.budget = budget
            case .received(let item, let position): inbox.receive(item, at: position)
            case .passed(let track, let position): inbox.moveOn(to: position, on: track)
            case .consumed(let id): inbox.consume(id)
            }
        }

        /// The track and the number of an item that is outstanding, nil if none has this id.
        func place(of id: RandomID) -> (track: ItemTrack, number: UInt64)? {
            for track in ItemTrack.allCases {
                if let number = outboxes[track].number(of: id) { return (track, number) }
            }
            return nil
        }
    }

    /// One change of what an exchange remembers.
    public enum Change: Hashable, Sendable {
        /// An item is queued at the end of a track; if it is current, earlier items no longer are.
        case added(Item, ItemTrack)
        /// The items of a track up to this number may be sent from now on.
        case released(ItemTrack, through: UInt64)
        /// The receiver holds the items of a track up to this number: they leave the outbox.
        case acknowledged(ItemTrack, through: UInt64)
        /// An item that was never sent leaves the outbox.
        case cancelled(ItemTrack, RandomID)
        /// A new numbering of a track begins, for a receiver that is at `origin`; no item of it is acknowledged.
        case renumbered(ItemTrack, stream: RandomID, origin: ItemPosition?)
        /// Complication items were sent with priority.
        case spent(UrgentBudget)
        /// An item arrived: it goes into the inbox, the inbox remembers its id, and its track is now at this
        /// position.
        case received(ReceivedItem, ItemPosition)
        /// An item arrived whose id was known: only the position changes.
        case passed(ItemTrack, ItemPosition)
        /// An item leaves the inbox.
        case consumed(RandomID)
    }

    /// Changes to make durable together.
    public struct Record: Hashable, Sendable {
        /// The number of the record since the start, from 1.
        public var number: UInt64
        /// The changes in order; at least one.
        public var changes: [Change]

        /// Creates a record.
        public init(number: UInt64, changes: [Change]) {
            self.number = number
            self.changes = changes
        }
    }
}
