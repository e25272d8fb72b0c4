/// A record that is being prepared, and the state that results from its changes, because each change depends on those
/// before it.
///
/// Its cost depends on the changes only: neither the waiting items nor the inbox are copied.
struct RecordDraft {
    /// The items to send.
    private(set) var outboxes: PerTrack<OutboxDraft>
    /// How much of the complication budget is used.
    var budget: UrgentBudget
    /// The ids of the items that arrive with this record.
    private(set) var arrived: Set<RandomID> = []
    /// The changes so far.
    private(set) var changes: [Exchange.Change] = []
    /// The answers to give once the record is durable.
    var answers: [PersistenceQueue.Answer] = []

    /// Starts a record from the durable state.
    init(_ state: Exchange.State) {
        outboxes = PerTrack(
            urgent: OutboxDraft(state.outboxes.urgent), ordinary: OutboxDraft(state.outboxes.ordinary))
        budget = state.budget
    }

    /// The greatest ordinal of the items to send.
    var lastOrdinal: UInt64 { max(outboxes.urgent.lastOrdinal ?? 0, outboxes.ordinary.lastOrdinal ?? 0) }

    /// The track of an item to send, nil if none has this id.
    func track(of id: RandomID) -> ItemTrack? {
        ItemTrack.allCases.first { outboxes[$0].number(of: id) != nil }
    }

    /// Adds a change.
    mutating func put(_ change: Exchange.Change) {
        changes.append(change)
        switch change {
        case .added(_, let track), .released(let track, _), .acknowledged(let track, _), .cancelled(let track, _),
            .renumbered(let track, _, _):
            outboxes[track].apply(change)
        case .spent(let budget): self.budget = budget
        case .received(let item, _): arrived.insert(item.id)
        case .passed, .consumed: break
        }
    }
}
