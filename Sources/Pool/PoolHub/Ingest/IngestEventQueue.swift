import Platform
import PoolModel

/// Delivers the results of ingest in order, outside of its lock.
final class IngestEventQueue: Sendable {
    /// A result.
    enum Item: Sendable {
        /// An event for the alerts.
        case event(IngestEvent)
        /// The shown values of a device, corrected; `isNew` is false for values from before the start.
        case shown(DeviceReadings, isNew: Bool)
        /// The interval that was learnt for a device, in seconds.
        case interval(DeviceID, seconds: Int)
    }

    private let waiting = Lock<[Item]>([])
    private let delivering = Lock<Void>(())
    private let onItem: @Sendable (Item) -> Void

    /// Creates a queue.
    ///
    /// - Parameter onItem: Called with each item, on any thread, one call at a time; must return at once.
    init(onItem: @escaping @Sendable (Item) -> Void) { self.onItem = onItem }

    /// Adds items; called while holding the lock that orders them.
    func add(_ items: [Item]) {
        guard !items.isEmpty else { return }
        waiting.withLock { $0 += items }
    }

    /// Delivers the waiting items, of each device only the last shown values; called without a lock.
    func deliver() {
        // One thread at a time, so that the order is kept.
        delivering.withLock { _ in
            let items = waiting.withLock { waiting in
                defer { waiting = [] }
                return waiting
            }
            var last: [DeviceID: (place: Int, isNew: Bool)] = [:]
            for case (let place, .shown(let readings, let isNew)) in items.enumerated() {
                last[readings.deviceID] = (place, isNew || last[readings.deviceID]?.isNew == true)
            }
            for (place, item) in items.enumerated() {
                switch item {
                case .event, .interval: onItem(item)
                case .shown(let readings, _):
                    guard let shown = last[readings.deviceID], shown.place == place else { continue }
                    onItem(.shown(readings, isNew: shown.isNew))
                }
            }
        }
    }
}
