import Platform
import PoolModel

/// Tells others what ingest learned, in the order in which it learned it, outside of its lock.
final class IngestEventQueue: Sendable {
    /// Something to tell.
    enum Item: Sendable {
        /// For the alerts.
        case event(IngestEvent)
        /// What is shown of a device, corrected; `isNew` is false for what is as it was before the hub started.
        case shown(DeviceReadings, isNew: Bool)
    }

    private let waiting = Lock<[Item]>([])
    private let telling = Lock<Void>(())
    private let onItem: @Sendable (Item) -> Void

    /// Creates a queue.
    ///
    /// - Parameter onItem: Gets each item, on any thread, one call at a time; must return at once.
    init(onItem: @escaping @Sendable (Item) -> Void) { self.onItem = onItem }

    /// Puts items behind those that wait; called under the lock that orders them.
    func add(_ items: [Item]) {
        guard !items.isEmpty else { return }
        waiting.withLock { $0 += items }
    }

    /// Tells what waits, and of each device only the last that is shown; called without a lock.
    func tell() {
        // One thread at a time, so that nobody overtakes.
        telling.withLock { _ in
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
                case .event: onItem(item)
                case .shown(let readings, _):
                    guard let shown = last[readings.deviceID], shown.place == place else { continue }
                    onItem(.shown(readings, isNew: shown.isNew))
                }
            }
        }
    }
}
