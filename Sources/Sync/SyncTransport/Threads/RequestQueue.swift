import Synchronization

/// Hands items from any thread to the one that polls the bell.
///
/// A thread that says when it rests is rung for only then: what is posted while it is awake costs no system call.
final class RequestQueue<Item: Sendable>: Sendable {
    private struct State {
        var items: [Item] = []
        /// Whether the thread looks at the items before it polls the next time.
        var isAwake = false

        /// Whether the thread must be rung for after the last items were put in, of which there are so many.
        func needsBell(after count: Int = 1) -> Bool { items.count == count && !isAwake }
    }

    let bell = WakePipe()
    private let state = Mutex(State())

    /// Puts an item at the end and wakes the thread.
    func post(_ item: Item) {
        let needsBell = state.withLock { state in
            state.items.append(item)
            return state.needsBell()
        }
        if needsBell { bell.ring() }
    }

    /// Puts some items at the end, at least one, and wakes the thread once.
    func post(_ items: [Item]) {
        let needsBell = state.withLock { state in
            state.items += items
            return state.needsBell(after: items.count)
        }
        if needsBell { bell.ring() }
    }

    /// Puts an item at the end if fewer than `limit` wait, else in place of the last one that it may replace.
    ///
    /// Gives false if it had to be put beyond the limit, because it replaces none.
    @discardableResult
    func post(_ item: Item, limit: Int, replacing isReplaceable: (Item) -> Bool) -> Bool {
        let (needsBell, isWithinLimit) = state.withLock { state in
            if state.items.count >= limit {
                guard let position = state.items.lastIndex(where: isReplaceable) else {
                    state.items.append(item)
                    return (state.needsBell(), false)
                }
                state.items.remove(at: position)
            }
            state.items.append(item)
            return (state.needsBell(), true)
        }
        if needsBell { bell.ring() }
        return isWithinLimit
    }

    /// Takes all items; called by the thread that polls the bell.
    func takeAll() -> [Item] {
        bell.silence()
        return take(isAwake: false)
    }

    /// Takes all items, and promises to ask ``rest()`` before the bell is polled again.
    ///
    /// - Parameter rung: Whether the poll found the bell ringing.
    /// - Returns: The items, in the order in which they were posted.
    func takeAll(rung: Bool) -> [Item] {
        if rung { bell.silence() }
        return take(isAwake: true)
    }

    /// The thread is about to poll; false if it must not wait, because there are items already.
    func rest() -> Bool {
        state.withLock { state in
            state.isAwake = false
            return state.items.isEmpty
        }
    }

    private func take(isAwake: Bool) -> [Item] {
        state.withLock { state in
            state.isAwake = isAwake
            defer { state.items = [] }
            return state.items
        }
    }
}
