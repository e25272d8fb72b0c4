internal import PoolModel
internal import SyncCore

extension PoolWatch {
    /// The interval of checks for a day to load.
    private static let dayInterval = Duration.seconds(1)
    /// The longest pause before a question without an answer is repeated.
    private static let dayIntervalMax = Duration.seconds(16)
    /// The points of a day: one for each quarter of an hour.
    private static let dayPoints = 100
    private static let dayMilliseconds: Int64 = 86_400_000

    /// Loads the last day of the shown device from the hub's history, until the task is cancelled: a watch that was
    /// off or away did not receive all of it.
    ///
    /// Each device is loaded once per link: while the link lasts, the registers bring what is new. A question without
    /// an answer is repeated, and meanwhile the face shows what this watch received itself.
    func fillDays() async {
        var filled: Set<DeviceID> = []
        var pause = Self.dayInterval
        while !Task.isCancelled {
            // Cancellation ends the wait and the loop.
            try? await Task.sleep(for: pause)
            guard receiver.memory.link.session == .linked else {
                (filled, pause) = ([], Self.dayInterval)
                continue
            }
            guard let device = choice.device?.id, !filled.contains(device) else { continue }
            do {
                try await fillDay(of: device)
                filled.insert(device)
                pause = Self.dayInterval
            } catch {
                pause = min(pause * 2, Self.dayIntervalMax)
            }
        }
    }

    private func fillDay(of device: DeviceID) async throws {
        for quantity in Quantity.allCases {
            let now = hubTime
            let question = WatchQuery.course(
                device: device, quantity: quantity, from: now.advanced(byMilliseconds: -Self.dayMilliseconds),
                through: now, points: Self.dayPoints)
            if case .course(let course) = try await ask(question) { receiver.learn(course) }
        }
    }
}

extension EventReceiver {
    /// Adds the last day of a quantity; called on any thread.
    func learn(_ course: WatchCourse) {
        change { $0.learn(course) }
    }
}
