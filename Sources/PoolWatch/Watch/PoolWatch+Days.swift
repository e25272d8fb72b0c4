internal import PoolModel
internal import SyncCore

extension PoolWatch {
    /// How often it is looked whether there is a day to fill.
    private static let dayInterval = Duration.seconds(1)
    /// The points of a day: one for each quarter of an hour.
    private static let dayPoints = 100
    private static let dayMilliseconds: Int64 = 86_400_000

    /// Fills the last day of the shown device from the hub's history, until the task is cancelled: a watch that was off
    /// or away did not see all of it.
    ///
    /// Each device is asked for once in a link: while it lasts, the registers bring what is new.
    func fillDays() async {
        var filled: Set<DeviceID> = []
        while !Task.isCancelled {
            // Cancellation ends the wait and the loop.
            try? await Task.sleep(for: Self.dayInterval)
            guard receiver.memory.link.session == .linked else {
                filled = []
                continue
            }
            guard let device = choice.device?.id, filled.insert(device).inserted else { continue }
            for quantity in Quantity.allCases {
                let now = hubTime
                let question = WatchQuestion.course(
                    device: device, quantity: quantity, from: now.advanced(byMilliseconds: -Self.dayMilliseconds),
                    through: now, points: Self.dayPoints)
                // Without an answer the face shows what this watch saw itself.
                guard case .course(let course)? = try? await ask(question) else { break }
                receiver.learn(course)
            }
        }
    }
}

extension EventReceiver {
    /// Takes in the last day of a quantity; on any thread.
    func learn(_ course: WatchCourse) {
        change { $0.learn(course) }
    }
}
