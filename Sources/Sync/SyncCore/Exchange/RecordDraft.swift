/// A record that is being drawn up: its changes, and what they make of the state, since each is judged by what those
/// before it have made.
///
/// It costs what the record changes: neither the items that wait nor the inbox are copied.
struct RecordDraft {
    /// What goes out.
    private(set) var outboxes: PerTrack<OutboxDraft>
    /// What was spent of the complication budget.
    var budget: UrgentBudget
    /// The ids of the items that arrive with this record.
    private(set) var arrived: Set<RandomID> = []
    /// The changes so far.
    private(set) var changes: [Exchange.Change] = []

    /// Begins a record on what is durable.
    init(_ state: Exchange.State) {
        outboxes = PerTrack(
            urgent: OutboxDraft(state.outboxes.urgent), ordinary: OutboxDraft(state.outboxes.ordinary))
        budget = state.budget
    }

    /// The greatest ordinal of the items that go out.
    var lastOrdinal: UInt64 { max(outboxes.urgent.lastOrdinal ?? 0, outboxes.ordinary.lastOrdinal ?? 0) }

    /// The track of an item that goes out, nil if none has this id.
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
