import Synchronization

/// Hands items from any thread to the one that polls the bell.
final class Mailbox<Item: Sendable>: Sendable {
    let bell = Doorbell()
    private let items = Mutex<[Item]>([])

    /// Puts an item at the end and wakes the thread.
    func post(_ item: Item) {
        let wasEmpty = items.withLock { items in
            items.append(item)
            return items.count == 1
        }
        if wasEmpty { bell.ring() }
    }

    /// Puts an item at the end if fewer than `limit` wait, else in place of the last one that it may replace.
    ///
    /// Gives false if it had to be put beyond the limit, because it replaces none.
    @discardableResult
    func post(_ item: Item, limit: Int, replacing isReplaceable: (Item) -> Bool) -> Bool {
        let (wasEmpty, isWithinLimit) = items.withLock { items in
            if items.count >= limit {
                guard let position = items.lastIndex(where: isReplaceable) else {
                    items.append(item)
                    return (false, false)
                }
                items.remove(at: position)
            }
            items.append(item)
            return (items.count == 1, true)
        }
        if wasEmpty { bell.ring() }
        return isWithinLimit
    }

    /// Takes all items; called by the thread that polls the bell.
    func takeAll() -> [Item] {
        bell.silence()
        return items.withLock { items in
            defer { items = [] }
            return items
        }
    }
}
