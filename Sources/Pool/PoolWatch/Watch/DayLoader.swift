internal import PoolModel
internal import SyncCore

/// Loads the last day of the shown device from the hub's history: a watch that was off or away did not receive all
/// of it.
///
/// Each device is loaded once per link: while the link lasts, the registers bring what is new. A question without an
/// answer is repeated, and meanwhile the face shows what this watch received itself.
struct DayLoader: Sendable {
    /// The interval of checks for a day to load.
    private static let interval = Duration.seconds(1)
    /// The longest pause before a question without an answer is repeated.
    private static let intervalMax = Duration.seconds(16)
    /// The points of a day: one for each quarter of an hour.
    private static let points = 100
    private static let dayMilliseconds: Int64 = 86_400_000

    let queries: QueryClient
    let observer: WatchObserver
    let reducer: WatchReducer

    /// Runs until the task is cancelled.
    func run() async {
        var filled: Set<DeviceID> = []
        var pause = Self.interval
        while !Task.isCancelled {
            // Cancellation ends the wait and the loop.
            try? await Task.sleep(for: pause)
            guard reducer.memory.link.session == .linked else {
                (filled, pause) = ([], Self.interval)
                continue
            }
            guard let device = observer.state.choice.device?.id, !filled.contains(device) else { continue }
            do {
                try await load(device)
                filled.insert(device)
                pause = Self.interval
            } catch {
                pause = min(pause * 2, Self.intervalMax)
            }
        }
    }

    private func load(_ device: DeviceID) async throws {
        for quantity in observer.glances[device]?.gauges.map(\.quantity) ?? [] {
            let now = observer.hubTime
            let question = WatchQuery.series(
                device: device, quantity: quantity, from: now.advanced(byMilliseconds: -Self.dayMilliseconds),
                through: now, points: Self.points)
            if case .series(_, let series) = try await queries.ask(question) {
                reducer.handle(.loaded(device, series))
            }
        }
    }
}
