internal import SyncCore

/// The edits on this watch: those that wait for the hub, and the results of the others since the watch started.
///
/// An edit may be confirmed before its author knows that it is durable: the two events come on different threads.
struct LocalEdits: Hashable {
    /// The outcomes that are remembered.
    private static let confirmedCountMax = 256

    /// The edits that wait for the hub, oldest first.
    private(set) var pending: [Edit] = []
    /// The last edits that the hub has received, oldest first.
    private(set) var confirmed: [ConfirmedEdit] = []

    /// The writes of all of them.
    var dots: Set<RandomID> {
        Set((confirmed.map(\.edit) + pending).flatMap { edit in edit.changes.indices.map(edit.dot) })
    }

    /// Restores the edits of an earlier run.
    mutating func recall(_ state: ReplicaState) {
        pending = state.pending.compactMap { if case .edit(let edit) = $0.upload { edit } else { nil } }
    }

    /// Adds an edit that is durable.
    mutating func accept(_ edit: Edit) {
        guard !confirmed.contains(where: { $0.edit.id == edit.id }), !pending.contains(edit) else { return }
        let place = pending.firstIndex { edit.stamp < $0.stamp } ?? pending.endIndex
        pending.insert(edit, at: place)
    }

    /// Handles the confirmation of edits by the hub.
    mutating func confirm(_ edits: [ConfirmedEdit]) {
        let names = Set(edits.map(\.edit.id))
        pending.removeAll { names.contains($0.id) }
        confirmed = (confirmed + edits).suffix(Self.confirmedCountMax)
    }
}
