import Platform

/// A queue with the newest element for each key, in the order in which the keys were added.
///
/// Any thread may add elements; one task takes them.
final class KeyedQueue<Key: Hashable & Sendable, Element: Sendable>: Sendable {
    private struct Waiting {
        var order: [Key] = []
        var elements: [Key: Element] = [:]
    }

    /// Yields when an element was added.
    let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation
    private let waiting = Lock(Waiting())

    init() {
        (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Adds an element, or replaces the element of its key; returns at once.
    func put(_ element: Element, for key: Key) {
        waiting.withLock { waiting in
            if waiting.elements.updateValue(element, forKey: key) == nil { waiting.order.append(key) }
        }
        signal.yield()
    }

    /// Takes the first element; nil if there is none.
    func next() -> Element? {
        waiting.withLock { waiting in
            guard !waiting.order.isEmpty else { return nil }
            return waiting.elements.removeValue(forKey: waiting.order.removeFirst())
        }
    }
}
