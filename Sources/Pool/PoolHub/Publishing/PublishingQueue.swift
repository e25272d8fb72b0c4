import Platform
import PoolDecoding

/// The messages that wait for one server's broker: one of each topic, the newest, in the order in which the topics came.
///
/// What does not arrive is dropped: everything that still counts is published again when the connection stands again.
final class PublishingQueue: Sendable {
    private struct Item {
        var message: PublishedMessage
        var onArrival: (@Sendable () -> Void)?
    }

    private struct Waiting {
        var order: [String] = []
        var items: [String: Item] = [:]
    }

    private let waiting = Lock(Waiting())
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    init() {
        (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Queues a message in place of another one of its topic; `onArrival` is called when the broker has it.
    func enqueue(_ message: PublishedMessage, onArrival: (@Sendable () -> Void)? = nil) {
        waiting.withLock { waiting in
            if waiting.items[message.topic] == nil { waiting.order.append(message.topic) }
            waiting.items[message.topic] = Item(message: message, onArrival: onArrival)
        }
        signal.yield()
    }

    /// Publishes until the task is cancelled.
    func run(_ publish: @Sendable (PublishedMessage) async -> String?) async {
        for await _ in signals {
            while !Task.isCancelled, let item = next() {
                if await publish(item.message) == nil { item.onArrival?() }
            }
        }
    }

    private func next() -> Item? {
        waiting.withLock { waiting in
            guard !waiting.order.isEmpty else { return nil }
            return waiting.items.removeValue(forKey: waiting.order.removeFirst())
        }
    }
}
