/// An outbox with the changes of a record that is being prepared.
///
/// It keeps the changes separately and copies no items, so that the cost of a record depends on its changes and not
/// on the number of waiting items.
struct OutboxDraft {
    private let stored: ItemOutbox
    /// The numbers after the changes.
    private(set) var numbering: ItemNumbering
    private var arrivedCount = 0
    private var cancelled: Set<RandomID> = []
    private var added: [Item] = []

    /// Starts from the durable outbox.
    init(_ stored: ItemOutbox) {
        self.stored = stored
        numbering = stored.numbering
    }

    /// The items after the changes, in order.
    var items: [Item] {
        stored.items.dropFirst(arrivedCount).filter { !cancelled.contains($0.id) } + added
    }

    /// The greatest ordinal, nil if there are no items.
    var lastOrdinal: UInt64? {
        let last = added.last ?? stored.items.dropFirst(arrivedCount).last { !cancelled.contains($0.id) }
        return last?.ordinal
    }

    /// The number of an item, nil if it does not exist here.
    func number(of id: RandomID) -> UInt64? {
        items.firstIndex { $0.id == id }.map { numbering.acknowledged + 1 + UInt64($0) }
    }

    /// Applies the part of a change that concerns this track.
    mutating func apply(_ change: Exchange.Change) {
        switch change {
        case .added(let item, _):
            added.append(item)
            numbering.add()
        case .released(_, let number): numbering.release(through: number)
        case .acknowledged(_, let number):
            guard numbering.isNews(number) else { return }
            arrivedCount += Int(number - numbering.acknowledged)
            numbering.acknowledge(through: number, stored.id(number))
        case .cancelled(_, let id):
            guard let number = number(of: id) else { return }
            if let position = added.firstIndex(where: { $0.id == id }) {
                added.remove(at: position)
            } else {
                cancelled.insert(id)
            }
            numbering.cancel(number)
        case .renumbered(_, let stream, let origin): numbering.renumber(stream, from: origin)
        case .spent, .received, .passed, .consumed: break
        }
    }
}
