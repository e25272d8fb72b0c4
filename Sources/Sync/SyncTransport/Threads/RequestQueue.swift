import Platform

/// Passes items from any thread to the one that polls the wake pipe `wakePipe`.
///
/// If the thread reports when it is about to wait, it is woken only then: an item that is posted while it is awake
/// costs no system call.
final class RequestQueue<Item: Sendable>: Sendable {
    private struct State {
        var items: [Item] = []
        /// Whether the thread checks the items before it polls the next time.
        var isAwake = false

        /// Whether the thread must be woken after the last `count` items were added.
        func needsWake(after count: Int = 1) -> Bool { items.count == count && !isAwake }
    }

    let wakePipe: WakePipe
    private let state = Lock(State())

    /// Creates an empty queue.
    ///
    /// The process ends if it has no descriptors left.
    init() {
        do {
            wakePipe = try WakePipe()
        } catch {
            preconditionFailure("the system gave no pipe: \(error)")
        }
    }

    /// Adds an item, and wakes the thread.
    func post(_ item: Item) {
        let needsWake = state.withLock { state in
            state.items.append(item)
            return state.needsWake()
        }
        if needsWake { wakePipe.raise() }
    }

    /// Adds at least one item, and wakes the thread once.
    func post(_ items: [Item]) {
        let needsWake = state.withLock { state in
            state.items += items
            return state.needsWake(after: items.count)
        }
        if needsWake { wakePipe.raise() }
    }

    /// Adds an item if fewer than `limit` wait; otherwise it replaces the last one that it may replace.
    ///
    /// - Returns: False if the item was added beyond the limit, because it could replace none.
    @discardableResult
    func post(_ item: Item, limit: Int, replacing isReplaceable: (Item) -> Bool) -> Bool {
        let (needsWake, isWithinLimit) = state.withLock { state in
            if state.items.count >= limit {
                guard let position = state.items.lastIndex(where: isReplaceable) else {
                    state.items.append(item)
                    return (state.needsWake(), false)
                }
                state.items.remove(at: position)
            }
            state.items.append(item)
            return (state.needsWake(), true)
        }
        if needsWake { wakePipe.raise() }
        return isWithinLimit
    }

    /// Removes and returns all items; called by the polling thread.
    func takeAll() -> [Item] {
        wakePipe.lower()
        return take(isAwake: false)
    }

    /// Removes and returns all items; the thread must call ``rest()`` before it polls again.
    ///
    /// - Parameter woken: Whether the poll reported a wake-up.
    /// - Returns: The items, in the order in which they were posted.
    func takeAll(woken: Bool) -> [Item] {
        if woken { wakePipe.lower() }
        return take(isAwake: true)
    }

    /// The thread is about to poll; false if it must not wait, because there are already items.
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
